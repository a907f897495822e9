// Tensors of doubles: what tests feed to kernels and compare results with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/harness/Tensors.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include <cstring>

using namespace mlir;

namespace modelc::test {

double Tensor::operator()(const Shape &indices) const {
  int64_t position = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    position = position * shape[d] + indices[d];
  }
  return values[position];
}

int64_t sizeOf(const Shape &shape) {
  int64_t size = 1;
  for (int64_t extent : shape) {
    size *= extent;
  }
  return size;
}

std::vector<char> encode(Type type, const Values &values) {
  unsigned bytes = std::max(1u, type.getIntOrFloatBitWidth() / 8);
  std::vector<char> buffer(values.size() * bytes);
  for (size_t i = 0; i < values.size(); ++i) {
    uint64_t bits;
    if (auto floatType = dyn_cast<FloatType>(type)) {
      APFloat value(values[i]);
      bool losesInfo;
      value.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
      bits = value.bitcastToAPInt().getZExtValue();
    } else {
      bits = static_cast<uint64_t>(static_cast<int64_t>(values[i]));
    }
    std::memcpy(buffer.data() + i * bytes, &bits, bytes);
  }
  return buffer;
}

Values decode(Type type, ArrayRef<char> bytes, size_t count) {
  unsigned width = std::max(8u, type.getIntOrFloatBitWidth());
  Values values;
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * width / 8, width / 8);
    APInt integer(width, bits);
    if (auto floatType = dyn_cast<FloatType>(type)) {
      APFloat value(floatType.getFloatSemantics(), integer);
      bool losesInfo;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
      values.push_back(value.convertToDouble());
    } else {
      bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
      values.push_back(isUnsigned ? static_cast<double>(integer.getZExtValue())
                                  : static_cast<double>(integer.getSExtValue()));
    }
  }
  return values;
}

std::string tensorType(const Shape &shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t extent : shape) {
    text += std::to_string(extent) + "x";
  }
  return text + element + ">";
}

std::string arrayOf(const std::string &type, const Values &values) {
  std::string text = "array<" + type;
  const char *separator = ": ";
  for (double value : values) {
    text += separator;
    text += type[0] == 'i' ? std::to_string(static_cast<int64_t>(value)) : std::to_string(value);
    separator = ", ";
  }
  return text + ">";
}

Values integers(int64_t count, int64_t low, int64_t high, unsigned seed) {
  Values values;
  uint64_t state = seed;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u; // Knuth, MMIX
    values.push_back(
        static_cast<double>(low + static_cast<int64_t>((state >> 33) % (high - low + 1))));
  }
  return values;
}

Values numbers(int64_t count, unsigned seed) {
  Values values = integers(count, -16, 16, seed);
  for (double &value : values) {
    value /= 8;
  }
  return values;
}

void forIndices(const Shape &shape, llvm::function_ref<void(const Shape &)> body) {
  Shape indices(shape.size(), 0);
  for (int64_t i = 0, size = sizeOf(shape); i < size; ++i) {
    body(indices);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++indices[d] < shape[d]) {
        break;
      }
      indices[d] = 0;
    }
  }
}

Tensor tabulate(const Shape &shape, llvm::function_ref<double(const Shape &)> body) {
  Tensor tensor{shape, {}};
  forIndices(shape, [&](const Shape &indices) { tensor.values.push_back(body(indices)); });
  return tensor;
}

void expectClose(const Tensor &actual, const Tensor &expected, double tolerance) {
  EXPECT_EQ(actual.shape, expected.shape);
  ASSERT_EQ(actual.values.size(), expected.values.size());
  for (size_t i = 0; i < actual.values.size(); ++i) {
    double x = actual.values[i], y = expected.values[i];
    bool isSame = x == y || (std::isnan(x) && std::isnan(y)) ||
                  std::fabs(x - y) <= tolerance * std::max(1.0, std::fabs(y));
    EXPECT_TRUE(isSame) << "element " << i << " is " << x << ", expected " << y;
  }
}

void expectEqual(const Tensor &actual, const Tensor &expected) {
  expectClose(actual, expected, 0);
}

} // namespace modelc::test

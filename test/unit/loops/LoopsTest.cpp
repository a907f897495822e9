// Runs single ops as loops in the interpreter, for tests of their semantics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopsTest.h"
#include "codegen/eval/Interpreter.h"
#include "codegen/kernel/LoopEmitter.h"
#include "ir/ConstantData.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

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

static std::vector<char> encode(Type type, const Values &values) {
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

static Values decode(Type type, const std::vector<char> &buffer, size_t count) {
  unsigned width = std::max(8u, type.getIntOrFloatBitWidth());
  Values values;
  for (size_t i = 0; i < count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, buffer.data() + i * width / 8, width / 8);
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

static std::string kernelText(const std::string &op, FunctionType type) {
  std::string text = "modelc.kernel @k {\n^bb0(";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(llvm::enumerate(type.getInputs()), os,
                        [&](auto input) { os << "%" << input.index() << ": " << input.value(); });
  os << "):\n  %r:" << type.getNumResults() << " = " << op << "\n  modelc.yield ";
  llvm::interleaveComma(llvm::seq(type.getNumResults()), os, [&](unsigned i) { os << "%r#" << i; });
  os << " : ";
  llvm::interleaveComma(type.getResults(), os);
  os << "\n}\n";
  return text;
}

Outcome runWithStatus(const std::string &op, const std::vector<Values> &operands) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<ModelcDialect, arith::ArithDialect, func::FuncDialect, math::MathDialect,
                      memref::MemRefDialect, scf::SCFDialect>();
  auto type = dyn_cast_or_null<FunctionType>(parseType(op.substr(op.rfind(" : (") + 3), &context));
  if (!type || type.getNumInputs() != operands.size()) {
    ADD_FAILURE() << "bad types: " << op;
    return {};
  }
  auto module = parseSourceString<ModuleOp>(kernelText(op, type), &context);
  if (!module) {
    ADD_FAILURE() << "cannot parse " << op;
    return {};
  }
  auto kernel = *module->getOps<KernelOp>().begin();
  LoopGenerator generator;
  FailureOr<KernelCode> code = generator.emit(kernel, "k", {});
  if (failed(code) || failed(verify(*code->module))) {
    ADD_FAILURE() << "cannot emit " << op;
    return {};
  }

  std::vector<std::vector<char>> buffers;
  for (auto [input, values] : llvm::zip(type.getInputs(), operands)) {
    auto tensor = cast<RankedTensorType>(input);
    EXPECT_EQ(tensor.getNumElements(), static_cast<int64_t>(values.size())) << op;
    buffers.push_back(encode(tensor.getElementType(), values));
    buffers.back().resize(storageBytes(storageType(tensor)));
  }
  for (Type result : type.getResults()) {
    // Elements that are never written stand out.
    buffers.emplace_back(storageBytes(storageType(cast<RankedTensorType>(result))), 0x55);
  }
  for (uint64_t bytes : code->scratchBytes) {
    buffers.emplace_back(bytes, 0x33);
  }
  SmallVector<MutableArrayRef<char>> views(buffers.begin(), buffers.end());
  Budget budget{uint64_t(1) << 32};
  auto status = interpret(*code->module->getOps<func::FuncOp>().begin(), views, budget);
  if (!status) {
    ADD_FAILURE() << llvm::toString(status.takeError()) << " in " << op;
    return {};
  }
  Outcome outcome{{}, *status};
  for (auto [i, result] : llvm::enumerate(type.getResults())) {
    auto tensor = cast<RankedTensorType>(result);
    outcome.results.push_back(
        {Shape(tensor.getShape()),
         decode(tensor.getElementType(), buffers[operands.size() + i], tensor.getNumElements())});
  }
  return outcome;
}

std::vector<Tensor> run(const std::string &op, const std::vector<Values> &operands) {
  Outcome outcome = runWithStatus(op, operands);
  EXPECT_EQ(outcome.status, 0) << op;
  return outcome.results;
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

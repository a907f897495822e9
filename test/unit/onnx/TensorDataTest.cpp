// Tensors of ONNX models: every storage, and what is wrong with the bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/TensorData.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace modelc;
using onnx::TensorProto;

namespace {

class TensorData : public ::testing::Test {
protected:
  TensorProto make(int type, std::vector<int64_t> dims) {
    TensorProto tensor;
    tensor.set_name("t");
    tensor.set_data_type(type);
    for (int64_t extent : dims) {
      tensor.add_dims(extent);
    }
    return tensor;
  }

  template <typename T> std::vector<T> values(TensorProto tensor) {
    llvm::Expected<ElementsAttr> attr = takeTensor(tensor, external, context);
    if (!attr) {
      ADD_FAILURE() << llvm::toString(attr.takeError());
      return {};
    }
    auto range = cast<DenseElementsAttr>(*attr).getValues<T>();
    return std::vector<T>(range.begin(), range.end());
  }

  std::string errorOf(TensorProto tensor) {
    llvm::Expected<ElementsAttr> attr = takeTensor(tensor, external, context);
    if (attr) {
      return "no error";
    }
    return llvm::toString(attr.takeError());
  }

  MLIRContext context;
  ExternalData external{"."};
};

} // namespace

TEST_F(TensorData, FloatData) {
  TensorProto tensor = make(TensorProto::FLOAT, {2});
  tensor.add_float_data(1.5f);
  tensor.add_float_data(-2.0f);
  EXPECT_EQ(values<float>(tensor), (std::vector<float>{1.5f, -2.0f}));
}

TEST_F(TensorData, RawData) {
  TensorProto tensor = make(TensorProto::INT16, {2});
  tensor.set_raw_data(std::string("\x01\x00\xFF\xFF", 4));
  EXPECT_EQ(values<int16_t>(tensor), (std::vector<int16_t>{1, -1}));
}

TEST_F(TensorData, Int32DataHoldsSmallIntegers) {
  TensorProto tensor = make(TensorProto::INT8, {2});
  tensor.add_int32_data(-3);
  tensor.add_int32_data(7);
  EXPECT_EQ(values<int8_t>(tensor), (std::vector<int8_t>{-3, 7}));
}

TEST_F(TensorData, Int32DataHoldsHalfPatterns) {
  TensorProto tensor = make(TensorProto::FLOAT16, {1});
  tensor.add_int32_data(0x3C00);
  llvm::Expected<ElementsAttr> attr = takeTensor(tensor, external, context);
  ASSERT_TRUE(static_cast<bool>(attr));
  EXPECT_EQ((*cast<DenseElementsAttr>(*attr).getValues<APFloat>().begin()).convertToFloat(), 1.0f);
}

TEST_F(TensorData, BoolsOfAnyNonZeroByteAreTrue) {
  TensorProto tensor = make(TensorProto::BOOL, {3});
  tensor.set_raw_data(std::string("\x00\x02\x01", 3));
  EXPECT_EQ(values<bool>(tensor), (std::vector<bool>{false, true, true}));
}

TEST_F(TensorData, FourBitElementsStartWithTheLowNibble) {
  TensorProto tensor = make(TensorProto::INT4, {3});
  tensor.set_raw_data(std::string("\x2F\x07", 2));
  llvm::Expected<ElementsAttr> attr = takeTensor(tensor, external, context);
  ASSERT_TRUE(static_cast<bool>(attr));
  std::vector<int64_t> numbers;
  for (const APInt &value : cast<DenseElementsAttr>(*attr).getValues<APInt>()) {
    numbers.push_back(value.getSExtValue());
  }
  EXPECT_EQ(numbers, (std::vector<int64_t>{-1, 2, 7}));
}

TEST_F(TensorData, PackedElementsInInt32Data) {
  TensorProto tensor = make(TensorProto::UINT4, {2});
  tensor.add_int32_data(0xA3);
  llvm::Expected<ElementsAttr> attr = takeTensor(tensor, external, context);
  ASSERT_TRUE(static_cast<bool>(attr));
  std::vector<uint64_t> numbers;
  for (const APInt &value : cast<DenseElementsAttr>(*attr).getValues<APInt>()) {
    numbers.push_back(value.getZExtValue());
  }
  EXPECT_EQ(numbers, (std::vector<uint64_t>{3, 10}));
}

TEST_F(TensorData, OtherFields) {
  TensorProto wide = make(TensorProto::UINT32, {1});
  wide.add_uint64_data(4000000000u);
  EXPECT_EQ(values<uint32_t>(wide), std::vector<uint32_t>{4000000000u});
  TensorProto real = make(TensorProto::DOUBLE, {1});
  real.add_double_data(0.25);
  EXPECT_EQ(values<double>(real), std::vector<double>{0.25});
  TensorProto integer = make(TensorProto::INT64, {1});
  integer.add_int64_data(-5);
  EXPECT_EQ(values<int64_t>(integer), std::vector<int64_t>{-5});
}

TEST_F(TensorData, EmptyTensors) {
  EXPECT_TRUE(values<float>(make(TensorProto::FLOAT, {0, 4})).empty());
}

TEST_F(TensorData, LargeTensorsTakeTheString) {
  TensorProto tensor = make(TensorProto::FLOAT, {1024});
  tensor.set_raw_data(std::string(4096, '\1'));
  const char *bytes = tensor.raw_data().data();
  llvm::Expected<ElementsAttr> attr = takeTensor(tensor, external, context);
  ASSERT_TRUE(static_cast<bool>(attr));
  auto resource = cast<DenseResourceElementsAttr>(*attr);
  EXPECT_EQ(resource.getRawHandle().getBlob()->getData().data(), bytes);
  EXPECT_TRUE(tensor.raw_data().empty());
}

TEST_F(TensorData, WrongNumberOfBytes) {
  TensorProto tensor = make(TensorProto::FLOAT, {2});
  tensor.set_raw_data("abcd");
  EXPECT_EQ(errorOf(tensor), "tensor 't': the data has 4 bytes, but the shape needs 8");
  EXPECT_EQ(errorOf(make(TensorProto::FLOAT, {1LL << 40})),
            "tensor 't': the data has 0 bytes, but the shape needs "
            "4398046511104");
}

TEST_F(TensorData, BadDimensions) {
  const char *message = "tensor 't': the dimensions are negative or too large";
  EXPECT_EQ(errorOf(make(TensorProto::FLOAT, {-1})), message);
  EXPECT_EQ(errorOf(make(TensorProto::FLOAT, {1LL << 40, 1LL << 40})), message);
}

TEST_F(TensorData, BadTypes) {
  EXPECT_EQ(errorOf(make(TensorProto::STRING, {1})), "tensor 't': unsupported element type string");
  EXPECT_EQ(errorOf(make(99, {1})), "tensor 't': unsupported element type 99");
}

TEST_F(TensorData, TwoFields) {
  TensorProto tensor = make(TensorProto::FLOAT, {1});
  tensor.add_float_data(1);
  tensor.set_raw_data("abcd");
  EXPECT_EQ(errorOf(tensor), "tensor 't': expected one data field, got 2");
}

TEST_F(TensorData, ElementTypesMapBothWays) {
  for (int type : {TensorProto::FLOAT, TensorProto::UINT8, TensorProto::INT8, TensorProto::BOOL,
                   TensorProto::BFLOAT16, TensorProto::INT4, TensorProto::UINT2}) {
    EXPECT_EQ(elementTypeToOnnx(elementTypeFromOnnx(type, context)), type);
  }
}

// External data must not leave the folder of its model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/ExternalData.h"
#include "frontend/onnx/TensorData.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace modelc;

namespace {

class ExternalDataTest : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> root;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("modelc", root));
    top = root.str().str();
    folder = top + "/model";
    ASSERT_FALSE(llvm::sys::fs::create_directory(folder));
    write(folder + "/weights.bin", std::string(4096, '\2') + "tail");
    write(top + "/secret.bin", "secret.."); // 8 bytes
    ASSERT_FALSE(llvm::sys::fs::create_link(top + "/secret.bin", folder + "/link.bin"));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(top); }

  static void write(const std::string &path, llvm::StringRef bytes) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << bytes;
  }

  onnx::TensorProto make(std::string location, std::string offset, std::string length,
                         int64_t elements) {
    onnx::TensorProto tensor;
    tensor.set_name("w");
    tensor.set_data_type(onnx::TensorProto::UINT8);
    tensor.add_dims(elements);
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    for (auto [key, value] : {std::pair<std::string, std::string>{"location", location},
                              {"offset", offset},
                              {"length", length}}) {
      if (!value.empty()) {
        auto *entry = tensor.add_external_data();
        entry->set_key(key);
        entry->set_value(value);
      }
    }
    return tensor;
  }

  std::string errorOf(onnx::TensorProto tensor) {
    ExternalData external(folder);
    llvm::Expected<ElementsAttr> attr = takeTensor(tensor, external, context);
    return attr ? "no error" : llvm::toString(attr.takeError());
  }

  MLIRContext context;
  std::string top, folder;
};

} // namespace

TEST_F(ExternalDataTest, SmallPart) {
  ExternalData external(folder);
  onnx::TensorProto tensor = make("weights.bin", "4096", "4", 4);
  llvm::Expected<ElementsAttr> attr = takeTensor(tensor, external, context);
  ASSERT_TRUE(static_cast<bool>(attr));
  EXPECT_EQ(*cast<DenseElementsAttr>(*attr).getValues<uint8_t>().begin(), 't');
}

TEST_F(ExternalDataTest, LargePartIsMapped) {
  ExternalData external(folder);
  onnx::TensorProto tensor = make("weights.bin", "", "", 4096);
  llvm::Expected<ElementsAttr> attr = takeTensor(tensor, external, context);
  ASSERT_TRUE(static_cast<bool>(attr));
  auto resource = cast<DenseResourceElementsAttr>(*attr);
  EXPECT_EQ(resource.getRawHandle().getBlob()->getData().size(), 4096u);
}

TEST_F(ExternalDataTest, PathsThatLeaveTheFolder) {
  for (const char *location : {"../secret.bin", "a/../../secret.bin", "/etc/passwd", "..",
                               "..\\secret.bin", "C:\\secret.bin"}) {
    EXPECT_NE(
        errorOf(make(location, "", "", 8)).find("must be a plain path inside the model's folder"),
        std::string::npos)
        << location;
  }
  EXPECT_EQ(errorOf(make("link.bin", "", "", 8)),
            "tensor 'w': external data location 'link.bin' leads out of the "
            "model's folder");
}

TEST_F(ExternalDataTest, NotAFile) {
  EXPECT_EQ(errorOf(make(".", "", "", 8)),
            "tensor 'w': external data location '.' leads out of the model's "
            "folder");
  EXPECT_EQ(errorOf(make("missing.bin", "", "", 8)),
            "tensor 'w': cannot read external data 'missing.bin': No such file "
            "or directory");
  EXPECT_EQ(errorOf(make("", "", "", 8)), "tensor 'w': external data without a location");
}

TEST_F(ExternalDataTest, OrtMemoryMarker) {
  EXPECT_NE(
      errorOf(make("*/_ORT_MEM_ADDR_/*", "94", "8", 8)).find("left in the memory of the program"),
      std::string::npos);
}

TEST_F(ExternalDataTest, Bounds) {
  EXPECT_EQ(errorOf(make("weights.bin", "4097", "", 4)),
            "tensor 'w': external data at offset 4097 needs 4 bytes, but the "
            "file 'weights.bin' has 4100");
  EXPECT_EQ(errorOf(make("weights.bin", "18446744073709551615", "", 4)),
            "tensor 'w': external data at offset 18446744073709551615 needs 4 "
            "bytes, but the file 'weights.bin' has 4100");
  EXPECT_EQ(errorOf(make("weights.bin", "-1", "", 4)),
            "tensor 'w': external data 'offset': expected a number of bytes, "
            "got '-1'");
  EXPECT_EQ(errorOf(make("weights.bin", "", "5", 4)),
            "tensor 'w': external data has a length of 5 bytes, but the shape "
            "needs 4");
}

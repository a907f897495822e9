// ONNX files as a whole: format, structure, order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/Model.h"
#include "frontend/onnx/schema/Schema.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace modelc;

namespace {

class ModelTest : public ::testing::Test {
protected:
  ModelTest() {
    context.getDiagEngine().registerHandler(
        [this](Diagnostic &diagnostic) { messages += diagnostic.str(); });
  }

  std::string parse(llvm::StringRef bytes) {
    messages.clear();
    onnx::ModelProto model;
    bool ok = succeeded(parseOnnxModel(bytes, model, location));
    EXPECT_EQ(ok, messages.empty());
    return messages;
  }

  OnnxModel fromText(llvm::StringRef text) {
    OnnxModel model;
    llvm::Expected<onnx::ModelProto> proto = parseOnnxText(text);
    if (!proto) {
      ADD_FAILURE() << llvm::toString(proto.takeError());
      return model;
    }
    model.proto = *proto;
    return model;
  }

  std::string normalize(llvm::StringRef text, ImportLimits limits = {}) {
    messages.clear();
    OnnxModel model = fromText(text);
    bool ok = succeeded(normalizeOnnxModel(model, limits, location));
    EXPECT_EQ(ok, messages.empty());
    return messages;
  }

  MLIRContext context;
  Location location = UnknownLoc::get(&context);
  std::string messages;
};

const char *const plain = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) { y = Relu(x) })";

} // namespace

TEST_F(ModelTest, WrongFormats) {
  EXPECT_EQ(parse(""), "the file is empty");
  EXPECT_EQ(parse("<ir_version: 8>\n"), "expected a binary ONNX model, got text");
  EXPECT_EQ(parse(llvm::StringRef("GGUF\3\0\0\0", 8)),
            "expected a binary ONNX model, got a GGUF file");
  EXPECT_EQ(parse("version https://git-lfs.github.com/spec/v1\n"),
            "expected a binary ONNX model, got a Git LFS pointer, not the file "
            "it points to");
  EXPECT_EQ(parse(llvm::StringRef("\x08\x08", 2)),
            "expected an ONNX model, got a file without a graph");
}

TEST_F(ModelTest, EveryTruncationIsAnError) {
  std::string bytes = fromText(plain).proto.SerializeAsString();
  EXPECT_EQ(parse(bytes), "");
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_TRUE(parse(llvm::StringRef(bytes).take_front(size)) != "" ||
                size > bytes.size() - 8) // only the opset is missing
        << size;
  }
  // The graph is the second field and has the rest of the file.
  EXPECT_NE(parse(llvm::StringRef(bytes).take_front(20))
                .find("not a valid ONNX model or truncated: the field at byte "
                      "2 needs"),
            std::string::npos);
}

TEST_F(ModelTest, EveryFlippedByteIsHandled) {
  std::string bytes = fromText(plain).proto.SerializeAsString();
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] ^= 0xFF;
    onnx::ModelProto model;
    (void)parseOnnxModel(damaged, model, location);
  }
}

TEST_F(ModelTest, DomainsAndOpsets) {
  OnnxModel model = fromText(R"(<ir_version: 8,
      opset_import: ["ai.onnx" : 13, "" : 17, "com.acme" : 2]>
    g (float[2] x) => (float[2] y) { y = ai.onnx.Relu(x) })");
  ASSERT_TRUE(succeeded(normalizeOnnxModel(model, {}, location)));
  EXPECT_EQ(model.opsets.lookup(""), 17);
  EXPECT_EQ(model.opsets.lookup("com.acme"), 2);
  EXPECT_EQ(model.proto.graph().node(0).domain(), "");
}

TEST_F(ModelTest, MissingOpsets) {
  EXPECT_EQ(normalize(R"(<ir_version: 8, opset_import: ["com.acme" : 1]>
      g (float[2] x) => (float[2] y) { y = Relu(x) })"),
            "node 0 (Relu): no opset version is imported for the domain "
            "ai.onnx");
  OnnxModel model = fromText(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { y = com.acme.Beam(x) })");
  ASSERT_TRUE(succeeded(normalizeOnnxModel(model, {}, location)));
  EXPECT_EQ(model.opsets.lookup("com.acme"), 1);
}

TEST_F(ModelTest, NamesAreUnique) {
  EXPECT_EQ(normalize(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y) { y = Relu(x)  y = Neg(x) })"),
            "node 1 (Neg): the name 'y' is already taken by another value");
}

TEST_F(ModelTest, Limits) {
  ImportLimits limits;
  limits.nodes = 1;
  EXPECT_EQ(normalize(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y) { z = Relu(x)  y = Neg(z) })",
                      limits),
            "the model has more than 1 nodes");
  limits = {};
  limits.depth = 0;
  EXPECT_EQ(normalize(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (bool c) => (float y) {
        y = If (c) <then_branch = t () => (float a) {a = Constant <value_float = 1.0> ()},
                    else_branch = e () => (float b) {b = Constant <value_float = 2.0> ()}>
      })",
                      limits),
            "subgraphs are nested more than 0 deep");
}

TEST_F(ModelTest, OrderOfNodes) {
  OnnxModel model = fromText(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { y = Neg(b)  b = Relu(a)  a = Abs(x) })");
  FailureOr<std::vector<int>> order = topologicalOrder(model.proto.graph().node(), location);
  ASSERT_TRUE(succeeded(order));
  EXPECT_EQ(*order, (std::vector<int>{2, 1, 0}));
}

TEST_F(ModelTest, SubgraphsUseOuterValues) {
  OnnxModel model = fromText(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (bool c, float x) => (float y) {
      y = If (c) <then_branch = t () => (float a) {a = Neg(late)},
                  else_branch = e () => (float b) {b = Identity(x)}>
      late = Abs(x)
    })");
  FailureOr<std::vector<int>> order = topologicalOrder(model.proto.graph().node(), location);
  ASSERT_TRUE(succeeded(order));
  EXPECT_EQ(*order, (std::vector<int>{1, 0}));
}

TEST_F(ModelTest, Cycles) {
  OnnxModel model = fromText(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) {
      a = Add(x, b)  b = Relu(a)  y = Neg(b)
    })");
  EXPECT_TRUE(failed(topologicalOrder(model.proto.graph().node(), location)));
  EXPECT_EQ(messages, "node 0 (Add) depends on its own result: the graph has a cycle");
}

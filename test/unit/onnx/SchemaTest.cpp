// What the standard says, and that the ONNX library cannot throw at us.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/schema/Schema.h"
#include "frontend/onnx/NodeCheck.h"
#include "frontend/onnx/OpRegistry.h"

#include "gtest/gtest.h"

#include <climits>

using namespace modelc;

TEST(Schema, SinceVersions) {
  EXPECT_EQ(OnnxSchema::lookup("", "Relu", 13)->sinceVersion(), 13);
  EXPECT_EQ(OnnxSchema::lookup("", "Relu", 12)->sinceVersion(), 6);
  EXPECT_FALSE(OnnxSchema::lookup("", "Gelu", 19));
  EXPECT_FALSE(OnnxSchema::lookup("com.acme", "Relu", 1));
  EXPECT_TRUE(OnnxSchema::lookup("", "Relu", INT_MAX));
}

TEST(Schema, Defaults) {
  OnnxSchema schema = *OnnxSchema::lookup("", "LeakyRelu", 16);
  ASSERT_TRUE(schema.attributeDefault("alpha"));
  EXPECT_FLOAT_EQ(schema.attributeDefault("alpha")->f(), 0.01f);
  EXPECT_FALSE(schema.attributeDefault("beta"));
  onnx::NodeProto node;
  schema.addDefaultAttributes(node);
  schema.addDefaultAttributes(node);
  EXPECT_EQ(node.attribute_size(), 1);
}

TEST(Schema, FunctionBodies) {
  EXPECT_FALSE(OnnxSchema::lookup("", "Relu", 17)->hasFunctionBody(17));
  OnnxSchema schema = *OnnxSchema::lookup("", "Mish", 18);
  ASSERT_TRUE(schema.hasFunctionBody(18));
  onnx::NodeProto node;
  node.set_op_type("Mish");
  node.add_input("x");
  node.add_output("y");
  auto body = schema.functionBody(node, 18, onnx::TypeProto());
  ASSERT_TRUE(static_cast<bool>(body));
  ASSERT_TRUE(body->has_value());
  EXPECT_EQ((*body)->node_size(), 3);
}

TEST(Schema, TextErrorsAreValues) {
  auto model = parseOnnxText("<ir_version: 8> nonsense");
  EXPECT_FALSE(static_cast<bool>(model));
  EXPECT_NE(llvm::toString(model.takeError()), "");
}

TEST(NodeCheck, Messages) {
  OnnxSchema conv = *OnnxSchema::lookup("", "Conv", 11);
  onnx::NodeProto node;
  node.set_op_type("Conv");
  node.add_input("x");
  EXPECT_EQ(checkNode(node, conv), "expected 2 to 3 inputs, got 1");
  node.add_input("w");
  node.add_output("y");
  EXPECT_EQ(checkNode(node, conv), "");
  auto *attribute = node.add_attribute();
  attribute->set_name("group");
  attribute->set_type(onnx::AttributeProto::FLOAT);
  EXPECT_EQ(checkNode(node, conv), "attribute 'group': expected int, got float");
}

TEST(NodeCheck, RequiredAttributes) {
  OnnxSchema concat = *OnnxSchema::lookup("", "Concat", 13);
  onnx::NodeProto node;
  node.add_input("x");
  node.add_output("y");
  EXPECT_EQ(checkNode(node, concat), "attribute 'axis' is missing");
}

TEST(OpRegistry, TakesTheNearestOlderVersion) {
  OpRegistry ops;
  auto *old = +[](NodeBinder &) { return mlir::success(); };
  auto *modern = +[](NodeBinder &) { return mlir::failure(); };
  ops.add("Resize", 10, old);
  ops.add("Resize", 11, modern);
  EXPECT_EQ(ops.find("", "Resize", 9), nullptr);
  EXPECT_EQ(ops.find("", "Resize", 10), old);
  EXPECT_EQ(ops.find("", "Resize", 19), modern);
  EXPECT_EQ(ops.find("com.acme", "Resize", 19), nullptr);
}

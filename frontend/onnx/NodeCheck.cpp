// Checks a node against the standard before anything reads it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/NodeCheck.h"

#include "frontend/Quote.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

using onnx::AttributeProto;

namespace modelc {

static std::string typeName(AttributeProto::AttributeType type) {
  return llvm::StringRef(AttributeProto::AttributeType_Name(type)).lower();
}

static std::string checkCount(llvm::StringRef what, int count, int least, int most) {
  if (count >= least && count <= most) {
    return "";
  }
  std::string expected = std::to_string(least);
  if (most > 1000) {
    expected = "at least " + expected;
  } else if (most != least) {
    expected += " to " + std::to_string(most);
  }
  return "expected " + expected + " " + what.str() + ", got " + std::to_string(count);
}

/// Trailing empty names count as left out.
template <typename Names> static int countPresent(const Names &names) {
  int count = names.size();
  while (count > 0 && names[count - 1].empty()) {
    --count;
  }
  return count;
}

std::string checkNode(const onnx::NodeProto &node, const OnnxSchema &schema) {
  std::string problem =
      checkCount("inputs", countPresent(node.input()), schema.minInputs(), schema.maxInputs());
  if (problem.empty()) {
    problem = checkCount("outputs", countPresent(node.output()), schema.minOutputs() == 0 ? 0 : 1,
                         schema.maxOutputs());
  }
  if (!problem.empty()) {
    return problem;
  }
  llvm::StringSet<> present;
  for (const AttributeProto &attribute : node.attribute()) {
    if (!present.insert(attribute.name()).second) {
      return "attribute " + quoted(attribute.name()) + " is given twice";
    }
    auto type = schema.attributeType(attribute.name());
    if (type && *type != attribute.type()) {
      return "attribute " + quoted(attribute.name()) + ": expected " + typeName(*type) + ", got " +
             typeName(attribute.type());
    }
  }
  for (const std::string &name : schema.requiredAttributes()) {
    if (!present.contains(name)) {
      return "attribute " + quoted(name) + " is missing";
    }
  }
  return "";
}

} // namespace modelc

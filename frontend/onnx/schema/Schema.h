// What the ONNX standard says about operators, without the ONNX library's
// exceptions: every call returns its errors by value.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_ONNX_SCHEMA_SCHEMA_H
#define MODELC_FRONTEND_ONNX_SCHEMA_SCHEMA_H

#include "onnx/onnx_pb.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace modelc {

/// One version of one operator in the standard. A view: cheap to copy, valid
/// for the whole run of the program.
class OnnxSchema {
public:
  /// An input or output as the standard declares it.
  struct Formal {
    std::string name;
    bool isOptional;
    bool isVariadic;
  };

  /// The version of `op` that is in force at `opset`, or nothing if the
  /// standard knows no such operator. `domain` is '' for ai.onnx.
  static std::optional<OnnxSchema> lookup(llvm::StringRef domain, llvm::StringRef op, int opset);

  int sinceVersion() const;
  bool isDeprecated() const;
  int minInputs() const;
  /// INT_MAX for a variadic last input.
  int maxInputs() const;
  int minOutputs() const;
  int maxOutputs() const;
  /// The i-th input; a variadic one stands for all that follow it.
  Formal input(int i) const;
  Formal output(int i) const;
  /// Whether the standard declares attribute `name`, and of what type.
  std::optional<onnx::AttributeProto::AttributeType> attributeType(llvm::StringRef name) const;
  /// The names of attributes that have no default and must be there.
  std::vector<std::string> requiredAttributes() const;
  /// The default of attribute `name`, or null.
  const onnx::AttributeProto *attributeDefault(llvm::StringRef name) const;
  /// Appends every attribute that `node` lacks and that has a default.
  void addDefaultAttributes(onnx::NodeProto &node) const;
  /// Whether the standard defines the operator by a graph of others at
  /// `opset`, at least for some types of inputs.
  bool hasFunctionBody(int opset) const;
  /// The body for this call of the operator, with formal names filled in and
  /// the opsets that it is written for. Nothing if there is none for these
  /// types. `inputTypes` has one entry per input of `node`, empty if unknown.
  llvm::Expected<std::optional<onnx::FunctionProto>>
  functionBody(const onnx::NodeProto &node, int opset,
               llvm::ArrayRef<onnx::TypeProto> inputTypes) const;

private:
  explicit OnnxSchema(const void *schema) : schema(schema) {}
  const void *schema;
};

/// The newest opset of `domain` that the linked ONNX library knows, 0 for a
/// domain that it does not know.
int newestOnnxOpset(llvm::StringRef domain);

/// Domain, name and since-version of every operator that the standard defines
/// by a function body.
struct OnnxOpName {
  std::string domain;
  std::string name;
  int sinceVersion;
};
std::vector<OnnxOpName> onnxOpsWithFunctionBody();

/// Parses ONNX's text syntax.
llvm::Expected<onnx::ModelProto> parseOnnxText(llvm::StringRef text);

} // namespace modelc

#endif // MODELC_FRONTEND_ONNX_SCHEMA_SCHEMA_H

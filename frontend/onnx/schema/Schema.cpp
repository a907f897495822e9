// What the ONNX standard says about operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/schema/Schema.h"

#include "onnx/defs/parser.h"
#include "onnx/defs/schema.h"

#include <algorithm>
#include <exception>

namespace modelc {

// Every function that calls into the ONNX library catches all exceptions: the
// callers are compiled without exception support and cannot be unwound.

static const onnx::OpSchema &get(const void *schema) {
  return *static_cast<const onnx::OpSchema *>(schema);
}

static llvm::Error makeError(const char *what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s", what);
}

std::optional<OnnxSchema> OnnxSchema::lookup(llvm::StringRef domain, llvm::StringRef op,
                                             int opset) {
  try {
    if (const onnx::OpSchema *schema =
            onnx::OpSchemaRegistry::Schema(op.str(), opset, domain.str())) {
      return OnnxSchema(schema);
    }
  } catch (...) {
  }
  return std::nullopt;
}

int OnnxSchema::sinceVersion() const {
  return get(schema).SinceVersion();
}
bool OnnxSchema::isDeprecated() const {
  return get(schema).Deprecated();
}
int OnnxSchema::minInputs() const {
  return get(schema).min_input();
}
int OnnxSchema::maxInputs() const {
  return get(schema).max_input();
}
int OnnxSchema::minOutputs() const {
  return get(schema).min_output();
}
int OnnxSchema::maxOutputs() const {
  return get(schema).max_output();
}

static OnnxSchema::Formal getFormal(const std::vector<onnx::OpSchema::FormalParameter> &formals,
                                    int i) {
  if (formals.empty() || i < 0) {
    return {"", true, false};
  }
  const auto &formal = formals[std::min<size_t>(static_cast<size_t>(i), formals.size() - 1)];
  return {formal.GetName(), formal.GetOption() == onnx::OpSchema::Optional,
          formal.GetOption() == onnx::OpSchema::Variadic};
}

OnnxSchema::Formal OnnxSchema::input(int i) const {
  return getFormal(get(schema).inputs(), i);
}
OnnxSchema::Formal OnnxSchema::output(int i) const {
  return getFormal(get(schema).outputs(), i);
}

std::optional<onnx::AttributeProto::AttributeType>
OnnxSchema::attributeType(llvm::StringRef name) const {
  const auto &attributes = get(schema).attributes();
  auto it = attributes.find(name.str());
  if (it == attributes.end()) {
    return std::nullopt;
  }
  return it->second.type;
}

std::vector<std::string> OnnxSchema::requiredAttributes() const {
  std::vector<std::string> names;
  for (const auto &[name, attribute] : get(schema).attributes()) {
    if (attribute.required) {
      names.push_back(name);
    }
  }
  return names;
}

static bool hasDefault(const onnx::OpSchema::Attribute &attribute) {
  return attribute.default_value.type() != onnx::AttributeProto::UNDEFINED;
}

const onnx::AttributeProto *OnnxSchema::attributeDefault(llvm::StringRef name) const {
  const auto &attributes = get(schema).attributes();
  auto it = attributes.find(name.str());
  if (it == attributes.end() || !hasDefault(it->second)) {
    return nullptr;
  }
  return &it->second.default_value;
}

void OnnxSchema::addDefaultAttributes(onnx::NodeProto &node) const {
  for (const auto &[name, attribute] : get(schema).attributes()) {
    if (!hasDefault(attribute)) {
      continue;
    }
    bool isSet = std::any_of(node.attribute().begin(), node.attribute().end(),
                             [&, &name = name](const auto &other) { return other.name() == name; });
    if (!isSet) {
      onnx::AttributeProto *added = node.add_attribute();
      *added = attribute.default_value;
      added->set_name(name);
    }
  }
}

bool OnnxSchema::hasFunctionBody(int opset) const {
  const onnx::OpSchema &op = get(schema);
  auto applies = [opset](const std::vector<int> &versions) {
    return std::any_of(versions.begin(), versions.end(),
                       [opset](int version) { return version <= opset; });
  };
  return applies(op.function_opset_versions()) ||
         applies(op.context_dependent_function_opset_versions());
}

llvm::Expected<std::optional<onnx::FunctionProto>>
OnnxSchema::functionBody(const onnx::NodeProto &node, int opset,
                         llvm::ArrayRef<onnx::TypeProto> inputTypes) const {
  const onnx::OpSchema &op = get(schema);
  try {
    onnx::FunctionProto body;
    std::vector<int> contextVersions = op.context_dependent_function_opset_versions();
    bool isContextDependent = std::any_of(contextVersions.begin(), contextVersions.end(),
                                          [opset](int version) { return version <= opset; });
    if (isContextDependent) {
      onnx::FunctionBodyBuildContextImpl context(
          node, std::vector<onnx::TypeProto>(inputTypes.begin(), inputTypes.end()));
      if (!op.BuildContextDependentFunction(context, body, opset)) {
        return std::nullopt;
      }
    } else if (const onnx::FunctionProto *fixed = op.GetFunction(opset, /*validate=*/false)) {
      body = *fixed;
    } else {
      return std::nullopt;
    }
    // Some context-dependent builders leave the formals to the schema.
    if (body.input_size() == 0 && body.output_size() == 0) {
      for (const auto &input : op.inputs()) {
        body.add_input(input.GetName());
      }
      for (const auto &output : op.outputs()) {
        body.add_output(output.GetName());
      }
    }
    return std::optional<onnx::FunctionProto>(std::move(body));
  } catch (const std::exception &error) {
    return makeError(error.what());
  } catch (...) {
    return makeError("unknown exception in the ONNX library");
  }
}

int newestOnnxOpset(llvm::StringRef domain) {
  try {
    const auto &versions = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
    auto it = versions.find(domain.str());
    return it == versions.end() ? 0 : it->second.second;
  } catch (...) {
    return 0;
  }
}

std::vector<OnnxOpName> onnxOpsWithFunctionBody() {
  std::vector<OnnxOpName> names;
  try {
    for (const onnx::OpSchema &op : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
      if (!op.Deprecated() && (op.HasFunction() || op.HasContextDependentFunction())) {
        names.push_back({op.domain(), op.Name(), op.SinceVersion()});
      }
    }
  } catch (...) {
    names.clear();
  }
  return names;
}

llvm::Expected<onnx::ModelProto> parseOnnxText(llvm::StringRef text) {
  try {
    onnx::ModelProto model;
    std::string copy = text.str();
    onnx::OnnxParser parser(copy.c_str());
    onnx::Common::Status status = parser.Parse(model);
    if (!status.IsOK()) {
      return makeError(status.ErrorMessage().c_str());
    }
    if (!parser.EndOfInput()) {
      return makeError("text after the end of the model");
    }
    return model;
  } catch (const std::exception &error) {
    return makeError(error.what());
  } catch (...) {
    return makeError("unknown exception in the ONNX library");
  }
}

} // namespace modelc

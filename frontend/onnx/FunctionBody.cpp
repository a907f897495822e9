// Imports a call of a function: the model's own, or the body that the ONNX
// standard gives an operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Quote.h"
#include "frontend/onnx/GraphImporter.h"
#include "frontend/onnx/TensorData.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

namespace modelc {

onnx::FunctionProto *GraphImporter::findLocalFunction(const onnx::NodeProto &node) {
  return functions.lookup(describeOp(node.domain(), node.op_type()) + "\n" + node.overload());
}

/// The type of `value` for the standard's context-dependent functions.
static onnx::TypeProto typeToOnnx(Value value) {
  onnx::TypeProto proto;
  if (!value) {
    return proto;
  }
  Type given = value.getType();
  auto *tensor = proto.mutable_tensor_type();
  if (auto sequence = dyn_cast<TupleType>(given)) {
    tensor = proto.mutable_sequence_type()->mutable_elem_type()->mutable_tensor_type();
    if (sequence.size() == 0) {
      return proto;
    }
    given = sequence.getType(0);
  }
  auto type = dyn_cast<RankedTensorType>(given);
  if (!type) {
    return onnx::TypeProto();
  }
  tensor->set_elem_type(elementTypeToOnnx(type.getElementType()));
  auto *shape = tensor->mutable_shape();
  for (int64_t extent : type.getShape()) {
    shape->add_dim()->set_dim_value(extent);
  }
  return proto;
}

FailureOr<std::optional<onnx::FunctionProto>>
GraphImporter::expandSchema(const onnx::NodeProto &node, const OnnxSchema &schema, int opset,
                            ValueRange inputs, llvm::StringRef what) {
  llvm::SmallVector<onnx::TypeProto> types;
  for (Value input : inputs) {
    types.push_back(typeToOnnx(input));
  }
  onnx::NodeProto call = node;
  schema.addDefaultAttributes(call);
  llvm::Expected<std::optional<onnx::FunctionProto>> body = schema.functionBody(call, opset, types);
  if (!body) {
    return emitError(fileLocation) << what << ": the ONNX library cannot expand this operator: "
                                   << quoted(llvm::toString(body.takeError()), 300);
  }
  if (*body) {
    // An operator of another domain is written in terms of the standard's
    // own; the model says which version of these.
    OnnxOpsets imports;
    readOnnxOpsets((*body)->opset_import(), imports);
    if (!imports.count("")) {
      auto *import = (*body)->add_opset_import();
      int own = model.opsets.lookup("");
      import->set_version(own ? own : newestOnnxOpset(""));
    }
  }
  return *body;
}

/// Replaces every attribute of `nodes` that refers to one of the call by its
/// value; drops those that the call leaves out.
static void resolveAttributes(OnnxNodes &nodes,
                              const llvm::StringMap<const onnx::AttributeProto *> &actuals) {
  for (onnx::NodeProto &node : nodes) {
    auto &attributes = *node.mutable_attribute();
    for (int i = 0; i < attributes.size();) {
      onnx::AttributeProto &attribute = attributes[i];
      if (attribute.has_g()) {
        resolveAttributes(*attribute.mutable_g()->mutable_node(), actuals);
      }
      for (onnx::GraphProto &graph : *attribute.mutable_graphs()) {
        resolveAttributes(*graph.mutable_node(), actuals);
      }
      if (attribute.ref_attr_name().empty()) {
        ++i;
        continue;
      }
      auto actual = actuals.find(attribute.ref_attr_name());
      if (actual == actuals.end()) {
        attributes.DeleteSubrange(i, 1);
        continue;
      }
      std::string name = attribute.name();
      attribute = *actual->second;
      attribute.set_name(name);
      ++i;
    }
  }
}

LogicalResult GraphImporter::callFunction(onnx::FunctionProto body, const onnx::NodeProto &call,
                                          ValueRange inputs, Scope &scope, const Frame &frame,
                                          Location location, llvm::StringRef what) {
  if (inputs.size() > static_cast<size_t>(body.input_size())) {
    return emitError(fileLocation) << what << ": expected at most " << body.input_size()
                                   << " inputs, got " << inputs.size();
  }
  if (call.output_size() > body.output_size()) {
    return emitError(fileLocation) << what << ": expected at most " << body.output_size()
                                   << " outputs, got " << call.output_size();
  }
  onnx::NodeProto withDefaults = call;
  if (auto schema =
          OnnxSchema::lookup(call.domain(), call.op_type(), frame.opsets->lookup(call.domain()))) {
    schema->addDefaultAttributes(withDefaults);
  }
  llvm::StringMap<const onnx::AttributeProto *> actuals;
  for (const onnx::AttributeProto &attribute : body.attribute_proto()) {
    actuals[attribute.name()] = &attribute;
  }
  for (const onnx::AttributeProto &attribute : withDefaults.attribute()) {
    actuals[attribute.name()] = &attribute;
  }
  resolveAttributes(*body.mutable_node(), actuals);

  // Read tensors are known by their address. Those of this body go away with
  // it, and their addresses may come back as other tensors.
  auto outerTensors = std::exchange(tensors, decltype(tensors)());
  auto restore = llvm::make_scope_exit([&] { tensors = std::move(outerTensors); });
  Scope inner;
  inner.declare(body.value_info(), /*isEmptyShapeOpen=*/true);
  for (auto [i, name] : llvm::enumerate(body.input())) {
    Value value = i < inputs.size() ? inputs[i] : Value();
    if (value) {
      inner.define(name, value);
    } else {
      inner.defineAbsent(name);
    }
  }
  OnnxOpsets opsets;
  readOnnxOpsets(body.opset_import(), opsets);
  // What the function forgets to import is meant as in the model.
  for (const auto &known : model.opsets) {
    opsets.try_emplace(known.getKey(), known.getValue());
  }
  Frame innerFrame{&opsets, frame.depth + 1, what.str(), location};
  if (failed(importNodes(*body.mutable_node(), inner, innerFrame))) {
    return failure();
  }
  for (auto [name, formal] : llvm::zip(call.output(), body.output())) {
    if (name.empty()) {
      continue;
    }
    bool isBroken = false;
    FailureOr<Value> value = lookUp(formal, inner, what, isBroken);
    if (failed(value)) {
      return failure();
    }
    if (*value) {
      if (failed(define(name, *value, scope, what))) {
        return failure();
      }
    } else if (isBroken) {
      scope.defineBroken(name);
    } else {
      return emitError(fileLocation) << what << ": the output " << quoted(formal)
                                     << " is an input that the call leaves out";
    }
  }
  return success();
}

} // namespace modelc

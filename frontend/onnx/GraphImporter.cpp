// Builds the modelc module for an ONNX model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/GraphImporter.h"

#include "frontend/Quote.h"
#include "frontend/onnx/NodeBinder.h"
#include "frontend/onnx/NodeCheck.h"
#include "frontend/onnx/TensorData.h"
#include "ir/ModelcOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace modelc {

/// After this many errors the import stops: more would only be noise.
static constexpr unsigned maxErrors = 20;

GraphImporter::GraphImporter(OnnxModel &model, const ImportOptions &options, MLIRContext &context)
    : model(model), options(options), registry(onnxOps()), builder(&context),
      fileLocation(FileLineColLoc::get(&context, model.fileName, 0, 0)), external(model.folder) {}

Location GraphImporter::locationOf(const onnx::NodeProto &node, int index, const Frame &frame) {
  if (frame.callLocation) {
    return *frame.callLocation;
  }
  Location place = FileLineColLoc::get(&getContext(), model.fileName, index, nodeColumn);
  if (node.name().empty()) {
    return place;
  }
  return NameLoc::get(builder.getStringAttr(node.name()), place);
}

FailureOr<ElementsAttr> GraphImporter::readTensor(onnx::TensorProto &tensor, llvm::StringRef what) {
  ElementsAttr &known = tensors[&tensor];
  if (!known) {
    llvm::Expected<ElementsAttr> value = takeTensor(tensor, external, getContext());
    if (!value) {
      return emitError(fileLocation) << what << ": " << llvm::toString(value.takeError());
    }
    known = *value;
  }
  return known;
}

FailureOr<Value> GraphImporter::lookUp(llvm::StringRef name, Scope &scope, llvm::StringRef what,
                                       bool &isBroken) {
  Scope::Entry &entry = scope.find(name);
  switch (entry.kind) {
  case Scope::Entry::Undefined:
    return emitError(fileLocation) << what << ": no node, input or initializer "
                                   << "defines the value " << quoted(name);
  case Scope::Entry::Broken:
    isBroken = true;
    return Value();
  case Scope::Entry::Absent:
    return Value();
  case Scope::Entry::Present:
    return entry.value;
  case Scope::Entry::Initializer:
    break;
  }
  Location place = NameLoc::get(builder.getStringAttr(name), fileLocation);
  FailureOr<ElementsAttr> value = readTensor(*entry.tensor, what);
  if (failed(value) || failed(checkDeclared(name, value->getType(), scope, what))) {
    entry.kind = Scope::Entry::Broken;
    return failure();
  }
  entry.kind = Scope::Entry::Present;
  return entry.value = createConstant(place, *value);
}

void GraphImporter::enterGraph(onnx::GraphProto &graph, Scope &scope) {
  scope.declare(graph.input(), /*isEmptyShapeOpen=*/false);
  scope.declare(graph.output(), /*isEmptyShapeOpen=*/false);
  scope.declare(graph.value_info(), /*isEmptyShapeOpen=*/true);
  for (onnx::TensorProto &tensor : *graph.mutable_initializer()) {
    scope.define(tensor.name(), tensor);
  }
}

/// Resolves the operands of a node. Returns whether all could be imported.
FailureOr<bool> GraphImporter::bindNodeInputs(const onnx::NodeProto &node, llvm::StringRef what,
                                              Scope &scope, llvm::SmallVectorImpl<Value> &in) {
  bool isBroken = false;
  for (const std::string &name : node.input()) {
    if (name.empty()) {
      in.push_back(Value());
      continue;
    }
    FailureOr<Value> value = lookUp(name, scope, what, isBroken);
    if (failed(value)) {
      return failure();
    }
    in.push_back(*value);
  }
  return !isBroken;
}

/// Whether a node may have operands that are no tensors: its handler looks.
static bool takesSequences(const onnx::NodeProto &node) {
  return node.domain().empty() &&
         llvm::StringSwitch<bool>(node.op_type())
             .Cases("SequenceAt", "SequenceConstruct", "SequenceEmpty", "SequenceErase", true)
             .Cases("SequenceInsert", "SequenceLength", "SequenceMap", true)
             .Cases("SplitToSequence", "ConcatFromSequence", true)
             .Cases("Optional", "OptionalGetElement", "OptionalHasElement", true)
             .Cases("Identity", "If", "Loop", true)
             .Default(false);
}

LogicalResult GraphImporter::importNode(onnx::NodeProto &node, int index, Scope &scope,
                                        const Frame &frame) {
  int opset = frame.opsets->lookup(node.domain());
  std::optional<OnnxSchema> schema = OnnxSchema::lookup(node.domain(), node.op_type(), opset);
  int version = schema ? schema->sinceVersion() : opset;
  Location location = locationOf(node, index, frame);
  std::string what = describeNode(node, index);
  what.back() = ',';
  what += " version " + std::to_string(version) + ")";
  if (!frame.inside.empty()) {
    what = frame.inside + ", inside it " + what;
  }

  onnx::FunctionProto *local = findLocalFunction(node);
  OpRegistry::Handler handler = registry.find(node.domain(), node.op_type(), version);
  bool hasBody = schema && schema->hasFunctionBody(opset);
  bool isUnsupported = !local && !handler && !hasBody;

  llvm::SmallVector<Value> inputs;
  FailureOr<bool> isComplete = bindNodeInputs(node, what, scope, inputs);
  if (failed(isComplete)) {
    return failure();
  }
  if (isUnsupported || !*isComplete) {
    collectUnsupported(node, index, *frame.opsets, frame.depth);
    for (const std::string &output : node.output()) {
      scope.defineBroken(output);
    }
    return success();
  }
  if (schema && !local) {
    std::string problem = checkNode(node, *schema);
    for (unsigned i = 0; i < inputs.size() && problem.empty(); ++i) {
      // The name may stand for an input that the call of a function left out.
      if (!inputs[i] && !schema->input(i).isOptional) {
        problem = "input " + std::to_string(i) + " (" + quoted(schema->input(i).name) +
                  ") must not be left out";
      }
    }
    if (!problem.empty()) {
      return emitError(fileLocation) << what << ": " << problem;
    }
  }
  if (local) {
    return callFunction(*local, node, inputs, scope, frame, location, what);
  }
  if (!handler) {
    FailureOr<std::optional<onnx::FunctionProto>> body =
        expandSchema(node, *schema, opset, inputs, what);
    if (failed(body)) {
      return failure();
    }
    if (!*body) {
      unsupported.add(node, index, version);
      for (const std::string &output : node.output()) {
        scope.defineBroken(output);
      }
      return success();
    }
    return callFunction(std::move(**body), node, inputs, scope, frame, location, what);
  }
  if (!takesSequences(node) &&
      llvm::any_of(inputs, [](Value v) { return v && !isa<RankedTensorType>(v.getType()); })) {
    return emitError(fileLocation) << what << ": unsupported operand, expected tensors";
  }
  auto checkElement = [&](Value value) -> LogicalResult {
    auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : nullptr;
    if (type && !isComputable(type.getElementType())) {
      return emitError(fileLocation) << what << ": unsupported element type "
                                     << onnxTypeName(elementTypeToOnnx(type.getElementType()));
    }
    return success();
  };
  if (llvm::any_of(inputs, [&](Value v) { return failed(checkElement(v)); })) {
    return failure();
  }
  NodeBinder binder(*this, node, what, location, schema, version, inputs, scope, frame);
  if (failed(handler(binder)) || binder.hasFailed() ||
      llvm::any_of(binder.getResults(), [&](Value v) { return failed(checkElement(v)); })) {
    return failure();
  }
  for (auto [name, value] : llvm::zip(node.output(), binder.getResults())) {
    if (name.empty()) {
      continue;
    }
    if (!value) {
      return emitError(fileLocation) << what << ": unsupported result " << quoted(name);
    }
    if (failed(define(name, value, scope, what))) {
      return failure();
    }
  }
  return success();
}

LogicalResult GraphImporter::countNode() {
  if (++nodeCount <= options.limits.nodes) {
    return success();
  }
  ++errorCount;
  return emitError(fileLocation) << "the model has more than " << options.limits.nodes
                                 << " nodes after its functions and loops are expanded";
}

LogicalResult GraphImporter::importNodes(OnnxNodes &nodes, Scope &scope, const Frame &frame) {
  if (frame.depth > options.limits.depth) {
    return emitError(fileLocation) << "subgraphs and function calls are nested more than "
                                   << options.limits.depth << " deep";
  }
  FailureOr<std::vector<int>> order = topologicalOrder(nodes, fileLocation);
  if (failed(order)) {
    return failure();
  }
  for (int index : *order) {
    if (failed(countNode())) {
      return failure();
    }
    onnx::NodeProto &node = nodes[index];
    if (succeeded(importNode(node, index, scope, frame))) {
      continue;
    }
    // What follows is still worth a look: for more errors, and for the list
    // of unsupported operators.
    if (++errorCount >= maxErrors || nodeCount > options.limits.nodes) {
      return failure();
    }
    for (const std::string &output : node.output()) {
      scope.defineBroken(output);
    }
  }
  return success();
}

LogicalResult GraphImporter::inlineGraph(onnx::GraphProto &graph, Scope &outer, const Frame &frame,
                                         ValueRange inputs, llvm::SmallVectorImpl<Value> &results) {
  // A graph without nodes takes time too, if it is the body of a loop.
  if (failed(countNode())) {
    return failure();
  }
  Scope scope(&outer);
  enterGraph(graph, scope);
  for (auto [i, input] : llvm::enumerate(graph.input())) {
    if (i < inputs.size() &&
        failed(define(input.name(), inputs[i], scope, frame.inside + ", subgraph input"))) {
      return failure();
    }
  }
  if (failed(importNodes(*graph.mutable_node(), scope, frame))) {
    return failure();
  }
  for (const onnx::ValueInfoProto &output : graph.output()) {
    bool isBroken = false;
    FailureOr<Value> value =
        lookUp(output.name(), scope, frame.inside + ", subgraph output", isBroken);
    if (failed(value) || isBroken) {
      return failure();
    }
    if (!*value) {
      return emitError(fileLocation)
             << frame.inside << ": subgraph output " << quoted(output.name())
             << " is an input of a function that a call leaves out";
    }
    results.push_back(*value);
  }
  return success();
}

LogicalResult GraphImporter::finishFunction(ModuleOp module, Scope &scope,
                                            llvm::ArrayRef<std::string> args) {
  auto function = *module.getOps<func::FuncOp>().begin();
  llvm::SmallVector<Value> results;
  for (const onnx::ValueInfoProto &output : model.proto.graph().output()) {
    // A missing value may be a node's that was refused.
    if (errorCount != 0 && scope.find(output.name()).kind == Scope::Entry::Undefined) {
      continue;
    }
    bool isBroken = false;
    FailureOr<Value> value = lookUp(output.name(), scope, "model output", isBroken);
    if (failed(value)) {
      return failure();
    }
    if (isBroken) {
      continue;
    }
    if (!*value || !isa<RankedTensorType>((*value).getType())) {
      return emitError(fileLocation)
             << "model output " << quoted(output.name()) << ": unsupported type, expected a tensor";
    }
    Type element = cast<RankedTensorType>((*value).getType()).getElementType();
    if (!isComputable(element)) {
      return emitError(fileLocation) << "model output " << quoted(output.name())
                                     << ": unsupported element type " << element;
    }
    results.push_back(*value);
  }
  if (!unsupported.empty()) {
    unsupported.report(fileLocation);
    return failure();
  }
  if (errorCount != 0) {
    return failure();
  }
  if (results.empty()) {
    return emitError(fileLocation, "the model has no output");
  }
  builder.create<func::ReturnOp>(fileLocation, results);
  // Operands that became attributes, and steps of what was folded.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.getBody().front()))) {
    if (isOpTriviallyDead(&op)) {
      op.erase();
    }
  }
  function.setType(
      builder.getFunctionType(function.getArgumentTypes(), ValueRange(results).getTypes()));
  for (auto [i, name] : llvm::enumerate(args)) {
    function.setArgAttr(i, "modelc.name", builder.getStringAttr(name));
  }
  for (auto [i, output] : llvm::enumerate(model.proto.graph().output())) {
    function.setResultAttr(i, "modelc.name", builder.getStringAttr(output.name()));
  }
  return verify(module);
}

FailureOr<OwningOpRef<ModuleOp>> GraphImporter::run() {
  getContext().loadDialect<ModelcDialect, func::FuncDialect>();
  for (onnx::FunctionProto &function : *model.proto.mutable_functions()) {
    functions[describeOp(function.domain(), function.name()) + "\n" + function.overload()] =
        &function;
  }
  OwningOpRef<ModuleOp> module = ModuleOp::create(fileLocation);
  (*module)->setAttr("modelc.source", builder.getStringAttr(model.fileName));
  Scope scope;
  onnx::GraphProto &graph = *model.proto.mutable_graph();
  if (graph.sparse_initializer_size() != 0) {
    return emitError(fileLocation, "unsupported sparse initializer");
  }
  enterGraph(graph, scope);
  builder.setInsertionPointToEnd(module->getBody());
  auto function =
      builder.create<func::FuncOp>(fileLocation, "main", builder.getFunctionType({}, {}));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  // Inputs that the user fixes become constants in the function.
  llvm::SmallVector<Type> types;
  if (failed(bindInputs(scope, types, inputNames))) {
    return failure();
  }
  function.setType(builder.getFunctionType(types, {}));
  for (Type type : types) {
    entry->addArgument(type, fileLocation);
  }
  for (auto [name, argument] : llvm::zip(inputNames, entry->getArguments())) {
    if (failed(define(name, argument, scope, "model input"))) {
      return failure();
    }
  }
  Frame frame{&model.opsets};
  if (failed(importNodes(*graph.mutable_node(), scope, frame))) {
    if (!unsupported.empty()) {
      unsupported.report(fileLocation);
    }
    return failure();
  }
  if (failed(finishFunction(*module, scope, inputNames))) {
    return failure();
  }
  std::vector<std::string> files = external.locations();
  if (!files.empty()) {
    llvm::SmallVector<llvm::StringRef> names(files.begin(), files.end());
    (*module)->setAttr("modelc.external_files", builder.getStrArrayAttr(names));
  }
  return module;
}

} // namespace modelc

// One ONNX node, as its handler sees it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/onnx/NodeBinder.h"

#include "frontend/Quote.h"
#include "frontend/TensorBytes.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using onnx::AttributeProto;

namespace modelc {

NodeBinder::NodeBinder(GraphImporter &importer, onnx::NodeProto &node, std::string description,
                       Location location, std::optional<OnnxSchema> schema, int version,
                       llvm::ArrayRef<Value> inputs, Scope &scope, const Frame &frame)
    : importer(importer), node(node), description(std::move(description)), location(location),
      schema(schema), opVersion(version), inputs(inputs), scope(scope), frame(frame),
      results(node.output_size()) {}

LogicalResult NodeBinder::error(const llvm::Twine &message) {
  // What follows from a fault would only hide it.
  if (isFailed) {
    return failure();
  }
  isFailed = true;
  return emitError(importer.getFileLocation()) << description << ": " << message;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

const AttributeProto *NodeBinder::findAttr(llvm::StringRef name) const {
  for (const AttributeProto &attribute : node.attribute()) {
    if (attribute.name() == name) {
      return &attribute;
    }
  }
  return nullptr;
}

static std::string typeName(AttributeProto::AttributeType type) {
  return llvm::StringRef(AttributeProto::AttributeType_Name(type)).lower();
}

LogicalResult NodeBinder::attrError(llvm::StringRef name, const llvm::Twine &expected,
                                    const llvm::Twine &got) {
  return error("attribute " + quoted(name) + ": expected " + expected + ", got " + got);
}

const AttributeProto *NodeBinder::typedAttr(llvm::StringRef name,
                                            AttributeProto::AttributeType type) {
  const AttributeProto *attribute = findAttr(name);
  if (!attribute) {
    attribute = schema ? schema->attributeDefault(name) : nullptr;
  }
  if (attribute && attribute->type() != type) {
    (void)attrError(name, typeName(type), typeName(attribute->type()));
    return nullptr;
  }
  return attribute;
}

int64_t NodeBinder::intAttr(llvm::StringRef name, int64_t otherwise) {
  const AttributeProto *attribute = typedAttr(name, AttributeProto::INT);
  return attribute ? attribute->i() : otherwise;
}

double NodeBinder::floatAttr(llvm::StringRef name, double otherwise) {
  const AttributeProto *attribute = typedAttr(name, AttributeProto::FLOAT);
  return attribute ? attribute->f() : otherwise;
}

std::string NodeBinder::stringAttr(llvm::StringRef name, llvm::StringRef otherwise) {
  const AttributeProto *attribute = typedAttr(name, AttributeProto::STRING);
  return attribute ? attribute->s() : otherwise.str();
}

llvm::SmallVector<int64_t> NodeBinder::intsAttr(llvm::StringRef name) {
  const AttributeProto *attribute = typedAttr(name, AttributeProto::INTS);
  if (!attribute) {
    return {};
  }
  return llvm::to_vector(llvm::map_range(attribute->ints(), [](int64_t value) { return value; }));
}

llvm::SmallVector<double> NodeBinder::floatsAttr(llvm::StringRef name) {
  const AttributeProto *attribute = typedAttr(name, AttributeProto::FLOATS);
  if (!attribute) {
    return {};
  }
  return llvm::SmallVector<double>(attribute->floats().begin(), attribute->floats().end());
}

std::vector<std::string> NodeBinder::stringsAttr(llvm::StringRef name) {
  const AttributeProto *attribute = typedAttr(name, AttributeProto::STRINGS);
  if (!attribute) {
    return {};
  }
  return {attribute->strings().begin(), attribute->strings().end()};
}

FailureOr<ElementsAttr> NodeBinder::tensorAttr(llvm::StringRef name) {
  for (AttributeProto &attribute : *node.mutable_attribute()) {
    if (attribute.name() == name && attribute.has_t()) {
      FailureOr<ElementsAttr> value =
          importer.readTensor(*attribute.mutable_t(), description + ": attribute " + quoted(name));
      isFailed |= failed(value);
      return value;
    }
  }
  return error("attribute " + quoted(name) + " is missing");
}

onnx::GraphProto *NodeBinder::graphAttr(llvm::StringRef name) {
  for (AttributeProto &attribute : *node.mutable_attribute()) {
    if (attribute.name() == name && attribute.has_g()) {
      return attribute.mutable_g();
    }
  }
  return nullptr;
}

FailureOr<unsigned> NodeBinder::choiceAttr(llvm::StringRef name,
                                           llvm::ArrayRef<llvm::StringRef> choices,
                                           llvm::StringRef otherwise) {
  std::string value = stringAttr(name, otherwise);
  const auto *found = llvm::find(choices, value);
  if (found == choices.end()) {
    return attrError(name, "one of " + llvm::join(choices, ", "), quoted(value));
  }
  return static_cast<unsigned>(found - choices.begin());
}

FailureOr<int64_t> NodeBinder::normalizeAxis(int64_t axis, int64_t rank, llvm::StringRef what) {
  if (axis < -rank || axis >= rank) {
    return error(what + " " + llvm::Twine(axis) + " is out of range for a tensor of rank " +
                 llvm::Twine(rank));
  }
  return axis < 0 ? axis + rank : axis;
}

FailureOr<llvm::SmallVector<int64_t>>
NodeBinder::normalizeAxes(llvm::ArrayRef<int64_t> axes, int64_t rank, llvm::StringRef what) {
  llvm::SmallVector<int64_t> result;
  for (int64_t axis : axes) {
    FailureOr<int64_t> normal = normalizeAxis(axis, rank, what);
    if (failed(normal)) {
      return failure();
    }
    result.push_back(*normal);
  }
  llvm::sort(result);
  if (std::adjacent_find(result.begin(), result.end()) != result.end()) {
    return error(what + " names a dimension twice");
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

bool NodeBinder::canBuild(ValueRange operands) const {
  return !isFailed && llvm::all_of(operands, [](Value value) { return value != nullptr; });
}

llvm::SmallVector<Value> NodeBinder::finish(llvm::function_ref<Operation *()> build) {
  // What inference and verifiers say is about an operation that the user
  // never wrote: put the node in front.
  std::string messages;
  Operation *op = nullptr;
  {
    ScopedDiagnosticHandler collect(context(), [&](Diagnostic &diagnostic) {
      messages += (messages.empty() ? "" : "; ") + diagnostic.str();
    });
    op = build();
    if (op && failed(verify(op, /*verifyRecursively=*/false))) {
      op->erase();
      op = nullptr;
    }
  }
  if (!op) {
    (void)error(messages.empty() ? "invalid operands" : messages);
    return llvm::SmallVector<Value>(maxResults);
  }
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    std::optional<uint64_t> bytes;
    if (tensor) {
      bytes = storedBytes(tensor.getShape(), tensor.getElementType());
    }
    if (!bytes || *bytes > importer.getOptions().limits.tensorBytes) {
      op->erase();
      (void)error("a result exceeds the limit for the size of a tensor");
      return llvm::SmallVector<Value>(maxResults);
    }
  }
  return importer.foldOrKeep(op, importer.getOptions().limits.foldBytes);
}

Value NodeBinder::constant(ElementsAttr value) {
  return isFailed ? Value() : importer.createConstant(location, value);
}

Value NodeBinder::constantVector(llvm::ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                    importer.getBuilder().getI64Type());
  return constant(DenseElementsAttr::get(type, values));
}

Value NodeBinder::splat(Type elementType, double value, llvm::ArrayRef<int64_t> shape) {
  Attribute element;
  if (auto floatType = dyn_cast<FloatType>(elementType)) {
    element = FloatAttr::get(floatType, value);
  } else {
    auto integer = llvm::cast<IntegerType>(elementType);
    element = IntegerAttr::get(
        integer, llvm::APInt(integer.getWidth(), static_cast<uint64_t>(static_cast<int64_t>(value)),
                             /*isSigned=*/true));
  }
  auto type = RankedTensorType::get(shape, elementType);
  return constant(DenseElementsAttr::get(type, element));
}

Value NodeBinder::reshape(Value value, llvm::ArrayRef<int64_t> shape) {
  if (value && shapeOf(value) == shape) {
    return value;
  }
  return create<ReshapeOp>(value, named("shape", shape));
}

Value NodeBinder::cast(Value value, Type elementType) {
  if (value && typeOf(value).getElementType() == elementType) {
    return value;
  }
  return create<CastOp>(value, named("to", elementType));
}

Value NodeBinder::transpose(Value value, llvm::ArrayRef<int64_t> permutation) {
  return create<TransposeOp>(value, named("permutation", permutation));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

LogicalResult NodeBinder::setResult(unsigned i, Value value) {
  if (!value || isFailed) {
    if (!isFailed) {
      return error("operand missing");
    }
    return failure();
  }
  if (i < results.size()) {
    results[i] = value;
  }
  return success();
}

LogicalResult NodeBinder::setResults(ValueRange values) {
  for (auto [i, value] : llvm::enumerate(values)) {
    if (failed(setResult(i, value))) {
      return failure();
    }
  }
  return success();
}

LogicalResult NodeBinder::inlineGraph(llvm::StringRef name, ValueRange args,
                                      llvm::SmallVectorImpl<Value> &out) {
  onnx::GraphProto *graph = graphAttr(name);
  if (!graph) {
    return error("attribute " + quoted(name) + " is missing");
  }
  Frame inner = frame;
  ++inner.depth;
  inner.inside = description;
  LogicalResult result = importer.inlineGraph(*graph, scope, inner, args, out);
  isFailed |= failed(result);
  return result;
}

} // namespace modelc

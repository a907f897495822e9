// One ONNX node, as its handler sees it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_FRONTEND_ONNX_NODEBINDER_H
#define MODELC_FRONTEND_ONNX_NODEBINDER_H

#include "frontend/onnx/GraphImporter.h"
#include "ir/ModelcOps.h"

#include <type_traits>

namespace modelc {

/// Reads attributes and operands of a node and builds what it means.
///
/// Errors stick: after one, `create` builds nothing and returns null values,
/// and the import of the node fails. A handler therefore checks only what it
/// computes with itself. Every message names node, operator and version.
class NodeBinder {
public:
  NodeBinder(GraphImporter &importer, onnx::NodeProto &node, std::string description,
             mlir::Location location, std::optional<OnnxSchema> schema, int version,
             llvm::ArrayRef<mlir::Value> inputs, Scope &scope, const Frame &frame);

  /// The since-version of the operator's definition that is in force.
  int version() const { return opVersion; }
  llvm::StringRef opType() const { return node.op_type(); }
  mlir::Location loc() const { return location; }
  mlir::MLIRContext *context() const { return &importer.getContext(); }
  GraphImporter &getImporter() { return importer; }

  /// Reports an error, the node's first one only; returns failure.
  mlir::LogicalResult error(const llvm::Twine &message);
  bool hasFailed() const { return isFailed; }

  // Operands.

  unsigned numInputs() const { return inputs.size(); }
  bool hasInput(unsigned i) const { return i < inputs.size() && inputs[i]; }
  /// The i-th operand; null if it is left out (the schema was checked: a
  /// required operand is there).
  mlir::Value input(unsigned i) const { return i < inputs.size() ? inputs[i] : mlir::Value(); }
  llvm::ArrayRef<mlir::Value> allInputs() const { return inputs; }
  mlir::RankedTensorType type(unsigned i) const { return typeOf(inputs[i]); }
  static mlir::RankedTensorType typeOf(mlir::Value value) {
    return llvm::cast<mlir::RankedTensorType>(value.getType());
  }
  static llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) { return typeOf(value).getShape(); }
  llvm::ArrayRef<int64_t> shape(unsigned i) const { return type(i).getShape(); }
  int64_t rank(unsigned i) const { return type(i).getRank(); }
  mlir::Type elementType(unsigned i) const { return type(i).getElementType(); }
  /// "input 1 ('W')".
  std::string describeInput(unsigned i) const;

  // Operands that have to be known at compile time: lists have rank 1, single
  // numbers any shape of one element and at most rank 1.

  mlir::FailureOr<llvm::SmallVector<int64_t>> constantInts(unsigned i) { return intsOfRank(i, 1); }
  mlir::FailureOr<llvm::SmallVector<double>> constantFloats(unsigned i) {
    return floatsOfRank(i, 1);
  }
  /// A list of axes. Exporters write a single one as a scalar, too.
  mlir::FailureOr<llvm::SmallVector<int64_t>> constantAxes(unsigned i) { return intsOfRank(i, 0); }
  mlir::FailureOr<int64_t> constantInt(unsigned i);
  mlir::FailureOr<double> constantFloat(unsigned i);
  mlir::FailureOr<mlir::ElementsAttr> constantInput(unsigned i);
  /// Integers that attribute `name` holds in old versions and operand `i`
  /// from version `inputSince` on.
  mlir::FailureOr<llvm::SmallVector<int64_t>> intsFrom(llvm::StringRef name, unsigned i,
                                                       int inputSince) {
    return version() < inputSince ? intsAttr(name) : constantInts(i);
  }
  mlir::FailureOr<llvm::SmallVector<int64_t>> axesFrom(unsigned i, int inputSince) {
    return version() < inputSince ? intsAttr("axes") : constantAxes(i);
  }

  // Attributes. Types were checked against the schema; an operator without
  // one gets its checks here. The default of the schema comes first.

  bool hasAttr(llvm::StringRef name) const { return findAttr(name); }
  int64_t intAttr(llvm::StringRef name, int64_t otherwise = 0);
  double floatAttr(llvm::StringRef name, double otherwise = 0);
  std::string stringAttr(llvm::StringRef name, llvm::StringRef otherwise = "");
  /// Empty if left out.
  llvm::SmallVector<int64_t> intsAttr(llvm::StringRef name);
  llvm::SmallVector<double> floatsAttr(llvm::StringRef name);
  std::vector<std::string> stringsAttr(llvm::StringRef name);
  mlir::FailureOr<mlir::ElementsAttr> tensorAttr(llvm::StringRef name);
  /// Null if left out.
  onnx::GraphProto *graphAttr(llvm::StringRef name);
  /// A boolean that ONNX spells as 0 or 1.
  bool flagAttr(llvm::StringRef name, bool otherwise = false) {
    return intAttr(name, otherwise) != 0;
  }
  /// Attribute `name` must be one of `choices`; returns its position.
  mlir::FailureOr<unsigned> choiceAttr(llvm::StringRef name,
                                       llvm::ArrayRef<llvm::StringRef> choices,
                                       llvm::StringRef otherwise = "");
  mlir::LogicalResult attrError(llvm::StringRef name, const llvm::Twine &expected,
                                const llvm::Twine &got);

  /// An axis in 0 .. rank-1 from one that may count from the end.
  mlir::FailureOr<int64_t> normalizeAxis(int64_t axis, int64_t rank, llvm::StringRef what = "axis");
  /// Distinct axes, each normalized, in ascending order.
  mlir::FailureOr<llvm::SmallVector<int64_t>>
  normalizeAxes(llvm::ArrayRef<int64_t> axes, int64_t rank, llvm::StringRef what = "axes");

  // Building.

  template <typename T> mlir::NamedAttribute named(llvm::StringRef name, const T &value) {
    mlir::Builder &b = importer.getBuilder();
    if constexpr (std::is_same_v<T, bool>) {
      return b.getNamedAttr(name, b.getBoolAttr(value));
    } else if constexpr (std::is_integral_v<T>) {
      return b.getNamedAttr(name, b.getI64IntegerAttr(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      return b.getNamedAttr(name, b.getF64FloatAttr(value));
    } else if constexpr (std::is_base_of_v<mlir::Type, T>) {
      return b.getNamedAttr(name, mlir::TypeAttr::get(value));
    } else if constexpr (std::is_base_of_v<mlir::Attribute, T>) {
      return b.getNamedAttr(name, value);
    } else {
      return b.getNamedAttr(name, b.getDenseI64ArrayAttr(llvm::ArrayRef(value)));
    }
  }
  mlir::NamedAttribute unit(llvm::StringRef name) {
    return importer.getBuilder().getNamedAttr(name, importer.getBuilder().getUnitAttr());
  }

  /// Builds `OpTy` with inferred result types and verifies it. The results are
  /// constants if they can be computed and are small. After an error, or if
  /// an operand is null, builds nothing and returns null values.
  template <typename OpTy>
  llvm::SmallVector<mlir::Value> createAll(mlir::ValueRange operands,
                                           llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    if (!canBuild(operands)) {
      return llvm::SmallVector<mlir::Value>(maxResults);
    }
    return finish([&]() -> mlir::Operation * {
      mlir::FailureOr<OpTy> op =
          createInferred<OpTy>(importer.getBuilder(), location, operands, attributes);
      return mlir::failed(op) ? nullptr : op->getOperation();
    });
  }
  template <typename OpTy>
  mlir::Value create(mlir::ValueRange operands,
                     llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return createAll<OpTy>(operands, attributes)[0];
  }

  mlir::Value constant(mlir::ElementsAttr value);
  /// An i64 tensor of rank 1.
  mlir::Value constantVector(llvm::ArrayRef<int64_t> values);
  /// A tensor of any element type with all elements equal.
  mlir::Value splat(mlir::Type elementType, double value, llvm::ArrayRef<int64_t> shape = {});
  // The two most common rearrangements.
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value cast(mlir::Value value, mlir::Type elementType);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation);

  // Results.

  unsigned numOutputs() const { return node.output_size(); }
  /// Whether anybody may read the i-th result.
  bool hasOutput(unsigned i) const { return i < numOutputs() && !node.output(i).empty(); }
  /// Sets the i-th result; fails if `value` is null.
  mlir::LogicalResult setResult(unsigned i, mlir::Value value);
  /// Sets results from the first on, as many as the node has.
  mlir::LogicalResult setResults(mlir::ValueRange values);
  llvm::ArrayRef<mlir::Value> getResults() const { return results; }

  /// Imports the graph in attribute `name` in place.
  mlir::LogicalResult inlineGraph(llvm::StringRef name, mlir::ValueRange args,
                                  llvm::SmallVectorImpl<mlir::Value> &out);

private:
  // No operation has more results; null results come in this number.
  static constexpr unsigned maxResults = 3;

  std::string describeUnknown(unsigned i);
  /// A constant operand of a rank from `least` to `most`.
  mlir::FailureOr<mlir::ElementsAttr> constantOfRank(unsigned i, int64_t least, int64_t most);
  mlir::FailureOr<llvm::SmallVector<int64_t>> intsOfRank(unsigned i, int64_t least);
  mlir::FailureOr<llvm::SmallVector<double>> floatsOfRank(unsigned i, int64_t least);

  const onnx::AttributeProto *findAttr(llvm::StringRef name) const;
  /// The attribute or its default, if it has type `type`; else null.
  const onnx::AttributeProto *typedAttr(llvm::StringRef name,
                                        onnx::AttributeProto::AttributeType type);
  bool canBuild(mlir::ValueRange operands) const;
  llvm::SmallVector<mlir::Value> finish(llvm::function_ref<mlir::Operation *()> build);

  GraphImporter &importer;
  onnx::NodeProto &node;
  std::string description;
  mlir::Location location;
  std::optional<OnnxSchema> schema;
  int opVersion;
  llvm::ArrayRef<mlir::Value> inputs;
  Scope &scope;
  const Frame &frame;
  llvm::SmallVector<mlir::Value> results;
  bool isFailed = false;
};

} // namespace modelc

#endif // MODELC_FRONTEND_ONNX_NODEBINDER_H

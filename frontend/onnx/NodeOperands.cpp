// Operands of an ONNX node that have to be known at compile time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Quote.h"
#include "frontend/onnx/NodeBinder.h"
#include "ir/ConstantData.h"

using namespace mlir;

namespace modelc {

std::string NodeBinder::describeInput(unsigned i) const {
  std::string text = "input " + std::to_string(i);
  if (schema && static_cast<int>(i) < schema->maxInputs()) {
    text += " (" + quoted(schema->input(i).name) + ")";
  }
  return text;
}

FailureOr<ElementsAttr> NodeBinder::constantInput(unsigned i) {
  if (!hasInput(i)) {
    return error(describeInput(i) + " is missing");
  }
  if (ElementsAttr value = importer.requireConstant(inputs[i])) {
    return value;
  }
  return error(describeUnknown(i));
}

/// Tells of operand `i` and of all others that have to be known and are not.
std::string NodeBinder::describeUnknown(unsigned i) {
  std::string text = describeInput(i);
  llvm::SmallVector<Value> unknown = {inputs[i]};
  for (unsigned other : shapeOperands(opType())) {
    if (other != i && hasInput(other) && isa<RankedTensorType>(inputs[other].getType()) &&
        !importer.requireConstant(inputs[other])) {
      text += " and " + describeInput(other);
      unknown.push_back(inputs[other]);
    }
  }
  return text + " must be known at compile time" + importer.describeSources(unknown);
}

FailureOr<ElementsAttr> NodeBinder::constantOfRank(unsigned i, int64_t least, int64_t most) {
  FailureOr<ElementsAttr> value = constantInput(i);
  if (failed(value)) {
    return failure();
  }
  int64_t rank = value->getShapedType().getRank();
  if (rank < least || rank > most) {
    return error(describeInput(i) + ": expected rank " +
                 (least == most ? "" : std::to_string(least) + " or ") + std::to_string(most) +
                 ", got " + std::to_string(rank));
  }
  return value;
}

FailureOr<llvm::SmallVector<int64_t>> NodeBinder::intsOfRank(unsigned i, int64_t least) {
  FailureOr<ElementsAttr> value = constantOfRank(i, least, 1);
  if (failed(value)) {
    return failure();
  }
  std::optional<llvm::SmallVector<int64_t>> ints = constantIntegers(*value);
  if (!ints) {
    return error(describeInput(i) + " must hold integers");
  }
  return *ints;
}

FailureOr<int64_t> NodeBinder::constantInt(unsigned i) {
  FailureOr<llvm::SmallVector<int64_t>> values = intsOfRank(i, 0);
  if (failed(values)) {
    return failure();
  }
  if (values->size() != 1) {
    return error(describeInput(i) + " must have one element, got " + llvm::Twine(values->size()));
  }
  return values->front();
}

FailureOr<double> NodeBinder::constantFloat(unsigned i) {
  FailureOr<llvm::SmallVector<double>> values = floatsOfRank(i, 0);
  if (failed(values)) {
    return failure();
  }
  if (values->size() != 1) {
    return error(describeInput(i) + " must have one element, got " + llvm::Twine(values->size()));
  }
  return values->front();
}

FailureOr<llvm::SmallVector<double>> NodeBinder::floatsOfRank(unsigned i, int64_t least) {
  FailureOr<ElementsAttr> value = constantOfRank(i, least, 1);
  if (failed(value)) {
    return failure();
  }
  auto type = llvm::cast<RankedTensorType>(value->getType());
  auto floatType = dyn_cast<FloatType>(type.getElementType());
  if (!floatType) {
    return error(describeInput(i) + " must hold floats");
  }
  std::vector<char> bytes(storageBytes(llvm::cast<ShapedType>(type)));
  copyConstant(*value, bytes);
  unsigned width = elementStorageBytes(floatType);
  llvm::SmallVector<double> floats;
  for (size_t at = 0; at + width <= bytes.size(); at += width) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + at, width);
    llvm::APFloat number(floatType.getFloatSemantics(), llvm::APInt(floatType.getWidth(), bits));
    bool losesInfo;
    number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    floats.push_back(number.convertToDouble());
  }
  return floats;
}

} // namespace modelc

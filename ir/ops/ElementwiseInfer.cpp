//===- ElementwiseInfer.cpp - result types of elementwise ops -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ops/Infer.h"

using namespace mlir;

FailureOr<SmallVector<int64_t>> modelc::broadcastShapes(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  SmallVector<int64_t> result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < result.size(); ++i) {
    int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) {
      return failure();
    }
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  return result;
}

LogicalResult modelc::inferElementwise(std::optional<Location> location, ValueRange operands,
                                       DictionaryAttr attributes, ElementRule rule,
                                       SmallVectorImpl<Type> &inferredReturnTypes) {
  SmallVector<int64_t> shape;
  for (Value operand : operands) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type) {
      return emitOptionalError(location, "expected ranked tensors");
    }
    // C1
    auto joined = broadcastShapes(shape, type.getShape());
    if (failed(joined)) {
      return emitOptionalError(location, "expected shapes that broadcast, got [", shape, "] and [",
                               type.getShape(), "]");
    }
    shape = *joined;
  }
  if (failed(checkShape(location, shape))) {
    return failure();
  }
  auto elementOf = [&](unsigned i) { return getElementTypeOrSelf(operands[i].getType()); };
  // C2: the operands with these numbers have the same element type.
  SmallVector<unsigned, 3> same;
  Type element;
  switch (rule) {
  case ElementRule::sameElement:
    element = elementOf(0);
    same = llvm::to_vector<3>(llvm::seq<unsigned>(0, operands.size()));
    break;
  case ElementRule::firstElement:
    element = elementOf(0);
    break;
  case ElementRule::boolElement:
    element = IntegerType::get(operands[0].getContext(), 1);
    same = llvm::to_vector<3>(llvm::seq<unsigned>(0, operands.size()));
    break;
  case ElementRule::secondElement:
    element = elementOf(1);
    same = {1, 2};
    break;
  case ElementRule::scaleElement:
    element = elementOf(1);
    same = {0, 2};
    break;
  case ElementRule::zeroPointElement:
    element = elementOf(2);
    break;
  case ElementRule::toElement:
    if (auto to = attributes.getAs<TypeAttr>("to")) {
      element = to.getValue();
    }
    break;
  }
  for (unsigned i : same) {
    if (elementOf(i) != elementOf(same.front())) {
      return emitOptionalError(location, "expected equal element types, got ",
                               elementOf(same.front()), " and ", elementOf(i));
    }
  }
  if (!element || !isa<IntegerType, FloatType>(element)) {
    return emitOptionalError(location, "expected an integer or float type, got ", element);
  }
  inferredReturnTypes.push_back(RankedTensorType::get(shape, element));
  return success();
}

//===- Reducer.cpp - how the elements of a slice are joined ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ops/Reducer.h"
#include "ir/Scalars.h"
#include "ir/ops/LoopHelpers.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace modelc;

Reducer::Reducer(ImplicitLocOpBuilder &b, ReduceOp op, int64_t count, int64_t lanes)
    : b(b), kind(op.getKind()), element(getElementTypeOrSelf(op.getX().getType())),
      isUnsigned(modelc::isUnsigned(op.getX())), count(count), lanes(lanes) {}

Type Reducer::inLanes(Type type) const {
  return lanes == 0 ? type : VectorType::get({lanes}, type);
}

Type Reducer::totalType() const {
  bool isWide = kind == ReduceKind::Mean && isa<IntegerType>(element);
  return inLanes(isWide ? b.getI64Type() : computeType(element));
}

Value Reducer::initial() const {
  switch (kind) {
  case ReduceKind::Max:
    return scalar::lowest(b, totalType(), isUnsigned);
  case ReduceKind::Min:
    return scalar::highest(b, totalType(), isUnsigned);
  case ReduceKind::Prod:
    return scalar::constant(b, totalType(), 1);
  default:
    return scalar::constant(b, totalType(), 0);
  }
}

Value Reducer::combine(Value total, Value x) const {
  switch (kind) {
  case ReduceKind::L1:
    return loops::sum(b, total, scalar::abs(b, x, isUnsigned));
  case ReduceKind::L2:
  case ReduceKind::SumSquare:
    return loops::sumOfProducts(b, total, x, x);
  case ReduceKind::Mean:
    if (isa<IntegerType>(element)) {
      return scalar::add(b, total, scalar::cast(b, x, element, b.getI64Type()));
    }
    return loops::sum(b, total, x);
  default:
    return join(total, x);
  }
}

Value Reducer::join(Value total, Value other) const {
  switch (kind) {
  case ReduceKind::Max:
    return scalar::max(b, total, other, isUnsigned);
  case ReduceKind::Min:
    return scalar::min(b, total, other, isUnsigned);
  case ReduceKind::Prod:
    return scalar::mul(b, total, other);
  default:
    return loops::sum(b, total, other);
  }
}

Value Reducer::finish(Value total) const {
  switch (kind) {
  case ReduceKind::Mean: {
    Value mean = scalar::div(b, total, scalar::constant(b, totalType(), count), isUnsigned);
    return isa<IntegerType>(element) ? scalar::cast(b, mean, b.getI64Type(), element) : mean;
  }
  case ReduceKind::L2:
    return b.create<math::SqrtOp>(total);
  case ReduceKind::LogSum:
    return b.create<math::LogOp>(total);
  default:
    return total;
  }
}

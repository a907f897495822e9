//===- IndexMath.cpp - arithmetic on index values -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ops/IndexMath.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace modelc::indexing {

static std::optional<int64_t> known(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    return constant.getSExtValue();
  }
  return std::nullopt;
}

Value constant(Builder &b, int64_t value) {
  return b.create<arith::ConstantIndexOp>(value);
}

Value add(Builder &b, Value x, Value y) {
  auto a = known(x), c = known(y);
  if (a && c) {
    return constant(b, *a + *c);
  }
  if (a && *a == 0) {
    return y;
  }
  if (c && *c == 0) {
    return x;
  }
  return b.create<arith::AddIOp>(x, y);
}

Value add(Builder &b, Value x, int64_t y) {
  return y == 0 ? x : add(b, x, constant(b, y));
}

Value sub(Builder &b, Value x, Value y) {
  auto a = known(x), c = known(y);
  if (a && c) {
    return constant(b, *a - *c);
  }
  if (c && *c == 0) {
    return x;
  }
  return b.create<arith::SubIOp>(x, y);
}

Value mul(Builder &b, Value x, int64_t y) {
  if (y == 1) {
    return x;
  }
  if (auto a = known(x)) {
    return constant(b, *a * y);
  }
  return b.create<arith::MulIOp>(x, constant(b, y));
}

Value div(Builder &b, Value x, int64_t y) {
  if (y == 1) {
    return x;
  }
  if (auto a = known(x)) {
    return constant(b, *a / y);
  }
  return b.create<arith::DivUIOp>(x, constant(b, y));
}

Value rem(Builder &b, Value x, int64_t y) {
  if (y == 1) {
    return constant(b, 0);
  }
  if (auto a = known(x)) {
    return constant(b, *a % y);
  }
  return b.create<arith::RemUIOp>(x, constant(b, y));
}

Value less(Builder &b, Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, x, y);
}

Value select(Builder &b, Value condition, Value x, Value y) {
  return b.createOrFold<arith::SelectOp>(condition, x, y);
}

Value linearize(Builder &b, ValueRange indices, ArrayRef<int64_t> shape) {
  Value position = constant(b, 0);
  for (auto [i, extent] : llvm::zip(indices, shape)) {
    position = add(b, mul(b, position, extent), i);
  }
  return position;
}

SmallVector<Value> delinearize(Builder &b, Value position, ArrayRef<int64_t> shape) {
  SmallVector<Value> indices(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    // Empty tensors have no position; any divisor other than 0 will do.
    int64_t extent = std::max<int64_t>(shape[d], 1);
    indices[d] = d == 0 ? position : rem(b, position, extent);
    position = d == 0 ? position : div(b, position, extent);
  }
  return indices;
}

Value fromModel(Builder &b, KernelIO &io, Value value, int64_t extent) {
  // An extent beyond the index's type is compared with, and added to, in a wider one.
  if (!llvm::isIntN(value.getType().getIntOrFloatBitWidth(), extent)) {
    value = b.create<arith::ExtSIOp>(b.getI64Type(), value);
  }
  Type type = value.getType();
  auto integer = [&](int64_t v) -> Value {
    return b.create<arith::ConstantOp>(b.getIntegerAttr(type, v));
  };
  Value zero = integer(0), last = integer(std::max<int64_t>(extent - 1, 0));
  Value negative = b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, value, zero);
  Value wrapped =
      b.create<arith::SelectOp>(negative, b.create<arith::AddIOp>(value, integer(extent)), value);
  Value low = b.create<arith::CmpIOp>(arith::CmpIPredicate::slt, wrapped, zero);
  Value high = b.create<arith::CmpIOp>(arith::CmpIPredicate::sgt, wrapped, last);
  io.reportBadIndex(b.create<arith::OrIOp>(low, high));
  Value clamped =
      b.create<arith::SelectOp>(low, zero, b.create<arith::SelectOp>(high, last, wrapped));
  return b.create<arith::IndexCastOp>(b.getIndexType(), clamped);
}

Value clamped(Builder &b, Value value, int64_t extent) {
  if (!llvm::isIntN(value.getType().getIntOrFloatBitWidth(), extent)) {
    value = b.create<arith::ExtSIOp>(b.getI64Type(), value);
  }
  auto integer = [&](int64_t v) -> Value {
    return b.create<arith::ConstantOp>(b.getIntegerAttr(value.getType(), v));
  };
  value = b.create<arith::MaxSIOp>(value, integer(0));
  value = b.create<arith::MinSIOp>(value, integer(std::max<int64_t>(extent - 1, 0)));
  return b.create<arith::IndexCastOp>(b.getIndexType(), value);
}

} // namespace modelc::indexing

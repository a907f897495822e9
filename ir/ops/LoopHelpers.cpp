//===- LoopHelpers.cpp - loop nests of ops that need loops of their own ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ops/LoopHelpers.h"
#include "ir/Scalars.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace modelc::loops {

static std::optional<int64_t> known(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    return constant.getSExtValue();
  }
  return std::nullopt;
}

SmallVector<Span> rangesOf(Builder &b, ArrayRef<int64_t> shape) {
  SmallVector<Span> ranges;
  for (int64_t extent : shape) {
    ranges.push_back({indexing::constant(b, 0), indexing::constant(b, extent)});
  }
  return ranges;
}

Carried reduceRange(Builder &b, Span range, ValueRange initial,
                    llvm::function_ref<Carried(Value, ValueRange)> body) {
  auto lower = known(range.lower), upper = known(range.upper);
  if (lower && upper && *upper <= *lower) {
    return Carried(initial);
  }
  if (lower && upper && *upper == *lower + 1) {
    return body(range.lower, initial);
  }
  auto loop = b.create<scf::ForOp>(range.lower, range.upper, indexing::constant(b, 1), initial);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Carried next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  // A loop that carries nothing has its terminator already.
  if (!initial.empty()) {
    b.create<scf::YieldOp>(next);
  }
  return Carried(loop.getResults());
}

Carried reduceEach(Builder &b, ArrayRef<Span> ranges, ValueRange initial,
                   llvm::function_ref<Carried(ValueRange, ValueRange)> body) {
  SmallVector<Value> indices;
  std::function<Carried(ValueRange)> nest = [&](ValueRange carried) {
    if (indices.size() == ranges.size()) {
      return body(indices, carried);
    }
    return reduceRange(b, ranges[indices.size()], carried, [&](Value i, ValueRange inner) {
      indices.push_back(i);
      Carried next = nest(inner);
      indices.pop_back();
      return next;
    });
  };
  return nest(initial);
}

Carried reduceEach(Builder &b, ArrayRef<int64_t> shape, ValueRange initial,
                   llvm::function_ref<Carried(ValueRange, ValueRange)> body) {
  return reduceEach(b, rangesOf(b, shape), initial, body);
}

void forRange(Builder &b, Span range, llvm::function_ref<void(Value)> body) {
  reduceRange(b, range, {}, [&](Value i, ValueRange) {
    body(i);
    return Carried();
  });
}

void forEach(Builder &b, ArrayRef<Span> ranges, llvm::function_ref<void(ValueRange)> body) {
  reduceEach(b, ranges, {}, [&](ValueRange indices, ValueRange) {
    body(indices);
    return Carried();
  });
}

void forEach(Builder &b, ArrayRef<int64_t> shape, llvm::function_ref<void(ValueRange)> body) {
  forEach(b, rangesOf(b, shape), body);
}

void forBlocks(Builder &b, int64_t extent, llvm::function_ref<void(Span)> body) {
  Value end = indexing::constant(b, extent);
  int64_t blocks = llvm::divideCeil(extent, rowElements);
  forEach(b, ArrayRef<int64_t>{blocks}, [&](ValueRange block) {
    Value lower = indexing::mul(b, block[0], rowElements);
    body({lower, minimum(b, indexing::add(b, lower, rowElements), end)});
  });
}

void when(Builder &b, Value condition, llvm::function_ref<void()> body) {
  auto branch = b.create<scf::IfOp>(condition);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  body();
}

Carried carryWhen(Builder &b, Value condition, ValueRange otherwise,
                  llvm::function_ref<Carried()> body) {
  auto branch = b.create<scf::IfOp>(otherwise.getTypes(), condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  b.create<scf::YieldOp>(body());
  b.setInsertionPointToStart(branch.elseBlock());
  b.create<scf::YieldOp>(otherwise);
  return Carried(branch.getResults());
}

Value minimum(Builder &b, Value x, Value y) {
  return b.createOrFold<arith::MinSIOp>(x, y);
}
Value maximum(Builder &b, Value x, Value y) {
  return b.createOrFold<arith::MaxSIOp>(x, y);
}

Value ceilDiv(Builder &b, Value x, int64_t y) {
  return indexing::div(b, indexing::add(b, x, y - 1), y);
}

Value toI64(Builder &b, Value x) {
  return b.create<arith::IndexCastOp>(b.getI64Type(), x);
}

static constexpr auto anyOrder = arith::FastMathFlags::reassoc | arith::FastMathFlags::contract;

Value sum(Builder &b, Value total, Value x) {
  if (scalar::isFloat(x)) {
    return b.create<arith::AddFOp>(total, x, anyOrder);
  }
  return b.create<arith::AddIOp>(total, x);
}

Value sumOfProducts(Builder &b, Value total, Value x, Value y) {
  if (scalar::isFloat(x)) {
    return sum(b, total, b.create<arith::MulFOp>(x, y, anyOrder));
  }
  return sum(b, total, b.create<arith::MulIOp>(x, y));
}

SmallVector<Value> broadcastIndices(Builder &b, ValueRange indices, ArrayRef<int64_t> shape) {
  SmallVector<Value> result(indices.take_back(shape.size()));
  for (auto [i, extent] : llvm::zip(result, shape)) {
    if (extent == 1) {
      i = indexing::constant(b, 0);
    }
  }
  return result;
}

Buffer::Buffer(Builder &b, KernelIO &io, ArrayRef<int64_t> shape, Type element)
    : isBool(element.isInteger(1)) {
  SmallVector<int64_t> extents(shape);
  for (int64_t &extent : extents) {
    extent = std::max<int64_t>(extent, 1); // a buffer without bytes would have no address
  }
  memory = io.scratch(MemRefType::get(extents, isBool ? b.getI8Type() : element));
}

Value Buffer::load(Builder &b, ValueRange indices) const {
  Value value = b.create<memref::LoadOp>(memory, indices);
  return isBool ? b.create<arith::TruncIOp>(b.getI1Type(), value).getResult() : value;
}

void Buffer::store(Builder &b, ValueRange indices, Value value) const {
  if (isBool) {
    value = b.create<arith::ExtUIOp>(b.getI8Type(), value);
  }
  b.create<memref::StoreOp>(value, memory, indices);
}

} // namespace modelc::loops

//===- ShapeElements.cpp - where an element of a moved tensor comes from --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Scalars.h"
#include "ir/ops/IndexMath.h"
#include "ir/ops/Infer.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace modelc;

Value ReshapeOp::buildElement(ImplicitLocOpBuilder &b, unsigned, ValueRange indices, KernelIO &io) {
  ArrayRef<int64_t> to = shapeOf(getResult()), from = shapeOf(getX());
  // Dimensions of extent 1 carry no position; when nothing else changes the
  // indices are only relabelled, without divisions.
  SmallVector<int64_t> toWide, fromWide;
  SmallVector<Value> wide;
  for (auto [i, extent] : llvm::zip(indices, to)) {
    if (extent != 1) {
      toWide.push_back(extent);
      wide.push_back(i);
    }
  }
  llvm::copy_if(from, std::back_inserter(fromWide), [](int64_t extent) { return extent != 1; });
  SmallVector<Value> source;
  if (toWide != fromWide) {
    wide = indexing::delinearize(b, indexing::linearize(b, wide, toWide), fromWide);
  }
  const Value *next = wide.begin();
  for (int64_t extent : from) {
    source.push_back(extent == 1 ? indexing::constant(b, 0) : *next++);
  }
  return io.read(0, source);
}

Value TransposeOp::buildElement(ImplicitLocOpBuilder &b, unsigned, ValueRange indices,
                                KernelIO &io) {
  SmallVector<Value> source(indices.size());
  for (auto [i, dim] : llvm::zip(indices, getPermutation())) {
    source[dim] = i;
  }
  return io.read(0, source);
}

Value BroadcastOp::buildElement(ImplicitLocOpBuilder &b, unsigned, ValueRange indices,
                                KernelIO &io) {
  ArrayRef<int64_t> from = shapeOf(getX());
  SmallVector<Value> source(indices.take_back(from.size()));
  for (auto [i, extent] : llvm::zip(source, from)) {
    if (extent == 1) {
      i = indexing::constant(b, 0);
    }
  }
  return io.read(0, source);
}

Value SliceOp::buildElement(ImplicitLocOpBuilder &b, unsigned, ValueRange indices, KernelIO &io) {
  SmallVector<Value> source;
  for (auto [i, start, step] : llvm::zip(indices, getStarts(), getSteps())) {
    source.push_back(indexing::add(b, indexing::mul(b, i, step), start));
  }
  return io.read(0, source);
}

/// Builds `condition ? then() : otherwise()` as control flow, since the side
/// not taken may read out of range.
static Value choose(ImplicitLocOpBuilder &b, Value condition, Type type,
                    llvm::function_ref<Value()> then, llvm::function_ref<Value()> otherwise) {
  auto branch = b.create<scf::IfOp>(TypeRange{type}, condition, true);
  auto fill = [&](Block *block, llvm::function_ref<Value()> build) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(block);
    Value value = build();
    b.create<scf::YieldOp>(value);
  };
  fill(branch.thenBlock(), then);
  fill(branch.elseBlock(), otherwise);
  return branch.getResult(0);
}

Value ConcatOp::buildElement(ImplicitLocOpBuilder &b, unsigned, ValueRange indices, KernelIO &io) {
  int64_t axis = getAxis();
  Type type = computeType(elementOf(getResult()));
  // Empty operands own no element.
  SmallVector<unsigned> parts;
  for (auto [i, input] : llvm::enumerate(getInputs())) {
    if (shapeOf(input)[axis] != 0) {
      parts.push_back(i);
    }
  }
  if (parts.empty()) {
    parts.push_back(0);
  }
  std::function<Value(size_t, int64_t)> build = [&](size_t part, int64_t start) -> Value {
    auto read = [&]() -> Value {
      SmallVector<Value> source(indices);
      source[axis] = indexing::add(b, source[axis], -start);
      return io.read(parts[part], source);
    };
    if (part + 1 == parts.size()) {
      return read();
    }
    int64_t end = start + shapeOf(getInputs()[parts[part]])[axis];
    Value inside = indexing::less(b, indices[axis], indexing::constant(b, end));
    return choose(b, inside, type, read, [&] { return build(part + 1, end); });
  };
  return build(0, 0);
}

/// Position in a dimension of `extent` elements that a position outside it
/// repeats, by `mode`.
static Value foldPosition(ImplicitLocOpBuilder &b, Value i, int64_t extent, PadMode mode) {
  Value zero = indexing::constant(b, 0), last = indexing::constant(b, extent - 1);
  switch (mode) {
  case PadMode::Constant:
    return i;
  case PadMode::Edge: {
    Value low = indexing::select(b, indexing::less(b, i, zero), zero, i);
    return indexing::select(b, indexing::less(b, last, low), last, low);
  }
  case PadMode::Reflect: {
    if (extent == 1) {
      return zero;
    }
    Value low = indexing::select(b, indexing::less(b, i, zero), indexing::sub(b, zero, i), i);
    Value mirrored = indexing::sub(b, indexing::constant(b, 2 * (extent - 1)), low);
    return indexing::select(b, indexing::less(b, last, low), mirrored, low);
  }
  case PadMode::Wrap: {
    Value size = indexing::constant(b, extent);
    Value rest = b.create<arith::RemSIOp>(i, size);
    return indexing::select(b, indexing::less(b, rest, zero), indexing::add(b, rest, size), rest);
  }
  }
  return i;
}

Value PadOp::buildElement(ImplicitLocOpBuilder &b, unsigned, ValueRange indices, KernelIO &io) {
  ArrayRef<int64_t> from = shapeOf(getX());
  SmallVector<Value> source;
  Value inside;
  auto require = [&](Value condition) {
    inside = inside ? b.create<arith::AndIOp>(inside, condition).getResult() : condition;
  };
  for (auto [d, i] : llvm::enumerate(indices)) {
    Value position = indexing::add(b, i, -getBefore()[d]);
    int64_t before = getBefore()[d], after = getAfter()[d];
    if (getMode() != PadMode::Constant && (before > 0 || after > 0)) {
      position = foldPosition(b, position, from[d], getMode());
    }
    if (getMode() == PadMode::Constant && before > 0) {
      require(
          b.create<arith::CmpIOp>(arith::CmpIPredicate::sge, position, indexing::constant(b, 0)));
    }
    if (getMode() == PadMode::Constant && after > 0) {
      require(indexing::less(b, position, indexing::constant(b, from[d])));
    }
    source.push_back(position);
  }
  if (!inside) {
    return io.read(0, source);
  }
  auto fill = [&]() -> Value {
    SmallVector<Value> origin(shapeOf(getValue()).size(), indexing::constant(b, 0));
    return io.read(1, origin);
  };
  return choose(
      b, inside, computeType(elementOf(getResult())), [&] { return io.read(0, source); }, fill);
}

Value GatherOp::buildElement(ImplicitLocOpBuilder &b, unsigned, ValueRange indices, KernelIO &io) {
  int64_t axis = getAxis();
  size_t rank = shapeOf(getIndices()).size();
  ArrayRef<int64_t> from = shapeOf(getX());
  Value index = io.read(1, indices.slice(axis, rank));
  Value chosen = getClamped() ? indexing::clamped(b, index, from[axis])
                              : indexing::fromModel(b, io, index, from[axis]);
  SmallVector<Value> source(indices.take_front(axis));
  source.push_back(chosen);
  llvm::append_range(source, indices.drop_front(axis + rank));
  return io.read(0, source);
}

Value GatherElementsOp::buildElement(ImplicitLocOpBuilder &b, unsigned, ValueRange indices,
                                     KernelIO &io) {
  int64_t axis = getAxis();
  SmallVector<Value> source(indices);
  source[axis] = indexing::fromModel(b, io, io.read(1, indices), shapeOf(getX())[axis]);
  return io.read(0, source);
}

Value GatherNdOp::buildElement(ImplicitLocOpBuilder &b, unsigned, ValueRange indices,
                               KernelIO &io) {
  ArrayRef<int64_t> from = shapeOf(getX()), tuples = shapeOf(getIndices());
  int64_t batch = getBatchDims(), tuple = tuples.back();
  size_t outer = tuples.size() - 1;
  SmallVector<Value> source(indices.take_front(batch));
  for (int64_t k = 0; k < tuple; ++k) {
    SmallVector<Value> at(indices.take_front(outer));
    at.push_back(indexing::constant(b, k));
    source.push_back(indexing::fromModel(b, io, io.read(1, at), from[batch + k]));
  }
  llvm::append_range(source, indices.drop_front(outer));
  return io.read(0, source);
}

Value IotaOp::buildElement(ImplicitLocOpBuilder &b, unsigned, ValueRange indices, KernelIO &) {
  Value position = b.create<arith::IndexCastOp>(b.getI64Type(), indices[getAxis()]);
  return scalar::cast(b, position, b.getI64Type(), getTo());
}

Value ReverseSequenceOp::buildElement(ImplicitLocOpBuilder &b, unsigned, ValueRange indices,
                                      KernelIO &io) {
  uint64_t batch = getBatchAxis(), time = getTimeAxis();
  Value length =
      b.create<arith::IndexCastOp>(b.getIndexType(), io.read(1, ValueRange{indices[batch]}));
  Value extent = indexing::constant(b, shapeOf(getX())[time]);
  length = indexing::select(b, indexing::less(b, extent, length), extent, length);
  Value mirrored = indexing::add(b, indexing::sub(b, length, indices[time]), -1);
  SmallVector<Value> source(indices);
  source[time] =
      indexing::select(b, indexing::less(b, indices[time], length), mirrored, indices[time]);
  return io.read(0, source);
}

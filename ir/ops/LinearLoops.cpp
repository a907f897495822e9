//===- LinearLoops.cpp - loops of matrix products and sums of products ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Scalars.h"
#include "ir/ops/Infer.h"
#include "ir/ops/LoopHelpers.h"

using namespace mlir;
using namespace modelc;
using loops::Carried;
using loops::Span;

namespace {
/// A matrix product with the dimensions of x and y that NumPy adds to rows and columns.
struct Product {
  explicit Product(MatmulOp op)
      : xShape(shapeOf(op.getX())), yShape(shapeOf(op.getY())), isRow(xShape.size() == 1),
        isColumn(yShape.size() == 1) {
    inner = xShape.back();
    rows = isRow ? 1 : xShape[xShape.size() - 2];
    columns = isColumn ? 1 : yShape.back();
    ArrayRef<int64_t> result = shapeOf(op.getResult());
    ArrayRef<int64_t> leading = result.drop_back((isRow ? 0 : 1) + (isColumn ? 0 : 1));
    batch.assign(leading.begin(), leading.end());
  }

  Value readX(ImplicitLocOpBuilder &b, KernelIO &io, ValueRange at, Value m, Value k) const {
    SmallVector<Value> indices;
    if (!isRow) {
      indices = loops::broadcastIndices(b, at, xShape.drop_back(2));
      indices.push_back(m);
    }
    indices.push_back(k);
    return io.read(0, indices);
  }
  Value readY(ImplicitLocOpBuilder &b, KernelIO &io, ValueRange at, Value k, Value n) const {
    SmallVector<Value> indices;
    if (!isColumn) {
      indices = loops::broadcastIndices(b, at, yShape.drop_back(2));
    }
    indices.push_back(k);
    if (!isColumn) {
      indices.push_back(n);
    }
    return io.read(1, indices);
  }
  void write(KernelIO &io, ValueRange at, Value m, Value n, Value value) const {
    SmallVector<Value> indices(at);
    if (!isRow) {
      indices.push_back(m);
    }
    if (!isColumn) {
      indices.push_back(n);
    }
    io.write(0, indices, value);
  }

  ArrayRef<int64_t> xShape, yShape;
  bool isRow, isColumn;
  int64_t rows, inner, columns;
  SmallVector<int64_t> batch;
};
} // namespace

void MatmulOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Product p(*this);
  Value zero = scalar::constant(b, computeType(elementOf(getResult())), 0);
  Span inner = loops::rangesOf(b, p.inner)[0];
  SmallVector<int64_t> outer(p.batch);
  outer.push_back(p.rows);

  if (p.columns < loops::shortestRow || p.inner < 2) {
    outer.push_back(p.columns);
    loops::forEach(b, outer, [&](ValueRange at) {
      Value m = at[at.size() - 2], n = at.back();
      ValueRange batch = at.drop_back(2);
      Carried total = loops::reduceRange(b, inner, zero, [&](Value k, ValueRange carried) {
        return Carried{loops::sumOfProducts(b, carried[0], p.readX(b, io, batch, m, k),
                                            p.readY(b, io, batch, k, n))};
      });
      p.write(io, batch, m, n, total[0]);
    });
    return;
  }

  // Along k the rows of y are contiguous, its columns are not: so a row of results is summed up at
  // once, each step adding a multiple of a row of y.
  loops::Buffer row(b, io, {std::min(p.columns, loops::rowElements)}, zero.getType());
  loops::forEach(b, outer, [&](ValueRange at) {
    Value m = at.back();
    ValueRange batch = at.drop_back(1);
    loops::forBlocks(b, p.columns, [&](Span block) {
      Span local{indexing::constant(b, 0), indexing::sub(b, block.upper, block.lower)};
      loops::forRange(b, local, [&](Value n) { row.store(b, n, zero); });
      loops::forRange(b, inner, [&](Value k) {
        Value x = p.readX(b, io, batch, m, k);
        loops::forRange(b, local, [&](Value n) {
          Value y = p.readY(b, io, batch, k, indexing::add(b, block.lower, n));
          row.store(b, n, loops::sumOfProducts(b, row.load(b, n), x, y));
        });
      });
      loops::forRange(b, local, [&](Value n) {
        p.write(io, batch, m, indexing::add(b, block.lower, n), row.load(b, n));
      });
    });
  });
}

namespace {
/// The labels of an einsum: those of the result first, then those that are summed over.
struct Labels {
  explicit Labels(EinsumOp op) : names(op.getResultLabels()) {
    kept = names.size();
    for (auto [value, attr] : llvm::zip(op.getInputs(), op.getOperandLabels())) {
      auto &positions = operands.emplace_back();
      ArrayRef<int64_t> shape = shapeOf(value);
      for (auto [name, extent] : llvm::zip(cast<DenseI64ArrayAttr>(attr).asArrayRef(), shape)) {
        size_t position = llvm::find(names, name) - names.begin();
        if (position == names.size()) {
          names.push_back(name);
        }
        extents.resize(names.size(), 1);
        extents[position] = extent == 1 ? extents[position] : extent;
        // A dimension of extent 1 is broadcast: its index is always 0.
        positions.push_back(extent == 1 ? -1 : static_cast<int64_t>(position));
      }
    }
    extents.resize(names.size(), 1);
  }

  /// The product of all operands at one value per label.
  Value product(ImplicitLocOpBuilder &b, KernelIO &io, ValueRange at) const {
    Value result;
    for (auto [number, positions] : llvm::enumerate(operands)) {
      SmallVector<Value> indices;
      for (int64_t position : positions) {
        indices.push_back(position < 0 ? indexing::constant(b, 0) : at[position]);
      }
      Value value = io.read(number, indices);
      result = result ? scalar::mul(b, result, value) : value;
    }
    return result;
  }

  /// Whether an operand is contiguous along the result's last dimension.
  bool runsAlongRow() const {
    return kept > 0 && llvm::any_of(operands, [&](ArrayRef<int64_t> positions) {
             return !positions.empty() && positions.back() == static_cast<int64_t>(kept) - 1;
           });
  }

  SmallVector<int64_t> names, extents;
  size_t kept;
  SmallVector<SmallVector<int64_t>> operands;
};
} // namespace

void EinsumOp::buildLoops(ImplicitLocOpBuilder &b, KernelIO &io) {
  Labels labels(*this);
  Value zero = scalar::constant(b, computeType(elementOf(getResult())), 0);
  ArrayRef<int64_t> outer = ArrayRef<int64_t>(labels.extents).take_front(labels.kept);
  ArrayRef<int64_t> summed = ArrayRef<int64_t>(labels.extents).drop_front(labels.kept);
  auto join = [](ValueRange a, ValueRange c) {
    SmallVector<Value> all(a);
    all.append(c.begin(), c.end());
    return all;
  };

  bool isSum = llvm::any_of(summed, [](int64_t extent) { return extent != 1; });
  if (!isSum || !labels.runsAlongRow() || outer.back() < loops::shortestRow) {
    loops::forEach(b, outer, [&](ValueRange at) {
      Carried total = loops::reduceEach(b, summed, zero, [&](ValueRange in, ValueRange carried) {
        return Carried{loops::sum(b, carried[0], labels.product(b, io, join(at, in)))};
      });
      io.write(0, at, total[0]);
    });
    return;
  }

  loops::Buffer row(b, io, {std::min(outer.back(), loops::rowElements)}, zero.getType());
  loops::forEach(b, outer.drop_back(), [&](ValueRange at) {
    loops::forBlocks(b, outer.back(), [&](Span block) {
      Span local{indexing::constant(b, 0), indexing::sub(b, block.upper, block.lower)};
      auto position = [&](Value n) { return join(at, indexing::add(b, block.lower, n)); };
      loops::forRange(b, local, [&](Value n) { row.store(b, n, zero); });
      loops::forEach(b, summed, [&](ValueRange in) {
        loops::forRange(b, local, [&](Value n) {
          Value term = labels.product(b, io, join(position(n), in));
          row.store(b, n, loops::sum(b, row.load(b, n), term));
        });
      });
      loops::forRange(b, local, [&](Value n) { io.write(0, position(n), row.load(b, n)); });
    });
  });
}

//===- ConvGeometry.cpp - windows of channels-last convolutions -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/ConvGeometry.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace modelc;

std::optional<ConvGeometry> ConvGeometry::of(ConvOp op) {
  auto x = cast<RankedTensorType>(op.getX().getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  auto filter = cast<RankedTensorType>(op.getFilter().getType());
  int64_t rank = x.getRank(), spatial = rank - 2;
  if (spatial < 1 || spatial > 2 || !op.getChannelsLast() || result.getNumElements() == 0 ||
      x.getNumElements() == 0) {
    return std::nullopt;
  }
  ConvGeometry g;
  g.batch = x.getDimSize(0);
  g.inputs = x.getShape().back();
  g.outputs = result.getShape().back();
  g.groups = op.getGroups();
  for (int64_t d = 0; d < spatial; ++d) {
    ConvAxis &axis = d + 1 == spatial ? g.columns : g.rows;
    axis = {x.getDimSize(1 + d), result.getDimSize(1 + d), filter.getDimSize(2 + d),
            op.getStrides()[d],  op.getDilations()[d],     op.getPadsBegin()[d]};
  }
  // Neighbouring results are in one row, even if that is a column.
  if (g.columns.extent == 1 && g.columns.count == 1 && g.columns.isInside()) {
    std::swap(g.rows, g.columns);
  }
  return g;
}

SmallVector<WindowTiles> ConvGeometry::tiles(int64_t width) const {
  SmallVector<WindowTiles> result;
  int64_t whole = columns.count / width * width;
  auto add = [&](int64_t first, int64_t size) {
    bool inside = columns.isInside(first) && columns.isInside(first + size - 1);
    if (!result.empty() && inside && result.back().inside && result.back().width == size) {
      result.back().last += size;
    } else {
      result.push_back({first, first + size, size, inside});
    }
  };
  for (int64_t first = 0; first < whole; first += width) {
    add(first, width);
  }
  if (whole < columns.count) {
    add(whole, columns.count - whole);
  }
  return result;
}

int64_t modelc::countBorderTiles(const ConvGeometry &geometry, int64_t width) {
  return llvm::count_if(geometry.tiles(width), [](const WindowTiles &t) { return !t.inside; });
}

KernelRows modelc::kernelRows(KernelBuilder &k, const ConvAxis &axis, Value row) {
  if (axis.isInside()) {
    return {k.index(0), k.index(axis.kernel)};
  }
  ImplicitLocOpBuilder &b = k.builder();
  // The number of kernel rows before position `end` of the input, from above.
  auto rowsBefore = [&](int64_t end) -> Value {
    Value start = b.create<arith::MulIOp>(row, k.index(-axis.stride));
    Value distance = k.add(start, end + axis.pad + axis.dilation - 1);
    distance = b.create<arith::MaxSIOp>(distance, k.index(0));
    if (axis.dilation != 1) {
      distance = b.create<arith::DivUIOp>(distance, k.index(axis.dilation));
    }
    return b.create<arith::MinSIOp>(distance, k.index(axis.kernel));
  };
  return {rowsBefore(0), rowsBefore(axis.extent)};
}

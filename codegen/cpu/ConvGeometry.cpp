//===- ConvGeometry.cpp - windows of channels-last convolutions -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/cpu/ConvGeometry.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <numeric>

using namespace mlir;
using namespace modelc;

/// Tiles that stand alone are code of their own: more of them than this are
/// left to plain loops.
static constexpr int64_t maxBorderTiles = 8;
static constexpr size_t maxAxisPairs = 16;
/// Emission enumerates windows and weights along a dimension.
static constexpr int64_t maxExtent = 1 << 24, maxTaps = 1 << 12;

bool ConvAxis::isPointwise() const {
  return kernel == 1 && taps == 1 && stride == 1 && pad == 0 && count == extent && results == count;
}

SmallVector<WindowTiles> ConvAxis::tiles(int64_t width) const {
  SmallVector<WindowTiles> result;
  int64_t whole = count / width * width;
  auto add = [&](int64_t first, int64_t size) {
    bool inside = isInside(first) && isInside(first + size - 1);
    if (!result.empty() && inside && result.back().inside && result.back().width == size) {
      result.back().last += size;
    } else {
      result.push_back({first, first + size, size, inside});
    }
  };
  for (int64_t first = 0; first < whole; first += width) {
    add(first, width);
  }
  if (whole < count) {
    add(whole, count - whole);
  }
  return result;
}

Value ConvAxis::tapAt(KernelBuilder &k, Value position) const {
  return k.add(k.mul(position, tapStep), firstTap);
}

Value ConvAxis::resultAt(KernelBuilder &k, Value window) const {
  return k.add(k.mul(window, resultStep), firstResult);
}

Values ConvAxis::forKernel(KernelBuilder &k, Value window, const Values &carried,
                           KernelBuilder::LoopBody body) const {
  if (isInside()) {
    return k.loop(0, kernel, 1, carried, body);
  }
  ImplicitLocOpBuilder &b = k.builder();
  // How much of the kernel is before position `end` of the input.
  auto partBefore = [&](int64_t end) -> Value {
    Value start = b.create<arith::MulIOp>(window, k.index(-stride));
    Value distance = k.add(start, end + pad + dilation - 1);
    distance = b.create<arith::MaxSIOp>(distance, k.index(0));
    if (dilation != 1) {
      distance = b.create<arith::DivUIOp>(distance, k.index(dilation));
    }
    return b.create<arith::MinSIOp>(distance, k.index(kernel));
  };
  return k.loop(partBefore(0), partBefore(extent), 1, carried, body);
}

/// Result r is the sum over the input positions i and weights w with
/// `i * stride + w * dilation - pad = r`. For r = q * stride + c these are the
/// weights w0, w0 + step, ..., at positions that descend from one near q.
static ConvAxis phaseOf(const ConvAxis &axis, int64_t c) {
  int64_t common = std::gcd(axis.stride, axis.dilation);
  int64_t step = axis.stride / common, distance = axis.dilation / common;
  ConvAxis phase;
  phase.extent = axis.extent;
  phase.count = llvm::divideCeil(axis.results - c, axis.stride);
  phase.taps = axis.taps;
  phase.results = axis.results;
  phase.firstResult = c;
  phase.resultStep = axis.stride;
  phase.dilation = distance;
  int64_t first = 0;
  while (first < std::min(step, axis.taps) &&
         (c + axis.pad - first * axis.dilation) % axis.stride) {
    ++first;
  }
  if (first == std::min(step, axis.taps)) {
    phase.kernel = 0; // no weight meets these results
    return phase;
  }
  phase.kernel = llvm::divideCeil(axis.taps - first, step);
  // Last weight first, so that positions ascend.
  phase.firstTap = first + (phase.kernel - 1) * step;
  phase.tapStep = -step;
  int64_t nearest = (c + axis.pad - first * axis.dilation) / axis.stride;
  phase.pad = (phase.kernel - 1) * distance - nearest;
  return phase;
}

static SmallVector<ConvAxis, 1> phasesOf(const ConvAxis &axis) {
  SmallVector<ConvAxis, 1> phases;
  // More phases than the limit are never emitted.
  int64_t count = std::min<int64_t>({axis.stride, axis.results, maxAxisPairs + 1});
  for (int64_t c = 0; c < count; ++c) {
    phases.push_back(phaseOf(axis, c));
  }
  return phases;
}

template <typename OpTy>
std::optional<ConvGeometry> ConvGeometry::make(OpTy op, int64_t groups, ArrayRef<int64_t> kernel,
                                               bool isTransposed) {
  auto x = cast<RankedTensorType>(op.getX().getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  auto exceeds = [](ArrayRef<int64_t> extents, int64_t most) {
    return llvm::any_of(extents, [&](int64_t extent) { return extent > most; });
  };
  if (x.getRank() < 3 || x.getRank() > 4 || !op.getChannelsLast() || x.getNumElements() == 0 ||
      result.getNumElements() == 0 || exceeds(x.getShape(), maxExtent) ||
      exceeds(result.getShape(), maxExtent) || exceeds(kernel, maxTaps)) {
    return std::nullopt;
  }
  ConvGeometry g;
  g.batch = x.getDimSize(0);
  g.inputs = x.getShape().back();
  g.outputs = result.getShape().back();
  g.groups = groups;
  g.rows = {ConvAxis()};
  for (size_t d = 0; d < kernel.size(); ++d) {
    ConvAxis axis;
    axis.extent = x.getDimSize(1 + d);
    axis.results = axis.count = result.getDimSize(1 + d);
    axis.taps = axis.kernel = kernel[d];
    axis.stride = op.getStrides()[d];
    axis.dilation = op.getDilations()[d];
    axis.pad = op.getPadsBegin()[d];
    auto &axes = d + 1 == kernel.size() ? g.columns : g.rows;
    axes = isTransposed ? phasesOf(axis) : SmallVector<ConvAxis, 1>{axis};
  }
  // Neighbouring results are in one row, even if that is a column.
  const ConvAxis &across = g.columns.front();
  if (g.columns.size() == 1 && across.isPointwise() && across.extent == 1) {
    std::swap(g.rows, g.columns);
  }
  return g;
}

static ArrayRef<int64_t> kernelOf(Value filter) {
  return cast<RankedTensorType>(filter.getType()).getShape().drop_front(2);
}

std::optional<ConvGeometry> ConvGeometry::of(ConvOp op) {
  return make(op, op.getGroups(), kernelOf(op.getFilter()), /*isTransposed=*/false);
}

std::optional<ConvGeometry> ConvGeometry::of(ConvTransposeOp op) {
  return make(op, op.getGroups(), kernelOf(op.getFilter()), /*isTransposed=*/true);
}

static int64_t channelsOf(Value x) {
  return cast<RankedTensorType>(x.getType()).getShape().back();
}

std::optional<ConvGeometry> ConvGeometry::of(MaxPoolOp op) {
  return make(op, channelsOf(op.getX()), op.getKernel(), /*isTransposed=*/false);
}

std::optional<ConvGeometry> ConvGeometry::of(AveragePoolOp op) {
  return make(op, channelsOf(op.getX()), op.getKernel(), /*isTransposed=*/false);
}

bool ConvGeometry::isPointwise() const {
  auto all = [](ArrayRef<ConvAxis> axes) { return axes.size() == 1 && axes.front().isPointwise(); };
  return groups == 1 && all(rows) && all(columns);
}

int64_t ConvGeometry::kernelWidth() const {
  int64_t most = 0;
  for (const ConvAxis &axis : columns) {
    most = std::max(most, axis.kernel);
  }
  return most;
}

bool ConvGeometry::fitsTiles(int64_t width) const {
  if (rows.size() * columns.size() > maxAxisPairs) {
    return false;
  }
  return llvm::all_of(columns, [&](const ConvAxis &axis) {
    SmallVector<WindowTiles> tiles = axis.tiles(width);
    return llvm::count_if(tiles, [](const WindowTiles &t) { return !t.inside; }) <= maxBorderTiles;
  });
}

Value ConvGeometry::resultAt(KernelBuilder &k, Value batch, Value row, Value column) const {
  Value line = k.add(k.mul(batch, rows[0].results), row);
  return k.add(k.mul(line, columns[0].results), column);
}

Value ConvGeometry::inputAt(KernelBuilder &k, Value batch, const ConvAxis &down, Value row,
                            Value kernel, const ConvAxis &across, Value column) const {
  Value inputRow = k.add(k.mul(row, down.stride), -down.pad);
  Value source = k.add(k.add(k.mul(batch, down.extent), inputRow), k.mul(kernel, down.dilation));
  Value start = k.add(k.mul(column, across.stride * inputs), -across.pad * inputs);
  return k.add(k.mul(source, across.extent * inputs), start);
}

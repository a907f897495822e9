//===- WindowLoops.cpp - positions of sliding windows ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/ops/WindowLoops.h"

using namespace mlir;
namespace modelc::loops {

/// The i in 0 .. count-1 for which `start + i * step` lies in `target`.
static Span reaching(Builder &b, Value start, int64_t step, Span target, int64_t count) {
  Value zero = indexing::constant(b, 0);
  auto firstFrom = [&](Value position) {
    Value missing = maximum(b, indexing::sub(b, position, start), zero);
    return minimum(b, ceilDiv(b, missing, step), indexing::constant(b, count));
  };
  return {firstFrom(target.lower), firstFrom(target.upper)};
}

static Span existing(Builder &b, const Window &w) {
  return {indexing::constant(b, 0), indexing::constant(b, w.extent)};
}

static Span shifted(Builder &b, Span range, int64_t by) {
  return {indexing::add(b, range.lower, by), indexing::add(b, range.upper, by)};
}

Span kernelRange(Builder &b, const Window &w, Value o) {
  if (w.isInside()) {
    return {indexing::constant(b, 0), indexing::constant(b, w.kernel)};
  }
  Span target = shifted(b, existing(b, w), w.pad);
  return reaching(b, indexing::mul(b, o, w.stride), w.dilation, target, w.kernel);
}

Span windowRange(Builder &b, const Window &w, Value k) {
  if (w.isInside()) {
    return {indexing::constant(b, 0), indexing::constant(b, w.count)};
  }
  return windowRange(b, w, k, existing(b, w));
}

Span windowRange(Builder &b, const Window &w, Value k, Span target) {
  return reaching(b, indexing::mul(b, k, w.dilation), w.stride, shifted(b, target, w.pad), w.count);
}

Value positionIn(Builder &b, const Window &w, Value o, Value k) {
  Value position = indexing::add(b, indexing::mul(b, o, w.stride), indexing::mul(b, k, w.dilation));
  return indexing::add(b, position, -w.pad);
}

SmallVector<Value> Layout::indices(Value batch, Value channel, ValueRange spatial) const {
  SmallVector<Value> result{batch};
  if (!channelsLast) {
    result.push_back(channel);
  }
  result.append(spatial.begin(), spatial.end());
  if (channelsLast) {
    result.push_back(channel);
  }
  return result;
}

} // namespace modelc::loops

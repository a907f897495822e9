//===- WindowLoops.h - positions of sliding windows -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_IR_OPS_WINDOWLOOPS_H
#define MODELC_IR_OPS_WINDOWLOOPS_H

#include "ir/ops/LoopHelpers.h"

namespace modelc {
namespace loops {

/// One spatial dimension of a convolution or pool. Window `o` of `count` covers the positions
/// `o * stride + k * dilation - pad` for k in 0 .. kernel-1; those in 0 .. extent-1 exist.
struct Window {
  int64_t extent, count, kernel, stride, dilation, pad;

  /// Whether every position of every window exists.
  bool isInside() const {
    return pad <= 0 && (count - 1) * stride + (kernel - 1) * dilation - pad < extent;
  }
};

/// The positions in the kernel that exist in window `o`.
Span kernelRange(Builder &b, const Window &w, Value o);
/// The windows for which kernel position `k` exists.
Span windowRange(Builder &b, const Window &w, Value k);
/// The windows whose kernel position `k` lies in `target`.
Span windowRange(Builder &b, const Window &w, Value k, Span target);
/// `o * stride + k * dilation - pad`.
Value positionIn(Builder &b, const Window &w, Value o, Value k);

/// The order of the dimensions of a tensor with batch, channels and spatial dimensions.
struct Layout {
  bool channelsLast;

  llvm::SmallVector<Value> indices(Value batch, Value channel, ValueRange spatial) const;
  llvm::ArrayRef<int64_t> spatial(llvm::ArrayRef<int64_t> shape) const {
    return channelsLast ? shape.drop_front().drop_back() : shape.drop_front(2);
  }
  int64_t channels(llvm::ArrayRef<int64_t> shape) const {
    return channelsLast ? shape.back() : shape[1];
  }
};

} // namespace loops
} // namespace modelc

#endif // MODELC_IR_OPS_WINDOWLOOPS_H

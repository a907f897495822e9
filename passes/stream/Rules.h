//===- Rules.h - how each op is streamed ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rule is called for an op of which at least one operand has a time axis. It
// defines the facts of all results or refuses the op.
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_PASSES_STREAM_RULES_H
#define MODELC_PASSES_STREAM_RULES_H

#include "passes/stream/Streamer.h"

namespace modelc::stream {

/// Calls the rule of `op`; refuses an op that has none.
mlir::LogicalResult apply(Streamer &s, mlir::Operation *op);

// Elementwise.cpp: operands brought to one delay.
mlir::LogicalResult elementwise(Streamer &s, mlir::Operation *op);
mlir::LogicalResult concat(Streamer &s, ConcatOp op);
mlir::LogicalResult einsum(Streamer &s, EinsumOp op);
mlir::LogicalResult matmul(Streamer &s, MatmulOp op);

// Shape.cpp: elements move.
mlir::LogicalResult reshape(Streamer &s, ReshapeOp op);
mlir::LogicalResult transpose(Streamer &s, TransposeOp op);
mlir::LogicalResult broadcast(Streamer &s, BroadcastOp op);
mlir::LogicalResult slice(Streamer &s, SliceOp op);
mlir::LogicalResult pad(Streamer &s, PadOp op);
mlir::LogicalResult gather(Streamer &s, GatherOp op);
mlir::LogicalResult resize(Streamer &s, ResizeOp op);

// Window.cpp: sliding windows.
mlir::LogicalResult conv(Streamer &s, ConvOp op);
mlir::LogicalResult convTranspose(Streamer &s, ConvTransposeOp op);
mlir::LogicalResult pool(Streamer &s, mlir::Operation *op);

// Spectral.cpp: transforms of frames.
mlir::LogicalResult dft(Streamer &s, DftOp op);
mlir::LogicalResult stft(Streamer &s, StftOp op);
mlir::LogicalResult istft(Streamer &s, IstftOp op);

// Recurrent.cpp: state from step to step.
mlir::LogicalResult recurrent(Streamer &s, mlir::Operation *op);
mlir::LogicalResult cumulative(Streamer &s, CumulativeOp op);

// Reduce.cpp: over other dimensions than time.
mlir::LogicalResult overAxes(Streamer &s, mlir::Operation *op, llvm::ArrayRef<int64_t> axes);
mlir::LogicalResult layerNorm(Streamer &s, LayerNormOp op);
mlir::LogicalResult channelNorm(Streamer &s, mlir::Operation *op);

// Helpers of rules.

/// Brings streams to the largest of their delays, none before the start, and
/// refuses `op` unless they have one rate and one length.
mlir::FailureOr<llvm::SmallVector<StreamFact>> aligned(Streamer &s, mlir::Operation *op,
                                                       llvm::ArrayRef<StreamFact> facts);

/// A window of `reach` + 1 samples that moves by `stride`, over a stream that
/// `before` and `after` samples of `fill` surround.
struct Window {
  int64_t reach, stride, before = 0, after = 0;
  mlir::Attribute fill;
};

/// The samples that the windows of one call read, as `value`; the rest is the
/// fact of the result.
mlir::FailureOr<StreamFact> slide(Streamer &s, mlir::Operation *op, StreamFact fact,
                                  const Window &window);

/// Defines all results: the streamed op's, with time in the dimension where
/// offline and streamed types differ.
mlir::LogicalResult defineResults(Streamer &s, mlir::Operation *op, mlir::Operation *made,
                                  const StreamFact &from, int64_t axis);

} // namespace modelc::stream

#endif // MODELC_PASSES_STREAM_RULES_H

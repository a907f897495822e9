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

// Extend.cpp: samples around a stream that repeat its own.

/// Whether the rule of `op` deals with a StreamExtension of its operand.
bool takesExtension(mlir::Operation *op);
/// The value padded by its own samples, which are an extension of it.
mlir::FailureOr<StreamFact> repeated(Streamer &s, PadOp op, StreamFact fact, int64_t before,
                                     int64_t after);
/// The stream with the samples of its extension, for which it waits.
StreamFact extended(Streamer &s, mlir::Operation *op, StreamFact fact);
/// As Streamer::withHistory, with the extension's samples as far as those that
/// they repeat are among these.
mlir::Value withExtendedHistory(Streamer &s, mlir::Operation *op, const StreamFact &fact,
                                int64_t count);
/// The first call in which the extended value is known from its sample
/// `skipped` on.
int64_t firstComplete(const StreamFact &fact, int64_t skipped);

// Recurrent.cpp: state from step to step.
mlir::LogicalResult recurrent(Streamer &s, mlir::Operation *op);
mlir::LogicalResult cumulative(Streamer &s, CumulativeOp op);

// Reduce.cpp: over other dimensions than time.
mlir::LogicalResult overAxes(Streamer &s, mlir::Operation *op, llvm::ArrayRef<int64_t> axes);
mlir::LogicalResult layerNorm(Streamer &s, LayerNormOp op);
mlir::LogicalResult channelNorm(Streamer &s, mlir::Operation *op);

// Helpers of rules.

/// An attribute of `values`, or of `values` with another entry `at`.
mlir::NamedAttribute changedArray(Streamer &s, llvm::StringRef name,
                                  llvm::ArrayRef<int64_t> values);
mlir::NamedAttribute changedArray(Streamer &s, llvm::StringRef name, llvm::ArrayRef<int64_t> values,
                                  int64_t at, int64_t value);

/// Brings streams to the largest of their delays, none before the start, and
/// refuses `op` unless they have one rate and one length.
mlir::FailureOr<llvm::SmallVector<StreamFact>> aligned(Streamer &s, mlir::Operation *op,
                                                       llvm::ArrayRef<StreamFact> facts);

/// A window of `reach` + 1 samples that moves by `stride`, over a stream that
/// `before` and `after` samples of `fill` surround. The first `skipped` samples of
/// each window do not count.
struct Window {
  int64_t reach, stride, before = 0, after = 0;
  mlir::Attribute fill = {};
  int64_t skipped = 0;
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

//===- Streamer.h - builds the streamed form of a function ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_PASSES_STREAM_STREAMER_H
#define MODELC_PASSES_STREAM_STREAMER_H

#include "ir/ModelcOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/stream/StreamFact.h"
#include "llvm/ADT/DenseSet.h"

namespace modelc {

/// Which dimension of an input is time, and how many samples a call takes.
struct StreamInput {
  unsigned argument = 0;
  int64_t axis = 0, hop = 0;
};

/// One reason why a model cannot be streamed.
struct StreamRefusal {
  mlir::Location location;
  std::string reason;
};

/// Holds the function under construction and the facts of its values; the
/// rules (Rules.h) say what becomes of each op.
class Streamer {
public:
  Streamer(mlir::func::FuncOp offline, llvm::ArrayRef<StreamInput> inputs);

  /// Fills the streamed function; false if there are refusals.
  bool run();

  llvm::ArrayRef<StreamRefusal> refusals() const { return refused; }
  /// How far the outputs lag behind the inputs at most, in samples of the input.
  int64_t latency() const { return latencySamples; }
  /// Samples of the outputs that come when the stream has ended, at most, in
  /// samples of the input.
  int64_t drain() const { return drainSamples; }
  /// Ops that wait for later samples, with the number of them (of the input).
  llvm::ArrayRef<std::pair<mlir::Operation *, int64_t>> lookaheads() const { return waiting; }
  /// The result; the caller puts it in the place of the offline one.
  mlir::func::FuncOp function() { return streamed; }
  /// Drops what only a flush needs: where nothing drains there is none.
  void dropFlush();

  // For the rules -----------------------------------------------------------

  /// Null for values without a time axis.
  const StreamFact *fact(mlir::Value offline) const;
  bool isStreamed(mlir::Value offline) const { return fact(offline); }
  /// The streamed function's value for one without a time axis.
  mlir::Value fixed(mlir::Value offline) const { return statics.lookup(offline); }
  void define(mlir::Value offline, StreamFact fact);
  void defineFixed(mlir::Value offline, mlir::Value value) { statics[offline] = value; }

  mlir::OpBuilder &builder() { return b; }
  mlir::LogicalResult refuse(mlir::Operation *op, const llvm::Twine &reason);

  /// `op` with other operands and attributes; result types follow from them.
  /// Refuses `op` if they do not fit together.
  mlir::FailureOr<mlir::Operation *> rebuild(mlir::Operation *op, mlir::ValueRange operands,
                                             llvm::ArrayRef<mlir::NamedAttribute> changed = {});
  /// The samples of a call at rate `rate`; refuses `op` unless whole.
  mlir::FailureOr<int64_t> hopOf(mlir::Operation *op, StreamRate rate);
  /// A value without a time axis that has the offline extent of time in
  /// dimension `axis`: `hop` samples of it, if all are equal.
  mlir::FailureOr<mlir::Value> uniform(mlir::Operation *op, mlir::Value offline, int64_t axis,
                                       int64_t hop);

  /// The last `count` samples of earlier calls, then those of this one.
  mlir::Value withHistory(mlir::Operation *op, const StreamFact &fact, int64_t count);
  /// The same stream with a larger delay.
  StreamFact delayed(mlir::Operation *op, StreamFact fact, int64_t delay);
  /// Every sample before the offline value's first becomes `fill`, if the stream
  /// has not begun behind them.
  StreamFact filledBefore(mlir::Operation *op, StreamFact fact, mlir::Attribute fill);
  /// Every sample behind the offline value's last becomes `fill`; may delay.
  StreamFact filledAfter(mlir::Operation *op, StreamFact fact, mlir::Attribute fill);
  /// The offline value with constant samples around it; negative counts crop.
  StreamFact padded(mlir::Operation *op, StreamFact fact, int64_t before, int64_t after,
                    mlir::Attribute fill);
  /// A stream in which all samples of its value come.
  StreamFact fromStart(mlir::Operation *op, StreamFact fact);

  /// A state of the streamed function, written once by writeState.
  StateReadOp makeState(mlir::Operation *op, llvm::StringRef purpose, mlir::ElementsAttr initial);
  void writeState(StateReadOp state, mlir::Value value);
  /// A boolean scalar: whether `count` calls went before this one.
  mlir::Value haveStarted(mlir::Operation *op, int64_t count);
  /// Integer scalars: calls before this one, and which call of a flush this is
  /// (0: of none).
  mlir::Value callCounter(mlir::Operation *op);
  mlir::Value flushCounter(mlir::Operation *op);
  /// `flushed` in calls of a flush, else `otherwise`.
  mlir::Value duringFlush(mlir::Operation *op, mlir::Value otherwise, mlir::Value flushed);
  mlir::Value slice(mlir::Location loc, mlir::Value x, int64_t axis, int64_t start, int64_t size);
  mlir::Value constant(mlir::Location loc, mlir::ElementsAttr value);
  /// `fill` as a tensor without dimensions.
  mlir::Value scalar(mlir::Location loc, mlir::Attribute fill);

private:
  void bindArguments();
  void visit(mlir::Operation &op);
  void finish(mlir::func::ReturnOp ret);
  void noteLookahead(mlir::Operation *op);
  void settleExtensions(mlir::Operation *op);
  mlir::Value masked(mlir::Operation *op, const StreamFact &fact, mlir::Value condition,
                     mlir::Attribute fill);

  mlir::func::FuncOp offline, streamed;
  llvm::SmallVector<StreamInput> inputs;
  mlir::OpBuilder b;
  llvm::DenseMap<mlir::Value, StreamFact> facts;
  llvm::DenseMap<mlir::Value, mlir::Value> statics;
  llvm::DenseSet<mlir::Value> poisoned;
  llvm::SmallVector<StreamRefusal> refused;
  llvm::SmallVector<std::pair<mlir::Operation *, int64_t>> waiting;
  llvm::SmallVector<SelectOp> flushMasks;
  mlir::Value calls, flushes;
  int64_t hop = 0, latencySamples = 0, drainSamples = 0;
};

} // namespace modelc

#endif // MODELC_PASSES_STREAM_STREAMER_H

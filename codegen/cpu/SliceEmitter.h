//===- SliceEmitter.h - passes over the elements of slices ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_CPU_SLICEEMITTER_H
#define MODELC_CODEGEN_CPU_SLICEEMITTER_H

#include "codegen/cpu/RowPlan.h"

namespace modelc {

/// Some elements of the current slices that are computed together.
struct SliceChunk {
  LaneSpan span;
  unsigned number;   ///< of the chunk, if all are unrolled
  mlir::Value place; ///< of the first element in a slice
};

/// Runs passes over slices: one slice at a time, with its elements in the lanes
/// (horizontal), or as many neighbouring slices as there are lanes (vertical).
///
/// Totals have a fixed order, the same for all slices of a kernel: up to four
/// vectors take turns along the slice's last dimension; they are joined in pairs,
/// and so are the halves of what is left of a horizontal total.
class SliceEmitter {
public:
  using Map = llvm::function_ref<mlir::Value(const SliceChunk &)>;
  using Combine = llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)>;

  SliceEmitter(KernelBuilder &k, const RowPlan &plan);

  /// Calls `body` for all slices in turn.
  void forSlices(llvm::function_ref<void()> body);

  /// The type of totals: of `element`, a scalar or one lane per slice.
  mlir::Type totalType(mlir::Type element) const;
  /// How many lanes a total has; 0: a scalar.
  int64_t totalLanes() const { return plan.isHorizontal() ? 0 : width; }
  /// How many lanes the elements have from which a total is made.
  int64_t partLanes() const { return width; }

  /// Adds what `map` returns for the elements to `initial`, one value per lane, by `combine`, and
  /// the sums by `join`.
  mlir::Value total(mlir::Value initial, Map map, Combine combine, Combine join);
  /// A total for each lane of the elements.
  mlir::Value spread(mlir::Value total);
  void each(llvm::function_ref<void(const SliceChunk &)> body);

  /// Keeps a value per element for the passes after this one.
  void keep(const SliceChunk &chunk, mlir::Value value);
  mlir::Value kept(const SliceChunk &chunk);
  /// Whether what is kept stays in registers.
  bool isUnrolled() const { return unrolled; }

  /// Operand `number` of the anchor.
  mlir::Value input(const SliceChunk &chunk, unsigned number);
  /// Delivers elements of the anchor's result.
  void store(const LaneSpan &span, mlir::Value value);
  /// The position of the current slices: where a result of one element per slice belongs.
  const LaneSpan &slices() const { return current; }

private:
  using Step = llvm::function_ref<Values(const SliceChunk &, const Values &, size_t)>;

  int64_t slicesAtOnce() const;
  void startSlices(llvm::function_ref<void()> body);
  void forLanes(llvm::function_ref<void()> body);
  int64_t extentInside(size_t dim) const;
  mlir::Value positionInside(size_t dim, mlir::Value at);
  /// The part of `chunk` at `at` of dimension `dim`, where `left` positions are left.
  SliceChunk enter(SliceChunk chunk, size_t dim, mlir::Value at, int64_t left);
  /// Runs `step` for all chunks with carried values; its last argument is the step along the
  /// innermost dimension, so that neighbours may take turns.
  Values pass(const Values &carried, Step step);
  Values passUnrolled(size_t i, const SliceChunk &chunk, const Values &carried, Step step);
  Values passLoops(size_t i, const SliceChunk &chunk, const Values &carried, Step step);
  mlir::Value fold(mlir::Value vector, Combine join);
  mlir::Value maskOf(const LaneSpan &span);
  mlir::Value placeOf(const SliceChunk &chunk);

  KernelBuilder &k;
  const RowPlan &plan;
  llvm::SmallVector<size_t, 6> insideDims; ///< outermost first; the lanes' last
  LaneSpan current;
  mlir::Value group;
  int64_t width; ///< lanes of the elements
  bool unrolled = false;
  unsigned nextNumber = 0;
  mlir::Value memory;
  llvm::SmallVector<mlir::Value> registers;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_SLICEEMITTER_H

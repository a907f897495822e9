//===- KernelBuilder.h - writes vector kernels by hand --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thin layer over OpBuilder for kernels of memrefs, `scf.for` with vectors
// as carried values, and 1-D vectors, unrolled by the C++ code that emits them.
// LLVM's short pipeline turns this shape into loops without spills.
//
// All memory is seen as one flat row of elements; positions are linear, so that
// constant distances between accesses become displacements of one address.
//
#ifndef MODELC_CODEGEN_CPU_KERNELBUILDER_H
#define MODELC_CODEGEN_CPU_KERNELBUILDER_H

#include "ir/KernelGenerator.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace modelc {

/// Values of a kernel under construction, usually the registers of a tile.
using Values = llvm::SmallVector<mlir::Value, 32>;

class KernelBuilder {
public:
  /// The body of one iteration: its index and carried values; returns the
  /// carried values of the next.
  using LoopBody = llvm::function_ref<Values(mlir::Value, const Values &)>;

  /// Begins the function of `kernel`, with an argument for each operand, and
  /// for each result that takes no operand's place.
  KernelBuilder(KernelOp kernel, llvm::StringRef symbol, TargetAttr target);

  /// Ends the function. The builder is of no use afterwards.
  KernelCode finish();

  mlir::ImplicitLocOpBuilder &builder() { return b; }
  TargetAttr target() const { return facts; }

  /// How many elements of a type fill a vector register; 1 without vectors.
  int64_t lanes(mlir::Type element) const;

  //===--- Memory: 1-D memrefs -------------------------------------------===//

  /// The memory of operand or result `number` of the kernel.
  mlir::Value operand(unsigned number) const { return operands[number]; }
  mlir::Value result(unsigned number) const { return results[number]; }
  /// The memory of a block argument of the kernel's body.
  mlir::Value memoryOf(mlir::Value argument) const {
    return operands[llvm::cast<mlir::BlockArgument>(argument).getArgNumber()];
  }
  /// A temporary of `count` elements that lives as long as the kernel runs.
  mlir::Value scratch(int64_t count, mlir::Type element);
  /// A constant array beside the code, made once at the start of the function.
  mlir::Value table(llvm::ArrayRef<double> values, mlir::Type element);

  /// Element `at`, as it is stored.
  mlir::Value load(mlir::Value memory, mlir::Value at);
  /// `lanes` elements from `at` on, as they are stored. Only the first `active`
  /// are read, the others are 0; a negative number reads all.
  mlir::Value loadVector(mlir::Value memory, mlir::Value at, int64_t lanes, int64_t active = -1);
  /// Stores a scalar or a vector; of a vector only the first `active` lanes.
  void store(mlir::Value value, mlir::Value memory, mlir::Value at, int64_t active = -1);

  /// As load and loadVector (`lanes` 0: a scalar), in the compute type of the
  /// tensor element type `element`: `f32` for half types, `i1` for booleans.
  mlir::Value read(mlir::Type element, mlir::Value memory, mlir::Value at, int64_t lanes,
                   int64_t active = -1);
  /// The inverse of read.
  void write(mlir::Type element, mlir::Value value, mlir::Value memory, mlir::Value at,
             int64_t active = -1);

  //===--- Arithmetic ----------------------------------------------------===//

  /// An index constant, made once at the start of the function.
  mlir::Value index(int64_t value);
  mlir::Value constant(mlir::TypedAttr value);
  /// A constant scalar or vector, made once at the start of the function.
  mlir::Value constant(mlir::Type type, double value);
  /// The element of a tensor constant of equal elements, in its compute type, in
  /// all lanes; `lanes` 0: a scalar.
  mlir::Value splat(mlir::Value constant, int64_t lanes);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value add(mlir::Value x, int64_t y);
  mlir::Value mul(mlir::Value x, int64_t y);
  /// `scalar` in all lanes; `lanes` 0 keeps the scalar.
  mlir::Value broadcast(mlir::Value scalar, int64_t lanes);
  /// `x * y + z` on vectors: one rounding if the target has the instruction,
  /// else two.
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z);

  //===--- Loops ---------------------------------------------------------===//

  /// Runs `body` for `lower`, `lower + step`, ... below `upper`; returns the
  /// carried values after the last iteration.
  Values loop(mlir::Value lower, mlir::Value upper, int64_t step, const Values &carried,
              LoopBody body);
  /// The same between constants: one iteration needs no loop, none no code.
  Values loop(int64_t lower, int64_t upper, int64_t step, const Values &carried, LoopBody body);
  /// Without carried values.
  void loop(int64_t lower, int64_t upper, int64_t step, llvm::function_ref<void(mlir::Value)> body);
  void loop(mlir::Value lower, mlir::Value upper, int64_t step,
            llvm::function_ref<void(mlir::Value)> body);

private:
  mlir::Value flat(mlir::Value memory);
  mlir::Value mask(int64_t lanes, int64_t active);
  /// Moves the builder to where constants live.
  void enterConstants();

  mlir::ImplicitLocOpBuilder b;
  TargetAttr facts;
  KernelCode code;
  mlir::func::FuncOp function;
  llvm::SmallVector<mlir::Value> operands, results;
  llvm::DenseMap<int64_t, mlir::Value> indices;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CPU_KERNELBUILDER_H

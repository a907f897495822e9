// Runs a kernel function inside the compiler: the evaluator behind constant folding.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/eval/Interpreter.h"
#include "codegen/eval/Decoder.h"
#include "codegen/eval/Execute.h"
#include "codegen/math/ExpandMath.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <cstdlib>

using namespace mlir;

namespace modelc {

char EvaluationError::ID = 0;

using Reason = EvaluationError::Reason;

Interpreter::Interpreter(std::unique_ptr<eval::Program> program) : program(std::move(program)) {}
Interpreter::Interpreter(Interpreter &&) = default;
Interpreter &Interpreter::operator=(Interpreter &&) = default;
Interpreter::~Interpreter() = default;

static bool needsExpansion(func::FuncOp fn) {
  WalkResult walk = fn.walk([](Operation *op) {
    bool isForeign = isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
                     !eval::findScalarRule(op->getName());
    return isForeign ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

/// A copy in which math functions are the polynomials that every target could run.
static llvm::Expected<OwningOpRef<func::FuncOp>> expandMath(func::FuncOp fn) {
  OwningOpRef<func::FuncOp> copy = fn.clone();
  MathOptions portable;
  portable.hasFma = false;
  portable.hasRound = true;
  RewritePatternSet patterns(fn.getContext());
  populateExpandMathPatterns(patterns, portable);
  if (failed(applyPatternsAndFoldGreedily(copy->getOperation(), std::move(patterns)))) {
    return eval::unsupported(fn, "the math functions do not expand");
  }
  return copy;
}

llvm::Expected<Interpreter> Interpreter::create(func::FuncOp fn) {
  OwningOpRef<func::FuncOp> expanded;
  func::FuncOp source = fn;
  if (needsExpansion(fn)) {
    auto copy = expandMath(fn);
    if (!copy) {
      return copy.takeError();
    }
    expanded = std::move(*copy);
    source = *expanded;
  }
  auto program = std::make_unique<eval::Program>();
  if (llvm::Error error = eval::Decoder(source, fn, *program).decode()) {
    return std::move(error);
  }
  return Interpreter(std::move(program));
}

static llvm::Error checkBuffers(const eval::Program &program,
                                ArrayRef<MutableArrayRef<char>> buffers) {
  if (buffers.size() != program.arguments) {
    return llvm::make_error<EvaluationError>(Reason::BadBuffers,
                                             ("expected " + llvm::Twine(program.arguments) +
                                              " buffers, got " + llvm::Twine(buffers.size()))
                                                 .str());
  }
  for (const eval::Region &region : program.regions) {
    if (region.kind == eval::Region::Argument &&
        buffers[region.argument].size() < region.offset + region.bytes) {
      return llvm::make_error<EvaluationError>(
          Reason::BadBuffers,
          ("argument " + llvm::Twine(region.argument) + " needs " +
           llvm::Twine(region.offset + region.bytes) + " bytes, its buffer has " +
           llvm::Twine(buffers[region.argument].size()))
              .str());
    }
  }
  return llvm::Error::success();
}

static llvm::Error executionError(const eval::Program &program, const eval::Execution &execution) {
  auto error = [&](Reason reason, const llvm::Twine &text) {
    return eval::evaluationError(reason, program.origins[execution.at], text);
  };
  switch (execution.outcome) {
  case eval::Outcome::Returned:
    return llvm::Error::success();
  case eval::Outcome::OutOfBudget:
    return error(Reason::OutOfBudget, "the evaluation takes too many steps");
  case eval::Outcome::OutOfBounds:
    return error(Reason::OutOfBounds, "index " + llvm::Twine(int64_t(execution.index)) +
                                          " is out of bounds, expected 0 <= index < " +
                                          llvm::Twine(execution.extent));
  case eval::Outcome::DivisionByZero:
    return error(Reason::DivisionByZero, "division by zero");
  case eval::Outcome::BadStep:
    return error(Reason::BadStep, "the step is not positive");
  }
  llvm_unreachable("an outcome without a message");
}

llvm::Expected<int32_t> Interpreter::run(ArrayRef<MutableArrayRef<char>> buffers,
                                         Budget &budget) const {
  if (llvm::Error error = checkBuffers(*program, buffers)) {
    return std::move(error);
  }
  // calloc: large zeroed memory costs nothing until it is touched, and failure is a value.
  std::unique_ptr<char, decltype(&std::free)> local(nullptr, &std::free);
  if (program->localBytes != 0) {
    local.reset(static_cast<char *>(std::calloc(program->localBytes, 1)));
    if (!local) {
      return llvm::make_error<EvaluationError>(
          Reason::OutOfMemory,
          ("no memory for " + llvm::Twine(program->localBytes) + " local bytes").str());
    }
  }
  llvm::SmallVector<char *> addresses;
  for (const eval::Region &region : program->regions) {
    switch (region.kind) {
    case eval::Region::Argument:
      addresses.push_back(buffers[region.argument].data() + region.offset);
      break;
    case eval::Region::Local:
      addresses.push_back(local.get() + region.offset);
      break;
    case eval::Region::Constant: // the decoder has refused every store to it
      addresses.push_back(const_cast<char *>(region.data));
      break;
    }
  }
  llvm::SmallVector<uint64_t> registers(program->registers.begin(), program->registers.end());
  eval::Execution execution =
      eval::execute(*program, registers.data(), addresses.data(), budget.steps);
  if (llvm::Error error = executionError(*program, execution)) {
    return std::move(error);
  }
  return execution.value;
}

llvm::Expected<int32_t> interpret(func::FuncOp fn, ArrayRef<MutableArrayRef<char>> buffers,
                                  Budget &budget) {
  auto interpreter = Interpreter::create(fn);
  if (!interpreter) {
    return interpreter.takeError();
  }
  return interpreter->run(buffers, budget);
}

} // namespace modelc

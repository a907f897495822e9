// The loop that runs a decoded program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_EVAL_EXECUTE_H
#define MODELC_CODEGEN_EVAL_EXECUTE_H

#include "codegen/eval/Program.h"

namespace modelc::eval {

enum class Outcome { Returned, OutOfBudget, OutOfBounds, DivisionByZero, BadStep };

struct Execution {
  Outcome outcome = Outcome::Returned;
  int32_t value = 0;  // Returned
  size_t at = 0;      // the instruction that ended the run
  uint64_t index = 0; // OutOfBounds: the index and what it must be below
  uint64_t extent = 0;
};

/// Runs a program on its registers (first values copied from the program) and on one address per
/// region, behind which lie the region's bytes. Takes executed instructions from `steps`.
Execution execute(const Program &program, uint64_t *registers, char *const *regions,
                  uint64_t &steps);

} // namespace modelc::eval

#endif // MODELC_CODEGEN_EVAL_EXECUTE_H

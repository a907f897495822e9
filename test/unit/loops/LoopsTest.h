// Runs single ops as loops in the interpreter, for tests of their semantics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TEST_UNIT_LOOPS_LOOPSTEST_H
#define MODELC_TEST_UNIT_LOOPS_LOOPSTEST_H

#include "test/unit/harness/Tensors.h"

namespace modelc::test {

struct Outcome {
  std::vector<Tensor> results;
  int32_t status;
};

/// Runs `op`, whose operands are named %0, %1, ...: "modelc.relu %0 : (tensor<4xf32>) -> ...".
/// Fails the test if it cannot be run.
Outcome runWithStatus(const std::string &op, const std::vector<Values> &operands);
std::vector<Tensor> run(const std::string &op, const std::vector<Values> &operands);

} // namespace modelc::test

#endif // MODELC_TEST_UNIT_LOOPS_LOOPSTEST_H

// Compiles single kernels as the compiler does, and runs them between fences.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   runKernel({{"tensor<3x5xf32>", "tensor<5x7xf32>"},
//              "%r = modelc.matmul %0, %1 : (tensor<3x5xf32>, tensor<5x7xf32>) ->
//              tensor<3x7xf32>\n" "modelc.yield %r : tensor<3x7xf32>", "matmul",
//              /*constants=*/{1}},
//             {x.values, y.values}, "x86-64-v3");
//
#ifndef MODELC_TEST_UNIT_CPU_CPUTEST_H
#define MODELC_TEST_UNIT_CPU_CPUTEST_H

#include "test/unit/harness/Tensors.h"

namespace modelc::test {

/// One kernel as text.
struct KernelCase {
  std::vector<std::string> types;       ///< of the operands, which are %0, %1, ...
  std::string body;                     ///< ops and the modelc.yield
  std::string generator;                ///< the name of the one that has to make the code
  std::vector<unsigned> constants = {}; ///< operands known to the compiler, which it may pack
};

/// The names of targets whose code runs here: from the oldest instruction set to this processor's.
const std::vector<std::string> &hostTargets();

/// The results of the kernel. Fails the test if another generator was chosen, if the code touches
/// memory outside of its operands (a fault, which names the case), or writes to an operand. Runs
/// twice, with fences behind and in front of all memory, which has the least alignment there is.
std::vector<Tensor> runKernel(const KernelCase &c, const std::vector<Values> &operands,
                              const std::string &target);

/// Tuples of `count` sizes that kernels of vectors get wrong first: every size stands at every
/// position. `rounds` many times as many tuples, each time others together.
std::vector<Shape> oddSizes(size_t count, int64_t largest = 100, unsigned rounds = 1);

} // namespace modelc::test

#endif // MODELC_TEST_UNIT_CPU_CPUTEST_H

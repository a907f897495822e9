//===- Inputs.h - what a command feeds to a model -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TOOLS_MODELC_INPUTS_H
#define MODELC_TOOLS_MODELC_INPUTS_H

#include "codegen/emit/LoadedModel.h"
#include "tools/modelc/Arguments.h"
#include "tools/modelc/Npy.h"

namespace modelc {

/// -i, --random, --seed.
llvm::ArrayRef<Flag> inputFlags();

/// One tensor per input of the model. Inputs without a file are random if
/// `mayBeRandom` or with --random, else an error that lists them.
llvm::Expected<std::vector<Tensor>> readInputs(const Arguments &arguments,
                                               const CompiledModel &model, bool mayBeRandom);

/// Floats from -1 to 1, bytes of any value, and 0 or 1 for wider integers,
/// which often are indices.
void fillRandom(Tensor &tensor, uint64_t seed);

/// An error that says what differs, with the flag to add.
llvm::Error checkFits(const Tensor &tensor, const TensorInfo &input);

std::vector<Tensor> makeTensors(llvm::ArrayRef<TensorInfo> infos);

/// Runs once; a status other than OK is an error in words.
llvm::Error runOnce(LoadedModel &loaded, llvm::ArrayRef<Tensor> inputs,
                    llvm::MutableArrayRef<Tensor> outputs);

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_INPUTS_H

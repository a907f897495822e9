// LLVM's fatal errors as values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_FATALERRORS_H
#define MODELC_CODEGEN_FATALERRORS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace modelc {

/// Runs `work` on this thread. When LLVM gives up in it ("Cannot select", "Do not know how to
/// split"), returns false with LLVM's text in `message`, instead of ending the process. The stack
/// of `work` is then abandoned, not unwound: what it was working on (the module and its context)
/// must be leaked, as pieces of it may refer to that stack.
bool runCatchingFatalErrors(llvm::function_ref<void()> work, std::string &message);

} // namespace modelc

#endif // MODELC_CODEGEN_FATALERRORS_H

//===- Verify.h - what modelc verify compares -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TOOLS_MODELC_VERIFY_H
#define MODELC_TOOLS_MODELC_VERIFY_H

#include "tools/modelc/Arguments.h"

namespace modelc {

/// Runs a model offline and made streaming (--stream), twice with a reset
/// between, and prints one line per output and stream. Returns whether they are
/// equal: floats within 1e-5 of the range, all else exactly.
llvm::Expected<bool> verifyStream(const Arguments &arguments);

} // namespace modelc

#endif // MODELC_TOOLS_MODELC_VERIFY_H

// What the table's families have in common: triples, LLVM's own lists of CPUs and features.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_CODEGEN_TARGETTABLE_H
#define MODELC_CODEGEN_TARGETTABLE_H

#include "codegen/Target.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class MCSubtargetInfo;
} // namespace llvm

namespace modelc {

/// The normalized triple of a family for an operating system ("linux" or "none"). `hardAbi` matters
/// on ARM only.
std::string familyTriple(TargetFamily family, llvm::StringRef arch, llvm::StringRef os,
                         bool hardAbi);

/// LLVM's description of one processor. `cpu` must be empty or a name that the family knows.
std::unique_ptr<llvm::MCSubtargetInfo> createSubtarget(llvm::StringRef triple, llvm::StringRef cpu,
                                                       llvm::StringRef features);

/// The row called `name`: one of targetRows(), or one made from LLVM's list of CPUs. Null when
/// there is none.
std::unique_ptr<TargetRow> findRow(llvm::StringRef name);

/// The (at most three) members of `names` that are closest to `wrong` and close enough to be a
/// typing error.
llvm::SmallVector<llvm::StringRef, 3> nearestNames(llvm::StringRef wrong,
                                                   llvm::ArrayRef<std::string> names);

} // namespace modelc

#endif // MODELC_CODEGEN_TARGETTABLE_H

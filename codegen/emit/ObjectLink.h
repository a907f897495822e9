//===- ObjectLink.h - Many relocatable objects into one -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_OBJECTLINK_H
#define MODELC_CODEGEN_EMIT_OBJECTLINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace modelc {

/// Links ELF objects into one relocatable object, in the order given. Uses lld
/// inside this process, one link at a time. lld resets every cl::opt of LLVM to
/// its default: no other thread may generate code meanwhile, and what was set
/// must be set again.
llvm::Expected<llvm::SmallVector<char, 0>>
linkRelocatable(llvm::ArrayRef<llvm::ArrayRef<char>> objects);

/// Makes all symbols local but `keep`, and drops those that nothing needs.
/// Debug information stays.
llvm::Expected<llvm::SmallVector<char, 0>> localizeSymbols(llvm::ArrayRef<char> object,
                                                           llvm::ArrayRef<std::string> keep);

/// Points section `section` and symbol `symbol` of an object to `size` bytes that
/// are to follow behind the object, and pads the object to where they begin.
llvm::Error growSection(llvm::SmallVectorImpl<char> &object, llvm::StringRef section,
                        llvm::StringRef symbol, uint64_t size);

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_OBJECTLINK_H

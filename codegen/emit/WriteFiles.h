//===- WriteFiles.h - All files or none -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_EMIT_WRITEFILES_H
#define MODELC_CODEGEN_EMIT_WRITEFILES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace modelc {

/// Files of one directory that appear together: written under temporary names,
/// renamed by commit. Without a successful commit none of them is left, nor a
/// directory that was created for them; signals remove the temporary ones.
class FileSet {
public:
  explicit FileSet(llvm::StringRef directory) : directory(directory.str()) {}
  FileSet(const FileSet &) = delete;
  FileSet &operator=(const FileSet &) = delete;
  ~FileSet();

  llvm::Error add(llvm::StringRef name, llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);
  llvm::Error commit();

private:
  llvm::Error createDirectory();
  std::string pathOf(llvm::StringRef name) const;

  struct Pending {
    std::string name;
    llvm::sys::fs::TempFile file;
  };
  std::string directory;
  std::vector<std::string> createdDirectories; // outermost first
  bool prepared = false;
  std::vector<Pending> pending;
};

} // namespace modelc

#endif // MODELC_CODEGEN_EMIT_WRITEFILES_H

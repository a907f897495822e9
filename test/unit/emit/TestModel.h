// A small compiled model made by hand, and the programs that use libraries of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_TEST_UNIT_EMIT_TESTMODEL_H
#define MODELC_TEST_UNIT_EMIT_TESTMODEL_H

#include "codegen/Target.h"
#include "codegen/emit/Emit.h"
#include "llvm/ADT/SmallString.h"
#include <optional>

namespace modelc::test {

/// Owns the weights of a model; check.c knows the values.
///
///   dense: s = W x            (16 x 16, weights at 0)
///   relu:  s = max(s, 0)      (in place)
///   bias:  y = s + b          (weights at 1152, behind a gap)
///   count: count = ++state    (begins at 5, or at the next of `firstCount`)
///   pick:  picked = 2 x[index], status 7 if index is out of range
struct TestModel {
  explicit TestModel(llvm::StringRef name, const Target &target, int firstCount = 5);

  std::vector<float> matrix, bias;
  CompiledModel model;
};

Target target(llvm::StringRef name);

/// A directory that is removed with the object.
class ScratchDirectory {
public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory &) = delete;
  ScratchDirectory &operator=(const ScratchDirectory &) = delete;

  llvm::StringRef path() const { return directory; }
  std::string file(llvm::StringRef name) const;
  std::vector<std::string> list() const;

private:
  llvm::SmallString<128> directory;
};

struct ProgramResult {
  int status = 0;
  std::string output; // standard output and error
};

/// Runs a program of the PATH; nothing if there is none of that name.
std::optional<ProgramResult> runProgram(llvm::ArrayRef<llvm::StringRef> words);

std::string readFile(llvm::StringRef path);

} // namespace modelc::test

#endif // MODELC_TEST_UNIT_EMIT_TESTMODEL_H

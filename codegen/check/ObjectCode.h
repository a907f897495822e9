//===- ObjectCode.h - Sections, symbols, relocations of a library ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A view of an ELF object or of an archive of them as one program that is not
// linked yet. The file may come from anyone: what is malformed is an error.
//
//===----------------------------------------------------------------------===//

#ifndef MODELC_CODEGEN_CHECK_OBJECTCODE_H
#define MODELC_CODEGEN_CHECK_OBJECTCODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace modelc {

enum class Machine : uint8_t { X86, AArch64, Thumb };

/// An offset in a section; sections are numbered over all members.
using CodePlace = std::pair<unsigned, uint64_t>;

struct ObjectSymbol {
  llvm::StringRef name;
  unsigned member = 0;
  std::optional<unsigned> section; // nothing: undefined, common or absolute
  uint64_t value = 0, size = 0;    // without the bit that marks Thumb code
  bool undefined = false, common = false, global = false, function = false;
};

struct ObjectRelocation {
  uint64_t offset;
  uint32_t type;
  unsigned symbol; // in ObjectCode::symbols
  int64_t addend;  // zero where the instruction or datum holds it
};

struct ObjectSection {
  llvm::StringRef name;
  unsigned member = 0;
  llvm::ArrayRef<uint8_t> bytes; // empty if it takes no space in the file
  uint64_t size = 0;
  bool allocated = false, writable = false, executable = false;
  bool hasImplicitAddends = false;
  std::vector<ObjectRelocation> relocations;        // sorted by offset
  std::vector<std::pair<uint64_t, bool>> data;      // from the offset on: data (true) or code
  std::vector<std::pair<uint64_t, unsigned>> names; // symbols with a name, sorted by value
};

class ObjectCode {
public:
  /// `file` must outlive the result.
  static llvm::Expected<ObjectCode> read(llvm::MemoryBufferRef file);

  Machine machine = Machine::X86;
  std::vector<std::string> members;
  std::vector<ObjectSection> sections;
  std::vector<ObjectSymbol> symbols;

  /// The definition of a symbol: itself, or that of another member.
  const ObjectSymbol &definition(const ObjectSymbol &symbol) const;
  /// Whether a function begins at `place`.
  bool isFunctionStart(CodePlace place) const { return starts.contains(place); }
  /// "g.o: g_run+0x1c"
  std::string describe(CodePlace place) const;
  /// "g_run", or "section+offset" where no symbol is.
  std::string nameOf(CodePlace place) const;
  /// Relocations of `section` in [offset, offset + size).
  llvm::ArrayRef<ObjectRelocation> relocationsAt(CodePlace place, uint64_t size) const;
  /// A table of BoundTables.h: the records of all sections of this name.
  llvm::Expected<llvm::DenseMap<CodePlace, uint64_t>> table(llvm::StringRef name) const;

private:
  template <class ELFT> llvm::Error readMember(llvm::MemoryBufferRef member);
  llvm::Error readObject(llvm::MemoryBufferRef member);
  void index();

  llvm::StringMap<unsigned> definitions; // global symbols
  llvm::DenseMap<CodePlace, unsigned> starts;
};

} // namespace modelc

#endif // MODELC_CODEGEN_CHECK_OBJECTCODE_H

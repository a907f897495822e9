//===- ObjectCheck.cpp - What an emitted object promises ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/ObjectCheck.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace llvm;
using namespace llvm::object;
using namespace modelc;

static Expected<std::unique_ptr<ObjectFile>> openElf(ArrayRef<char> bytes, StringRef name) {
  auto object =
      ObjectFile::createELFObjectFile(MemoryBufferRef(StringRef(bytes.data(), bytes.size()), name));
  if (!object) {
    return object.takeError();
  }
  return std::move(*object);
}

static Error broken(const Twine &what) {
  return createStringError(inconvertibleErrorCode(), "the emitted object " + what);
}

static Expected<std::vector<std::string>> undefinedSymbols(const ObjectFile &object) {
  std::vector<std::string> names;
  for (const SymbolRef &symbol : object.symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    if (!flags) {
      return flags.takeError();
    }
    Expected<StringRef> name = symbol.getName();
    if (!name) {
      return name.takeError();
    }
    if ((*flags & SymbolRef::SF_Undefined) && !name->empty()) {
      names.push_back(name->str());
    }
  }
  llvm::sort(names);
  return names;
}

Expected<std::vector<std::string>> modelc::undefinedSymbols(ArrayRef<char> bytes, StringRef name) {
  auto object = openElf(bytes, name);
  if (!object) {
    return object.takeError();
  }
  return ::undefinedSymbols(**object);
}

Expected<uint64_t> modelc::codeBytes(ArrayRef<char> bytes, StringRef name) {
  auto object = openElf(bytes, name);
  if (!object) {
    return object.takeError();
  }
  uint64_t size = 0;
  for (const SectionRef &section : (*object)->sections()) {
    if (ELFSectionRef(section).getFlags() & ELF::SHF_EXECINSTR) {
      size += section.getSize();
    }
  }
  return size;
}

static Error checkGlobals(const ObjectFile &object, ArrayRef<std::string> interface) {
  for (const SymbolRef &symbol : object.symbols()) {
    uint32_t flags = cantFail(symbol.getFlags());
    StringRef name = cantFail(symbol.getName());
    bool isGlobal = (flags & SymbolRef::SF_Global) && !(flags & SymbolRef::SF_Undefined);
    if (isGlobal && !is_contained(interface, name)) {
      return broken("has the global symbol '" + name + "'");
    }
  }
  return Error::success();
}

static Error checkSections(const ObjectFile &object, JoinedObject &facts, StringRef weights) {
  for (const SectionRef &section : object.sections()) {
    ELFSectionRef elf(section);
    uint64_t flags = elf.getFlags();
    Expected<StringRef> name = section.getName();
    if (!name) {
      return name.takeError();
    }
    bool allocated = flags & ELF::SHF_ALLOC;
    if (allocated && (flags & ELF::SHF_WRITE)) {
      return broken("has the writable section '" + *name + "'");
    }
    if (flags & ELF::SHF_EXECINSTR) {
      facts.codeBytes += section.getSize();
    } else if (allocated && *name != weights) {
      facts.readOnlyBytes += section.getSize();
    }
  }
  // In a relocatable object the relocations are sections of their own.
  for (const SectionRef &section : object.sections()) {
    Expected<section_iterator> target = section.getRelocatedSection();
    if (!target) {
      return target.takeError();
    }
    if (*target == object.section_end() || section.relocation_begin() == section.relocation_end()) {
      continue;
    }
    uint64_t flags = ELFSectionRef(**target).getFlags();
    bool readOnlyData = (flags & ELF::SHF_ALLOC) && !(flags & ELF::SHF_EXECINSTR);
    // The index of functions that ARM's ABI asks for; it says "cannot unwind".
    bool exempt = ELFSectionRef(**target).getType() == ELF::SHT_ARM_EXIDX;
    if (readOnlyData && !exempt) {
      Expected<StringRef> name = (*target)->getName();
      return broken("has relocations in read-only data, section '" +
                    (name ? *name : StringRef("?")) + "'");
    }
  }
  return Error::success();
}

Error modelc::checkObject(JoinedObject &facts, ArrayRef<std::string> interface, StringRef weights) {
  auto object = openElf(facts.bytes, "joined object");
  if (!object) {
    return object.takeError();
  }
  auto undefined = ::undefinedSymbols(**object);
  if (!undefined) {
    return undefined.takeError();
  }
  // Comes with the large code model of weights beyond 1 GiB; every linker defines
  // it by itself.
  facts.imports = *undefined;
  erase(*undefined, "_GLOBAL_OFFSET_TABLE_");
  if (!undefined->empty()) {
    return broken("needs symbols that nobody defines: " + join(*undefined, ", "));
  }
  if (Error error = checkGlobals(**object, interface)) {
    return error;
  }
  return checkSections(**object, facts, weights);
}

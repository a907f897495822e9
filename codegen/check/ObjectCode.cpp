//===- ObjectCode.cpp - Sections, symbols, relocations of a library -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/check/ObjectCode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace modelc;

/// Far above what any library has, and low enough for the memory at hand.
static constexpr size_t maxSections = size_t(1) << 20, maxSymbols = size_t(1) << 22;

static Error malformed(const Twine &what) {
  return createStringError(inconvertibleErrorCode(), what);
}

static Expected<Machine> machineOf(unsigned number) {
  switch (number) {
  case ELF::EM_X86_64:
    return Machine::X86;
  case ELF::EM_AARCH64:
    return Machine::AArch64;
  case ELF::EM_ARM:
    return Machine::Thumb;
  default:
    return malformed("code for ELF machine " + Twine(number) +
                     ": only 64-bit x86 and ARM and microcontrollers with Thumb-2 can be checked");
  }
}

/// $d begins data among code, $x and $t code; "$x.12" is the same. Nothing for other names.
static std::optional<bool> mappingOf(StringRef name) {
  bool marks = name.size() >= 2 && name[0] == '$' && (name.size() == 2 || name[2] == '.');
  if (!marks || !StringRef("dxt").contains(name[1])) {
    return std::nullopt;
  }
  return name[1] == 'd';
}

namespace {

/// Reads one member; the numbers of its sections and symbols begin at `firstSection` and
/// `firstSymbol` of the whole.
template <class ELFT> class MemberReader {
public:
  MemberReader(ObjectCode &code, const object::ELFFile<ELFT> &file, unsigned member)
      : code(code), file(file), member(member), firstSection(code.sections.size()),
        firstSymbol(code.symbols.size()) {}

  Error read() {
    auto headers = file.sections();
    if (!headers) {
      return headers.takeError();
    }
    if (code.sections.size() + headers->size() > maxSections) {
      return malformed("too many sections");
    }
    for (const auto &header : *headers) {
      if (Error error = readSection(header)) {
        return error;
      }
    }
    for (const auto &header : *headers) {
      if (header.sh_type == ELF::SHT_SYMTAB) {
        if (Error error = readSymbols(header, headers->size())) {
          return error;
        }
      }
    }
    for (const auto &header : *headers) {
      if (Error error = readRelocations(header, headers->size())) {
        return error;
      }
    }
    return Error::success();
  }

private:
  Error readSection(const typename ELFT::Shdr &header) {
    ObjectSection section;
    Expected<StringRef> name = file.getSectionName(header);
    if (!name) {
      return name.takeError();
    }
    section.name = *name;
    section.member = member;
    section.size = header.sh_size;
    section.allocated = header.sh_flags & ELF::SHF_ALLOC;
    section.writable = header.sh_flags & ELF::SHF_WRITE;
    section.executable = header.sh_flags & ELF::SHF_EXECINSTR;
    if (header.sh_type != ELF::SHT_NOBITS && header.sh_type != ELF::SHT_NULL) {
      auto bytes = file.getSectionContents(header);
      if (!bytes) {
        return bytes.takeError();
      }
      section.bytes = *bytes;
    }
    code.sections.push_back(std::move(section));
    return Error::success();
  }

  Error readSymbols(const typename ELFT::Shdr &header, size_t sections) {
    auto strings = file.getStringTableForSymtab(header);
    if (!strings) {
      return strings.takeError();
    }
    auto entries = file.symbols(&header);
    if (!entries) {
      return entries.takeError();
    }
    if (hasSymbols || code.symbols.size() + entries->size() > maxSymbols) {
      return malformed("more than one symbol table, or one that is too long");
    }
    hasSymbols = true;
    for (const auto &entry : *entries) {
      Expected<StringRef> name = entry.getName(*strings);
      if (!name) {
        return name.takeError();
      }
      if (Error error = addSymbol(entry, *name, sections)) {
        return error;
      }
    }
    return Error::success();
  }

  Error addSymbol(const typename ELFT::Sym &entry, StringRef name, size_t sections) {
    ObjectSymbol symbol;
    symbol.name = name;
    symbol.member = member;
    symbol.value = entry.st_value;
    symbol.size = entry.st_size;
    symbol.global = entry.getBinding() != ELF::STB_LOCAL;
    symbol.function = entry.getType() == ELF::STT_FUNC || entry.getType() == ELF::STT_GNU_IFUNC;
    symbol.common = entry.st_shndx == ELF::SHN_COMMON;
    // The very first symbol is a placeholder without a name.
    symbol.undefined = entry.st_shndx == ELF::SHN_UNDEF && !name.empty();
    if (entry.st_shndx == ELF::SHN_XINDEX) {
      return malformed("a symbol in a section beyond number 65279");
    }
    if (entry.st_shndx != ELF::SHN_UNDEF && entry.st_shndx < ELF::SHN_LORESERVE) {
      if (entry.st_shndx >= sections) {
        return malformed("symbol '" + name + "' in a section that is not there");
      }
      addDefinition(entry, symbol);
    }
    code.symbols.push_back(symbol);
    return Error::success();
  }

  void addDefinition(const typename ELFT::Sym &entry, ObjectSymbol &symbol) {
    symbol.section = firstSection + entry.st_shndx;
    ObjectSection &section = code.sections[*symbol.section];
    if (code.machine == Machine::Thumb && symbol.function) {
      symbol.value &= ~uint64_t(1);
    }
    if (std::optional<bool> isData = mappingOf(symbol.name)) {
      section.data.emplace_back(symbol.value, *isData);
    } else if (!symbol.name.empty() && entry.getType() != ELF::STT_SECTION) {
      section.names.emplace_back(symbol.value, code.symbols.size());
    }
  }

  Error readRelocations(const typename ELFT::Shdr &header, size_t sections) {
    bool explicitAddends = header.sh_type == ELF::SHT_RELA;
    if (!explicitAddends && header.sh_type != ELF::SHT_REL) {
      return Error::success();
    }
    if (header.sh_info >= sections) {
      return malformed("relocations of a section that is not there");
    }
    ObjectSection &section = code.sections[firstSection + header.sh_info];
    if (explicitAddends) {
      auto entries = file.relas(header);
      if (!entries) {
        return entries.takeError();
      }
      for (const auto &entry : *entries) {
        section.relocations.push_back({entry.r_offset, entry.getType(false),
                                       firstSymbol + entry.getSymbol(false), entry.r_addend});
      }
    } else {
      auto entries = file.rels(header);
      if (!entries) {
        return entries.takeError();
      }
      section.hasImplicitAddends = true;
      for (const auto &entry : *entries) {
        section.relocations.push_back(
            {entry.r_offset, entry.getType(false), firstSymbol + entry.getSymbol(false), 0});
      }
    }
    for (const ObjectRelocation &relocation : section.relocations) {
      if (relocation.symbol >= code.symbols.size()) {
        return malformed("a relocation of a symbol that is not there");
      }
    }
    return Error::success();
  }

  ObjectCode &code;
  const object::ELFFile<ELFT> &file;
  unsigned member;
  unsigned firstSection, firstSymbol;
  bool hasSymbols = false;
};

} // namespace

template <class ELFT> Error ObjectCode::readMember(MemoryBufferRef member) {
  auto file = object::ELFFile<ELFT>::create(member.getBuffer());
  if (!file) {
    return file.takeError();
  }
  if (file->getHeader().e_type != ELF::ET_REL) {
    return malformed("a linked program, not an object");
  }
  Expected<Machine> found = machineOf(file->getHeader().e_machine);
  if (!found) {
    return found.takeError();
  }
  if (!members.empty() && *found != machine) {
    return malformed("code for another processor than the members before");
  }
  machine = *found;
  members.push_back(member.getBufferIdentifier().str());
  return MemberReader<ELFT>(*this, *file, members.size() - 1).read();
}

Error ObjectCode::readObject(MemoryBufferRef member) {
  StringRef bytes = member.getBuffer();
  bool little = bytes.size() > ELF::EI_DATA && uint8_t(bytes[ELF::EI_DATA]) == ELF::ELFDATA2LSB;
  if (identify_magic(bytes) != file_magic::elf_relocatable || !little) {
    return malformed("not a little-endian ELF object");
  }
  return uint8_t(bytes[ELF::EI_CLASS]) == ELF::ELFCLASS32 ? readMember<object::ELF32LE>(member)
                                                          : readMember<object::ELF64LE>(member);
}

static Error inMember(StringRef name, Error error) {
  return error ? malformed("'" + name + "': " + toString(std::move(error))) : Error::success();
}

Expected<ObjectCode> ObjectCode::read(MemoryBufferRef file) {
  ObjectCode code;
  if (identify_magic(file.getBuffer()) != file_magic::archive) {
    if (Error error = code.readObject(file)) {
      return std::move(error);
    }
    code.index();
    return code;
  }
  auto archive = object::Archive::create(file);
  if (!archive) {
    return archive.takeError();
  }
  if ((*archive)->isThin()) {
    return malformed("a thin archive, which holds no code");
  }
  Error broken = Error::success();
  for (const object::Archive::Child &child : (*archive)->children(broken)) {
    Expected<MemoryBufferRef> member = child.getMemoryBufferRef();
    Error error = member ? inMember(member->getBufferIdentifier(), code.readObject(*member))
                         : member.takeError();
    if (error) {
      consumeError(std::move(broken));
      return std::move(error);
    }
  }
  if (broken) {
    return std::move(broken);
  }
  if (code.members.empty()) {
    return malformed("an archive without a member");
  }
  code.index();
  return code;
}

void ObjectCode::index() {
  for (ObjectSection &section : sections) {
    llvm::sort(section.data);
    llvm::sort(section.names);
    llvm::sort(section.relocations, [](const ObjectRelocation &a, const ObjectRelocation &b) {
      return std::tie(a.offset, a.type, a.symbol, a.addend) <
             std::tie(b.offset, b.type, b.symbol, b.addend);
    });
  }
  for (const auto &[i, symbol] : enumerate(symbols)) {
    if (symbol.section && symbol.global) {
      definitions.try_emplace(symbol.name, i);
    }
    if (symbol.section && symbol.function) {
      starts.try_emplace({*symbol.section, symbol.value}, i);
    }
  }
}

const ObjectSymbol &ObjectCode::definition(const ObjectSymbol &symbol) const {
  auto found = symbol.undefined ? definitions.find(symbol.name) : definitions.end();
  return found == definitions.end() ? symbol : symbols[found->second];
}

std::string ObjectCode::nameOf(CodePlace place) const {
  const ObjectSection &section = sections[place.first];
  auto start = starts.find(place);
  if (start != starts.end()) {
    return symbols[start->second].name.str();
  }
  auto after = llvm::upper_bound(section.names, std::make_pair(place.second, UINT_MAX));
  StringRef base = section.name;
  uint64_t offset = place.second;
  if (after != section.names.begin()) {
    base = symbols[std::prev(after)->second].name;
    offset -= std::prev(after)->first;
  }
  return base.str() + (offset ? "+0x" + utohexstr(offset, /*LowerCase=*/true) : "");
}

std::string ObjectCode::describe(CodePlace place) const {
  return members[sections[place.first].member] + ": " + nameOf(place);
}

ArrayRef<ObjectRelocation> ObjectCode::relocationsAt(CodePlace place, uint64_t size) const {
  ArrayRef<ObjectRelocation> all = sections[place.first].relocations;
  auto before = [](const ObjectRelocation &relocation, uint64_t offset) {
    return relocation.offset < offset;
  };
  auto first = std::lower_bound(all.begin(), all.end(), place.second, before);
  auto last = std::lower_bound(first, all.end(), place.second + size, before);
  return {first, last};
}

Expected<DenseMap<CodePlace, uint64_t>> ObjectCode::table(StringRef name) const {
  DenseMap<CodePlace, uint64_t> records;
  unsigned pointerBytes = machine == Machine::Thumb ? 4 : 8, recordBytes = pointerBytes + 8;
  for (const auto &[number, section] : enumerate(sections)) {
    if (section.name != name) {
      continue;
    }
    for (const ObjectRelocation &relocation : section.relocations) {
      const ObjectSymbol &symbol = symbols[relocation.symbol];
      bool fits = relocation.offset % recordBytes == 0 &&
                  relocation.offset <= section.bytes.size() &&
                  section.bytes.size() - relocation.offset >= recordBytes && symbol.section;
      if (!fits) {
        return malformed("section '" + name + "' of '" + members[section.member] +
                         "' is not as modelc writes it");
      }
      const uint8_t *record = section.bytes.data() + relocation.offset;
      uint64_t addend = section.hasImplicitAddends ? support::endian::read32le(record)
                                                   : static_cast<uint64_t>(relocation.addend);
      uint64_t count = support::endian::read64le(record + pointerBytes);
      uint64_t &known = records[{*symbol.section, symbol.value + addend}];
      known = std::max(known, count);
    }
  }
  return records;
}

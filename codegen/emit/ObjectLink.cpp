//===- ObjectLink.cpp - Many relocatable objects into one -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/ObjectLink.h"
#include "codegen/emit/Layout.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/Binary.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;
using namespace modelc;

static Error writeFile(StringRef path, ArrayRef<char> bytes) {
  std::error_code code;
  raw_fd_ostream stream(path, code);
  if (!code) {
    stream << StringRef(bytes.data(), bytes.size());
    stream.close();
    code = stream.error();
    stream.clear_error();
  }
  return code ? createFileError(path, code) : Error::success();
}

/// lld has global state: one link at a time in a process.
static Error runLld(ArrayRef<const char *> arguments) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::string output;
  raw_string_ostream stream(output);
  const lld::DriverDef drivers[] = {{lld::Gnu, &lld::elf::link}};
  lld::Result result = lld::lldMain(arguments, stream, stream, drivers);
  if (result.retCode != 0 || !result.canRunAgain) {
    return createStringError(inconvertibleErrorCode(),
                             "linking the library's object failed: " + stream.str());
  }
  return Error::success();
}

Expected<SmallVector<char, 0>> modelc::linkRelocatable(ArrayRef<ArrayRef<char>> objects) {
  // lld reads files only. Their names do not get into the output.
  SmallString<128> directory;
  if (std::error_code code = sys::fs::createUniqueDirectory("modelc", directory)) {
    return createStringError(code, "cannot create a temporary directory");
  }
  auto cleanUp = make_scope_exit([&] { sys::fs::remove_directories(directory); });
  std::vector<std::string> paths;
  for (auto [i, object] : enumerate(objects)) {
    SmallString<128> path = directory;
    std::string file;
    raw_string_ostream(file) << format("%06zu.o", size_t(i));
    sys::path::append(path, file);
    if (Error error = writeFile(path, object)) {
      return std::move(error);
    }
    paths.push_back(path.str().str());
  }
  SmallString<128> output = directory;
  sys::path::append(output, "joined.o");
  std::vector<const char *> arguments = {"ld.lld",          "-r", "--threads=1",
                                         "--build-id=none", "-o", output.c_str()};
  for (const std::string &path : paths) {
    arguments.push_back(path.c_str());
  }
  if (Error error = runLld(arguments)) {
    return std::move(error);
  }
  auto buffer = MemoryBuffer::getFile(output, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) {
    return createFileError(output, buffer.getError());
  }
  return SmallVector<char, 0>((*buffer)->getBufferStart(), (*buffer)->getBufferEnd());
}

Expected<SmallVector<char, 0>> modelc::localizeSymbols(ArrayRef<char> object,
                                                       ArrayRef<std::string> keep) {
  using namespace llvm::objcopy;
  ConfigManager manager;
  CommonConfig &config = manager.Common;
  config.InputFilename = "joined.o";
  config.OutputFilename = "joined.o";
  auto fail = [](Error error) { return error; };
  for (const std::string &symbol : keep) {
    if (Error error = config.SymbolsToKeepGlobal.addMatcher(
            NameOrPattern::create(symbol, MatchStyle::Literal, fail))) {
      return std::move(error);
    }
  }
  // Not StripUnneeded: that deletes the debug information as well.
  if (Error error = config.UnneededSymbolsToRemove.addMatcher(
          NameOrPattern::create("*", MatchStyle::Wildcard, fail))) {
    return std::move(error);
  }
  auto binary =
      object::createBinary(MemoryBufferRef(StringRef(object.data(), object.size()), "joined.o"));
  if (!binary) {
    return binary.takeError();
  }
  SmallVector<char, 0> output;
  raw_svector_ostream stream(output);
  if (Error error = executeObjcopyOnBinary(manager, **binary, stream)) {
    return std::move(error);
  }
  return output;
}

template <class ELFT>
static Error growSectionOf(MutableArrayRef<char> object, StringRef section, StringRef symbol,
                           uint64_t at, uint64_t size) {
  auto file = object::ELFFile<ELFT>::create(StringRef(object.data(), object.size()));
  if (!file) {
    return file.takeError();
  }
  auto sections = file->sections();
  if (!sections) {
    return sections.takeError();
  }
  // The views that ELFFile gives are const, the bytes below them are ours.
  unsigned changed = 0;
  for (const typename ELFT::Shdr &header : *sections) {
    Expected<StringRef> name = file->getSectionName(header);
    if (!name) {
      return name.takeError();
    }
    if (*name == section) {
      auto &ours = const_cast<typename ELFT::Shdr &>(header);
      ours.sh_offset = at;
      ours.sh_size = size;
      ++changed;
    }
    if (header.sh_type != ELF::SHT_SYMTAB) {
      continue;
    }
    auto strings = file->getStringTableForSymtab(header);
    if (!strings) {
      return strings.takeError();
    }
    auto symbols = file->symbols(&header);
    if (!symbols) {
      return symbols.takeError();
    }
    for (const typename ELFT::Sym &entry : *symbols) {
      Expected<StringRef> entryName = entry.getName(*strings);
      if (!entryName) {
        return entryName.takeError();
      }
      if (*entryName == symbol) {
        const_cast<typename ELFT::Sym &>(entry).st_size = size;
        ++changed;
      }
    }
  }
  return changed == 2 ? Error::success()
                      : createStringError(inconvertibleErrorCode(),
                                          "the joined object has no placeholder for the weights");
}

Error modelc::growSection(SmallVectorImpl<char> &object, StringRef section, StringRef symbol,
                          uint64_t size) {
  uint64_t at = alignTo(object.size(), weightAlign);
  object.resize(at);
  bool is32 = object[ELF::EI_CLASS] == ELF::ELFCLASS32;
  if (is32 && size > UINT32_MAX - at) {
    return createStringError(inconvertibleErrorCode(), "the weights do not fit a 32-bit object");
  }
  return is32 ? growSectionOf<object::ELF32LE>(object, section, symbol, at, size)
              : growSectionOf<object::ELF64LE>(object, section, symbol, at, size);
}

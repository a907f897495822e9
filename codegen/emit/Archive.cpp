//===- Archive.cpp - The library file -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/Archive.h"
#include "codegen/emit/CoreModule.h"
#include "codegen/emit/ObjectLink.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

static void writeWeights(raw_ostream &out, const CompiledModel &model) {
  uint64_t at = 0;
  auto padTo = [&](uint64_t offset) {
    // write_zeros takes an unsigned count.
    for (; at < offset; at += std::min<uint64_t>(offset - at, 1u << 30)) {
      out.write_zeros(static_cast<unsigned>(std::min<uint64_t>(offset - at, 1u << 30)));
    }
  };
  for (const WeightPiece &piece : model.weights) {
    padTo(piece.offset);
    out.write(piece.bytes.data(), piece.bytes.size());
    at += piece.bytes.size();
  }
  padTo(model.weightBytes);
}

/// The object with room for the weights behind it.
static Expected<SmallVector<char, 0>>
withRoom(const JoinedObject &object, const CompiledModel &model, const modelc::Target &target) {
  SmallVector<char, 0> grown = object.bytes;
  if (Error error = growSection(grown, weightSection(model, target), model.name + "_weights",
                                model.weightBytes)) {
    return std::move(error);
  }
  return grown;
}

Error modelc::writeObject(raw_ostream &out, const JoinedObject &object, const CompiledModel &model,
                          const modelc::Target &target) {
  auto grown = withRoom(object, model, target);
  if (!grown) {
    return grown.takeError();
  }
  out.write(grown->data(), grown->size());
  writeWeights(out, model);
  return Error::success();
}

/// The 60 bytes before a member: name 16, date 12, owner 6, group 6, mode 8,
/// size 10, end 2; all text padded with blanks.
static constexpr size_t memberHeaderBytes = 60, memberSizeAt = 48, memberSizeDigits = 10;

Error modelc::writeArchive(raw_ostream &out, const JoinedObject &object, const CompiledModel &model,
                           const modelc::Target &target) {
  auto room = withRoom(object, model, target);
  if (!room) {
    return room.takeError();
  }
  const SmallVector<char, 0> &grown = *room;
  uint64_t memberBytes = grown.size() + model.weightBytes;
  std::string size;
  raw_string_ostream(size) << left_justify(utostr(memberBytes), memberSizeDigits);
  if (size.size() != memberSizeDigits) {
    return createStringError(inconvertibleErrorCode(),
                             "the weights are too large for an archive (10 GB)");
  }
  std::string memberName = model.name + ".o";
  NewArchiveMember member(MemoryBufferRef(StringRef(grown.data(), grown.size()), memberName));
  auto archive = writeArchiveToBuffer(member, SymtabWritingMode::NormalSymtab,
                                      object::Archive::K_GNU, /*Deterministic=*/true,
                                      /*Thin=*/false);
  if (!archive) {
    return archive.takeError();
  }
  // The object is the last thing in the archive and has an even size, so nothing
  // follows it: only its header has to learn of the weights.
  StringRef bytes = (*archive)->getBuffer();
  size_t header = bytes.size() - grown.size() - memberHeaderBytes;
  out << bytes.take_front(header + memberSizeAt) << size
      << bytes.drop_front(header + memberSizeAt + memberSizeDigits);
  writeWeights(out, model);
  if (memberBytes % 2) {
    out << '\n';
  }
  return Error::success();
}

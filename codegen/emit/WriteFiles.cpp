//===- WriteFiles.cpp - All files or none ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/WriteFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

std::string FileSet::pathOf(StringRef name) const {
  SmallString<128> path(directory);
  sys::path::append(path, name);
  return path.str().str();
}

FileSet::~FileSet() {
  for (Pending &file : pending) {
    consumeError(file.file.discard());
  }
  for (const std::string &path : reverse(createdDirectories)) {
    // Fails if somebody else has put a file there, which then is to stay.
    (void)sys::fs::remove(path);
  }
}

Error FileSet::createDirectory() {
  if (prepared) {
    return Error::success();
  }
  prepared = true;
  std::vector<StringRef> missing; // innermost first
  for (StringRef path = directory; !path.empty() && !sys::fs::exists(path);
       path = sys::path::parent_path(path)) {
    missing.push_back(path);
  }
  // One by one: "new/../old" does not exist before "new" does, yet old must
  // not be removed when something fails.
  for (StringRef path : reverse(missing)) {
    std::error_code code =
        sys::fs::create_directory(path, /*IgnoreExisting=*/false, sys::fs::all_all);
    if (!code) {
      createdDirectories.push_back(path.str());
    } else if (code != std::errc::file_exists) {
      return createFileError(path, code);
    } else if (!sys::fs::is_directory(path)) {
      return createFileError(path, std::make_error_code(std::errc::not_a_directory));
    }
  }
  return Error::success();
}

Error FileSet::add(StringRef name, function_ref<Error(raw_ostream &)> write) {
  if (Error error = createDirectory()) {
    return error;
  }
  // In the same directory: a rename across file systems is no rename.
  auto file = sys::fs::TempFile::create(pathOf(name) + ".%%%%%%.tmp");
  if (!file) {
    return joinErrors(
        createStringError(inconvertibleErrorCode(), "cannot write to '%s'", directory.c_str()),
        file.takeError());
  }
  int descriptor = file->FD;
  pending.push_back({name.str(), std::move(*file)});
  raw_fd_ostream stream(descriptor, /*shouldClose=*/false);
  Error error = write(stream);
  stream.flush();
  std::error_code code = stream.error();
  stream.clear_error();
  if (error) {
    return error;
  }
  return code ? createFileError(pathOf(name), code) : Error::success();
}

Error FileSet::commit() {
  std::vector<std::string> done;
  while (!pending.empty()) {
    Pending next = std::move(pending.back());
    pending.pop_back();
    std::string path = pathOf(next.name);
    if (Error error = next.file.keep(path)) {
      for (const std::string &other : done) {
        (void)sys::fs::remove(other);
      }
      return createFileError(path, std::move(error));
    }
    done.push_back(path);
  }
  createdDirectories.clear();
  return Error::success();
}

//===- EmitLibrary.cpp - The files of a library ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Target.h"
#include "codegen/emit/Archive.h"
#include "codegen/emit/CHeader.h"
#include "codegen/emit/Emit.h"
#include "codegen/emit/Manifest.h"
#include "codegen/emit/Packages.h"
#include "codegen/emit/WriteFiles.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace modelc;

Error modelc::emitLibrary(const CompiledModel &model, const modelc::Target &target,
                          StringRef directory, const EmitOptions &options) {
  Expected<JoinedObject> object = joinObject(model, target, options);
  if (!object) {
    return object.takeError();
  }
  auto realTime = checkRealTime(
      MemoryBufferRef(StringRef(object->bytes.data(), object->bytes.size()), model.name + ".o"));
  if (!realTime) {
    return realTime.takeError();
  }
  Expected<std::string> json = manifest(model, target, *object, *realTime, options);
  if (!json) {
    return json.takeError();
  }
  FileSet files(directory);
  if (Error error = files.add("lib" + model.name + ".a", [&](raw_ostream &out) {
        return writeArchive(out, *object, model, target);
      })) {
    return error;
  }
  const std::pair<std::string, std::string> texts[] = {
      {model.name + ".h", cHeader(model, target, *realTime, options)},
      {model.name + ".json", *json},
      {model.name + ".pc", pkgConfig(model, options)},
      {model.name + "Config.cmake", cmakePackage(model, options)}};
  for (const auto &[name, text] : texts) {
    const std::string &content = text;
    if (Error error = files.add(name, [&](raw_ostream &out) {
          out << content;
          return Error::success();
        })) {
      return error;
    }
  }
  return files.commit();
}

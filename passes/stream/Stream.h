//===- Stream.h - which input of a model streams, and how -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MODELC_PASSES_STREAM_STREAM_H
#define MODELC_PASSES_STREAM_STREAM_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace modelc {

/// One `--stream INPUT:AXIS=HOP`.
struct StreamSpec {
  std::string input;
  int64_t axis = 0, hop = 0;
};

/// Reads "audio:2=160"; nothing if it is not of that form.
std::optional<StreamSpec> parseStreamSpec(llvm::StringRef text);

} // namespace modelc

#endif // MODELC_PASSES_STREAM_STREAM_H

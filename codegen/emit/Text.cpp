//===- Text.cpp - Text of a model inside generated files ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/emit/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

std::string modelc::escapeForComment(StringRef text, size_t limit) {
  std::string out;
  for (char c : text.take_front(limit)) {
    // No '*': neither "*/" nor, behind a '/', the start of another comment. No
    // '\' and '?': no line continuation, no trigraph. No '$' and '@': CMake
    // and pkg-config replace variables.
    if (isAlnum(c) || StringRef(" _-.:,;=+()[]<>/").contains(c)) {
      out += c;
      continue;
    }
    out += "\\x";
    out += hexdigit(static_cast<unsigned char>(c) >> 4, /*LowerCase=*/true);
    out += hexdigit(static_cast<unsigned char>(c) & 15, /*LowerCase=*/true);
  }
  return text.size() > limit ? out + "..." : out;
}

std::string modelc::escapeForJson(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

std::string modelc::asciiJson(StringRef json) {
  // A JSON text has such characters inside of its strings only.
  SmallVector<UTF16, 0> units;
  std::string out;
  if (!convertUTF8ToUTF16String(json, units)) {
    return out;
  }
  for (UTF16 unit : units) {
    if (unit < 0x7f) {
      out += static_cast<char>(unit);
      continue;
    }
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) {
      out += hexdigit((unit >> shift) & 15, /*LowerCase=*/true);
    }
  }
  return out;
}

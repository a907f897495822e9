// Text from a model file made fit for a message.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Quote.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"

#include <optional>

namespace modelc {

/// Cuts to `maxBytes`, not inside a character.
static llvm::StringRef cutText(llvm::StringRef text, size_t maxBytes) {
  text = text.take_front(maxBytes);
  while (!text.empty() && (text.back() & 0xC0) == 0x80) {
    text = text.drop_back();
  }
  if (!text.empty() && (text.back() & 0x80)) {
    text = text.drop_back();
  }
  return text;
}

static void appendByte(std::string &out, unsigned char byte) {
  out += "\\x";
  out += llvm::hexdigit(byte >> 4);
  out += llvm::hexdigit(byte & 15);
}

/// Takes one character from `text`, which is not empty, and returns its code
/// point; nothing if the next byte begins none.
static std::optional<llvm::UTF32> takeCharacter(llvm::StringRef &text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  const auto *at = begin, *end = reinterpret_cast<const llvm::UTF8 *>(text.end());
  llvm::UTF32 code = 0;
  if (llvm::convertUTF8Sequence(&at, end, &code, llvm::strictConversion) != llvm::conversionOK) {
    return std::nullopt;
  }
  text = text.drop_front(at - begin);
  return code;
}

std::string printable(llvm::StringRef text) {
  std::string result;
  while (!text.empty()) {
    llvm::StringRef rest = text;
    std::optional<llvm::UTF32> code = takeCharacter(rest);
    if (!code) {
      appendByte(result, text.front());
      text = text.drop_front();
      continue;
    }
    llvm::StringRef bytes = text.drop_back(rest.size());
    text = rest;
    if (llvm::sys::unicode::isPrintable(static_cast<int>(*code))) {
      result += bytes;
    } else if (*code < 0x80) {
      appendByte(result, static_cast<unsigned char>(*code));
    } else {
      // Controls of the terminal, and what reorders or hides its neighbours.
      result += "\\u{" + llvm::utohexstr(*code) + "}";
    }
  }
  return result;
}

std::string quoted(llvm::StringRef text, size_t maxBytes) {
  llvm::StringRef shown = text.size() > maxBytes ? cutText(text, maxBytes) : text;
  std::string escaped;
  for (char c : shown) {
    if (c == '\'' || c == '\\') {
      escaped += '\\';
    }
    escaped += c;
  }
  return "'" + printable(escaped) + (text.size() > maxBytes ? "'..." : "'");
}

std::string flagText(llvm::StringRef text) {
  bool isPlain = !text.empty() && text.size() <= 200 && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("_.-:/").contains(c);
  });
  return isPlain ? text.str() : quoted(text, 200);
}

} // namespace modelc

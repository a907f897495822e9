// Text from a model file made fit for a message.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Quote.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

namespace modelc {

std::string quoted(llvm::StringRef text, size_t maxBytes) {
  bool cut = text.size() > maxBytes;
  if (cut) {
    text = text.take_front(maxBytes);
    // Do not leave a part of a multi-byte character at the cut.
    while (!text.empty() && (text.back() & 0xC0) == 0x80) {
      text = text.drop_back();
    }
    if (!text.empty() && (text.back() & 0x80)) {
      text = text.drop_back();
    }
  }
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(text.end());
  bool isUtf8 = llvm::isLegalUTF8String(&begin, end);
  std::string result = "'";
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned char c = text[i];
    // U+0080..U+009F are control characters too (0xC2 0x80..0x9F in UTF-8).
    bool isC1 = c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (c < 0x20 || c == 0x7F || isC1 || (c >= 0x80 && !isUtf8)) {
      result += "\\x";
      result += llvm::hexdigit(c >> 4);
      result += llvm::hexdigit(c & 15);
      if (isC1 && isUtf8) {
        ++i;
        unsigned char next = text[i];
        result += "\\x";
        result += llvm::hexdigit(next >> 4);
        result += llvm::hexdigit(next & 15);
      }
      continue;
    }
    if (c == '\'' || c == '\\') {
      result += '\\';
    }
    result += static_cast<char>(c);
  }
  result += cut ? "'..." : "'";
  return result;
}

std::string flagText(llvm::StringRef text) {
  bool isPlain = !text.empty() && text.size() <= 200 && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("_.-:/").contains(c);
  });
  return isPlain ? text.str() : quoted(text, 200);
}

} // namespace modelc

// Text of a model never reaches a terminal unescaped.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Quote.h"

#include "gtest/gtest.h"

using namespace modelc;

TEST(Quote, KeepsPlainText) {
  EXPECT_EQ(quoted("conv1/weight"), "'conv1/weight'");
  EXPECT_EQ(quoted(""), "''");
}

TEST(Quote, EscapesControlBytes) {
  EXPECT_EQ(quoted("a\x1b[31mb\n"), "'a\\x1B[31mb\\x0A'");
  EXPECT_EQ(quoted(llvm::StringRef("a\0b", 3)), "'a\\x00b'");
  EXPECT_EQ(quoted("it's \\"), "'it\\'s \\\\'");
}

TEST(Quote, KeepsUtf8AndEscapesWhatIsNot) {
  EXPECT_EQ(quoted("gr\xC3\xBC\xC3\x9F \xE5\xB1\x82"), "'gr\xC3\xBC\xC3\x9F \xE5\xB1\x82'");
  EXPECT_EQ(quoted("\xC3\xBC\xFF\x80"), "'\xC3\xBC\\xFF\\x80'");
  // A surrogate, an overlong form, and a character that is cut.
  EXPECT_EQ(quoted("\xED\xA0\x80"), "'\\xED\\xA0\\x80'");
  EXPECT_EQ(quoted("\xC0\xAF"), "'\\xC0\\xAF'");
  EXPECT_EQ(quoted("\xE2\x80"), "'\\xE2\\x80'");
}

TEST(Quote, EscapesWhatReordersOrHides) {
  // U+009B starts an escape sequence on some terminals.
  EXPECT_EQ(quoted("a\xC2\x9B"), "'a\\u{9B}'");
  EXPECT_EQ(quoted("a\xE2\x80\xAE"
                   "b"),
            "'a\\u{202E}b'");                            // right to left from here
  EXPECT_EQ(quoted("\xE2\x81\xA6"), "'\\u{2066}'");      // an isolate
  EXPECT_EQ(quoted("\xE2\x80\x8B"), "'\\u{200B}'");      // no width
  EXPECT_EQ(quoted("\xE2\x80\xA8"), "'\\u{2028}'");      // a line separator
  EXPECT_EQ(quoted("\xF3\xA0\x80\x81"), "'\\u{E0001}'"); // a tag
}

TEST(Quote, CutsLongText) {
  EXPECT_EQ(quoted(std::string(100, 'x'), 4), "'xxxx'...");
  // Not inside a character.
  EXPECT_EQ(quoted("ab\xE2\x82\xAC", 4), "'ab'...");
}

TEST(Quote, FlagText) {
  EXPECT_EQ(flagText("input.1"), "input.1");
  EXPECT_EQ(flagText("a b"), "'a b'");
}

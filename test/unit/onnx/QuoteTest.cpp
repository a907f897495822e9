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
  EXPECT_EQ(quoted("gr\xC3\xBC\xC3\x9F"), "'gr\xC3\xBC\xC3\x9F'");
  EXPECT_EQ(quoted("a\xFF\x80"), "'a\\xFF\\x80'");
  // U+009B starts an escape sequence on some terminals.
  EXPECT_EQ(quoted("a\xC2\x9B"), "'a\\xC2\\x9B'");
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

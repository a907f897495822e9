// Names of a model as identifiers and inside generated text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/emit/Identifier.h"
#include "codegen/emit/Text.h"
#include "gtest/gtest.h"

using namespace modelc;

TEST(Identifier, ReplacesRunsOfOtherCharacters) {
  EXPECT_EQ(makeIdentifier("audio"), "audio");
  EXPECT_EQ(makeIdentifier("a.b/c"), "a_b_c");
  EXPECT_EQ(makeIdentifier("a::b  c"), "a_b_c");
  EXPECT_EQ(makeIdentifier("\xc3\xa9t\xc3\xa9"), "_t_");
  EXPECT_EQ(makeIdentifier(""), "unnamed");
}

TEST(Identifier, PrefixesDigitsKeywordsAndMacros) {
  EXPECT_EQ(makeIdentifier("3x3"), "_3x3");
  EXPECT_EQ(makeIdentifier("int"), "_int");
  EXPECT_EQ(makeIdentifier("class"), "_class");
  EXPECT_EQ(makeIdentifier("_Bool"), "___Bool");
  EXPECT_EQ(makeIdentifier("NULL"), "_NULL");
  EXPECT_EQ(makeIdentifier("__FILE__"), "___FILE__");
  EXPECT_EQ(makeIdentifier("size_t"), "_size_t");
}

TEST(Identifier, KnowsIdentifiers) {
  EXPECT_TRUE(isIdentifier("x"));
  EXPECT_TRUE(isIdentifier("_0"));
  for (const char *text : {"", "0", "a-b", "int", "a b", "\xc3\xa9", "__LINE__", "modelc_status"}) {
    EXPECT_FALSE(isIdentifier(text)) << text;
  }
  for (const char *text : {"", "0", "int", "__LINE__", "a\nb", "_Bool", "$", "modelc_status"}) {
    EXPECT_TRUE(isIdentifier(makeIdentifier(text))) << text;
  }
}

TEST(Identifier, NumbersClashes) {
  IdentifierTable table;
  EXPECT_EQ(table.add("x"), "x");
  EXPECT_EQ(table.add("x_2"), "x_2");
  EXPECT_EQ(table.add("x"), "x_3");
  EXPECT_EQ(table.add("x"), "x_4");
  EXPECT_EQ(table.add("a.b"), "a_b");
  EXPECT_EQ(table.add("a/b"), "a_b_2");
}

TEST(Identifier, StaysDistinctAtItsLongest) {
  IdentifierTable table;
  std::string text(100, 'a');
  std::string first = table.add(text), second = table.add(text);
  EXPECT_EQ(first.size(), 63u);
  EXPECT_EQ(second.size(), 63u);
  EXPECT_NE(first, second);
}

TEST(Text, CannotLeaveAComment) {
  EXPECT_EQ(escapeForComment("conv_1.weight [2]"), "conv_1.weight [2]");
  EXPECT_EQ(escapeForComment("*/ int x; /*"), "\\x2a/ int x; /\\x2a");
  EXPECT_EQ(escapeForComment("a\nb\\"), "a\\x0ab\\x5c");
  EXPECT_EQ(escapeForComment("${x} @x@ \x1b[31m ?\?/"),
            "\\x24\\x7bx\\x7d \\x40x\\x40 \\x1b[31m \\x3f\\x3f/");
  EXPECT_EQ(escapeForComment("\xe2\x80\xae"), "\\xe2\\x80\\xae");
  EXPECT_EQ(escapeForComment("abcdef", 3), "abc...");
}

TEST(Text, IsValidInJson) {
  EXPECT_EQ(escapeForJson("\xc3\xa9"), "\xc3\xa9");
  EXPECT_EQ(escapeForJson("\xff"), "\xef\xbf\xbd");
}

TEST(Text, WritesJsonInAscii) {
  EXPECT_EQ(asciiJson("{\"\xc3\xa9\": \"\x7f\xf0\x9f\x98\x80\"}"),
            "{\"\\u00e9\": \"\\u007f\\ud83d\\ude00\"}");
}

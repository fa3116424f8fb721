// SPDX-License-Identifier: Apache-2.0
//
// Quoting, nesting and failure of response files.
#include "cc/response_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace raddle::cc {
namespace {

using Words = std::vector<std::string>;

class ResponseFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "raddle-rsp-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(directory_ / name) << text;
    return "@" + (directory_ / name).string();
  }

  std::filesystem::path directory_;
};

TEST(SplitWords, SeparatesAtAnyWhiteSpace) {
  EXPECT_EQ(split_words(" -c\ta.c\n\n-o\r\na.o "), (Words{"-c", "a.c", "-o", "a.o"}));
  EXPECT_EQ(split_words(" \n"), Words{});
}

TEST(SplitWords, QuotesGroupAndJoinTheirNeighbours) {
  EXPECT_EQ(split_words(R"('a b' "c d" e' 'f)"), (Words{"a b", "c d", "e f"}));
  EXPECT_EQ(split_words(R"("it's" 'say "x"')"), (Words{"it's", "say \"x\""}));
}

TEST(SplitWords, EmptyQuotesAreAWord) { EXPECT_EQ(split_words("a '' b"), (Words{"a", "", "b"})); }

TEST(SplitWords, BackslashIsLiteralisingEverywhere) {
  EXPECT_EQ(split_words(R"(a\ b -DX=\"y\" 'it\'s' "q\"q" \\)"),
            (Words{"a b", "-DX=\"y\"", "it's", "q\"q", "\\"}));
}

TEST(SplitWords, UnterminatedQuoteEndsAtTheEnd) {
  EXPECT_EQ(split_words("a 'b c"), (Words{"a", "b c"}));
}

TEST(JoinWords, SplitsBackIntoTheSameWords) {
  const Words words = {"", "a b", "c'd", "e\"f", "g\\h", "i\nj", "-DX=\"y z\"", "@k"};
  EXPECT_EQ(split_words(join_words(words)), words);
}

TEST_F(ResponseFile, KeepsBothTheOriginalAndItsWords) {
  const std::string file = write("one", "-c 'a b.c'");
  Result<std::vector<Argument>> args = expand_response_files({"-O2", file});
  ASSERT_TRUE(args);
  ASSERT_EQ(args->size(), 2u);
  EXPECT_EQ((*args)[0].words, Words{"-O2"});
  EXPECT_EQ((*args)[1].original, file);
  EXPECT_EQ((*args)[1].words, (Words{"-c", "a b.c"}));
}

TEST_F(ResponseFile, NestedFilesAreExpandedInPlace) {
  const std::string inner = write("inner", "-DIN -shared");
  const std::string outer = write("outer", "-DA " + inner + " -DB");
  Result<std::vector<Argument>> args = expand_response_files({outer});
  ASSERT_TRUE(args);
  EXPECT_EQ((*args)[0].words, (Words{"-DA", "-DIN", "-shared", "-DB"}));
}

TEST_F(ResponseFile, MissingFileAndDirectoryStayOrdinaryWords) {
  const std::string missing = "@" + (directory_ / "none").string();
  const std::string folder = "@" + directory_.string();
  Result<std::vector<Argument>> args = expand_response_files({missing, folder, "@"});
  ASSERT_TRUE(args);
  EXPECT_EQ((*args)[0].words, Words{missing});
  EXPECT_EQ((*args)[1].words, Words{folder});
  EXPECT_EQ((*args)[2].words, Words{"@"});
}

TEST_F(ResponseFile, EmptyFileHasNoWords) {
  Result<std::vector<Argument>> args = expand_response_files({write("empty", "")});
  ASSERT_TRUE(args);
  EXPECT_EQ((*args)[0].words, Words{});
}

TEST_F(ResponseFile, FileThatIncludesItselfIsAnErrorThatNamesIt) {
  const std::string self = "@" + (directory_ / "self").string();
  write("self", "-c " + self);
  Result<std::vector<Argument>> args = expand_response_files({self});
  ASSERT_FALSE(args);
  EXPECT_NE(args.error().message.find(self), std::string::npos);
  EXPECT_EQ(args.error().exit_code, 2);
}

}  // namespace
}  // namespace raddle::cc

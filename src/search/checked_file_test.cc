// SPDX-License-Identifier: Apache-2.0
//
// Files that are whole or refused: contents of every length, and writing that fails. Tests only.
#include "search/checked_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>

#include "base/rng.h"

namespace raddle::search {
namespace {

using ::testing::HasSubstr;

class CheckedFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/raddle-checked-test-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    path_ = directory_ + "/file";
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  Status write(std::string_view contents) {
    CheckedWriter file(path_);
    file.put("abcdefgh", 8);
    file.put(std::uint32_t{3});
    file.put_string(contents);
    return file.finish();
  }
  // The contents, or what is wrong.
  std::string read(std::uint32_t version = 3, std::string_view mark = "abcdefgh") {
    CheckedReader file;
    Status opened = file.open(path_, mark, "a test file", version);
    if (!opened) return opened.error().message;
    std::string contents;
    EXPECT_TRUE(file.get_string(contents));
    EXPECT_EQ(file.left(), 0u);
    char more;
    EXPECT_FALSE(file.get(more));
    return contents;
  }
  std::size_t files() {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(directory_),
                                                  std::filesystem::directory_iterator()));
  }

  std::string directory_;
  std::string path_;
};

TEST_F(CheckedFileTest, ContentsOfEveryLengthComeBack) {
  Rng rng(1);
  std::string text;
  for (std::size_t size : {0, 1, 7, 8, 9, 1000, 65000, 65515, 65516, 65517, 65536, 200001}) {
    while (text.size() < size) text.push_back(static_cast<char>(rng.next()));
    ASSERT_TRUE(write(text));
    EXPECT_TRUE(read() == text) << size;
    EXPECT_EQ(files(), 1u);
  }
}

TEST_F(CheckedFileTest, WhatIsNotOursIsTurnedAway) {
  EXPECT_EQ(read(), "cannot read " + path_ + ": No such file or directory");
  ASSERT_TRUE(write("text"));
  EXPECT_EQ(read(4),
            path_ + " is a test file in format 3, and this version of raddle reads format 4");
  EXPECT_EQ(read(3, "abcdefgi"), path_ + " is not a test file: it begins differently");
  std::ofstream(path_) << "";
  EXPECT_EQ(read(), path_ + " is not a test file: it begins differently");
  std::ofstream(path_) << "abc";
  EXPECT_EQ(read(), path_ + " is damaged: it is too short");
  path_ = directory_;
  EXPECT_EQ(read(), path_ + " is not a test file: no regular file");
}

TEST_F(CheckedFileTest, EveryChangedBitIsNoticed) {
  ASSERT_TRUE(write("some contents that are not long"));
  std::string whole;
  {
    std::ifstream in(path_, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(in), {});
  }
  for (std::size_t bit = 12 * 8; bit < whole.size() * 8; ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    std::filesystem::remove(path_);
    std::ofstream(path_, std::ios::binary) << flipped;
    ASSERT_EQ(read(), path_ + " is damaged: its checksum does not fit its contents") << bit;
  }
}

TEST_F(CheckedFileTest, WritingThatFailsLeavesTheOldFile) {
  ASSERT_TRUE(write("old"));
  auto previous = signal(SIGXFSZ, SIG_IGN);
  rlimit old;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  rlimit small = old;
  small.rlim_cur = 100000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  Status status = write(std::string(300000, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  signal(SIGXFSZ, previous);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "cannot write " + path_ + ": File too large");
  EXPECT_EQ(read(), "old");
  EXPECT_EQ(files(), 1u) << "nothing stays beside";

  {
    CheckedWriter file(path_);
    file.put("abcdefgh", 8);
    file.fail(Error{"the reason"});
    file.put("more", 4);
    Status failed = file.finish();
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().message, "the reason");
  }
  EXPECT_EQ(read(), "old");
  path_ = directory_ + "/missing/file";
  status = write("text");
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("cannot create " + path_));
}

}  // namespace
}  // namespace raddle::search

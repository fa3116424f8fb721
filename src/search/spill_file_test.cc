// SPDX-License-Identifier: Apache-2.0
//
// Temporary files: what is written is read, nothing stays behind, and errors say where. Tests only.
#include "search/spill_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <numeric>

namespace raddle::search {
namespace {

using ::testing::HasSubstr;

class SpillFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/raddle-spill-test-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string directory_;
};

TEST_F(SpillFileTest, WhatWasAppendedIsRead) {
  Result<SpillFile> file = SpillFile::create(directory_);
  ASSERT_TRUE(file) << file.error().message;
  std::vector<std::uint32_t> numbers(100000);
  std::iota(numbers.begin(), numbers.end(), 7u);
  for (std::uint32_t number : numbers) ASSERT_TRUE(file->append(&number, sizeof number));
  ASSERT_TRUE(file->flush());
  EXPECT_EQ(file->size(), 400000u);
  std::vector<std::uint32_t> back(100000);
  ASSERT_TRUE(file->read(0, back.data(), 400000));
  EXPECT_EQ(back, numbers);
  std::uint32_t one = 0;
  ASSERT_TRUE(file->read(4 * 31415, &one, sizeof one));
  EXPECT_EQ(one, numbers[31415]);

  ASSERT_TRUE(file->truncate(40));
  EXPECT_EQ(file->size(), 40u);
  one = 99;
  ASSERT_TRUE(file->append(&one, sizeof one));
  ASSERT_TRUE(file->flush());
  ASSERT_TRUE(file->read(36, back.data(), 8));
  EXPECT_EQ(back[0], numbers[9]);
  EXPECT_EQ(back[1], 99u);
}

TEST_F(SpillFileTest, TheFileHasNoName) {
  Result<SpillFile> file = SpillFile::create(directory_);
  ASSERT_TRUE(file);
  SpillFile moved = std::move(*file);
  ASSERT_TRUE(moved.append("x", 1));
  ASSERT_TRUE(moved.flush());
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
}

TEST_F(SpillFileTest, ADirectoryThatIsNoneIsNamed) {
  std::string missing = directory_ + "/missing";
  Result<SpillFile> file = SpillFile::create(missing);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message, "cannot create a temporary file in " + missing +
                                      " for the state of the search: No such file or directory");
  Result<SpillFile> other = SpillFile::create("/proc/version");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("/proc/version"));
}

}  // namespace
}  // namespace raddle::search

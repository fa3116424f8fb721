// SPDX-License-Identifier: Apache-2.0
//
// Records of how to start a program: complete, and refused when they are damaged.
#include "launch/target_start.h"

#include <gtest/gtest.h>

namespace raddle::launch {
namespace {

TargetStart example() {
  TargetStart start;
  start.path = "/bin/echo";
  start.name = "echo";
  start.directory = "/tmp";
  start.argv = {"echo", "", "two words"};
  start.environment = {"A=1", "B=", "to be completed"};
  start.files = {.shared = 120, .command = 121, .reply = 121, .output = 122, .error = 123};
  start.input = 124;
  return start;
}

TEST(TargetStart, SurvivesItsRecord) {
  TargetStart start = example();
  auto read = parse_start_record(start_record(start));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->path, start.path);
  EXPECT_EQ(read->name, start.name);
  EXPECT_EQ(read->directory, start.directory);
  EXPECT_EQ(read->argv, start.argv);
  ASSERT_EQ(read->environment.size(), start.environment.size());
  EXPECT_EQ(read->environment[0], "A=1");
  EXPECT_EQ(read->environment[1], "B=");
  EXPECT_TRUE(read->environment[2].starts_with("RADDLE_CONTROL="));
  EXPECT_EQ(read->files.shared, 120);
  EXPECT_EQ(read->files.command, 121);
  EXPECT_EQ(read->files.reply, 121);
  EXPECT_EQ(read->files.output, 122);
  EXPECT_EQ(read->files.error, 123);
  EXPECT_EQ(read->input, 124);
  EXPECT_EQ(start_record(*read), start_record(start));
}

TEST(TargetStart, RefusesDamagedRecords) {
  std::string record = start_record(example());
  for (std::size_t size = 0; size < record.size(); ++size)
    EXPECT_FALSE(parse_start_record(record.substr(0, size))) << size;
  EXPECT_FALSE(parse_start_record(record + "more"));
  std::string other = record;
  other[other.size() - 2] = 'x';
  EXPECT_FALSE(parse_start_record(other));
}

}  // namespace
}  // namespace raddle::launch

// SPDX-License-Identifier: Apache-2.0
//
// Records as lines of JSON, there and back, and what is wrong with lines that are none.
#include "memo/records_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace raddle::memo {
namespace {

using ::testing::HasSubstr;

std::string problem(const std::string& line) {
  auto record = parse_record(line);
  return record ? "none" : record.error().message;
}

TEST(RecordsJson, ComeBackAsTheyWere) {
  const ProgramRecord program{"/src/\"bank\"\n", "b1"};
  CampaignRecord campaign{"u1", program, "2 x", "in.txt", "dpor", UINT64_MAX,    1700000000,
                          true, 7,       3,     0.125,    true,   "all 7 traces"};
  std::vector<Record> all{
      program,
      PlaceRecord{program, "bank", 77, "bank:f()+0x3", "bank.cpp", 12},
      LearnedRecord{program, "--strategy=dpor\n", "1 shared", "bank", 77},
      campaign,
      SightingRecord{"u1", "deadlock", "deadlock a:3", "message\nof two lines", "s", 5, 6, 2},
      PropertyRecord{program, "pinv", UINT64_MAX, 1, "read 1 1 bank:f()+0x3\n", "account.\"x\""},
      CoverageRecord{"u1", "pinv", UINT64_MAX, 3, 1700000000, 12, true, 5, 4},
      GrowthRecord{"u1", "pinv", 40, 7, "about 2^140.2", true, "1:3 7:7"},
      TrainingRecord{"t1", program, "2 x", "in.txt", "word", 1, 1700000000, true, 7, 3, 2},
      InvariantRecord{"t1", "bank:f()+0x3", "bank.cpp", 12, 7, 1}};
  for (const Record& record : all) {
    std::string line = print_record(record);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    auto again = parse_record(line);
    ASSERT_TRUE(again) << line;
    EXPECT_EQ(*again, record) << line;
  }
}

TEST(RecordsJson, WhatIsWrongIsNamed) {
  EXPECT_EQ(problem("{"), "not an object of JSON");
  EXPECT_EQ(problem(""), "not an object of JSON");
  EXPECT_EQ(problem("[1]"), "not an object of JSON");
  EXPECT_EQ(problem("{}"), "`type` is missing or no string");
  EXPECT_THAT(problem(R"({"type":"sight"})"), HasSubstr("unknown type `sight`: expected program"));
  EXPECT_EQ(problem(R"({"type":"program","program":"p"})"), "`build` is missing in a program");
  EXPECT_EQ(problem(R"({"type":"program","program":1,"build":"b"})"),
            "`program` must be a string in a program");
  EXPECT_THAT(problem(R"({"type":"place","program":"p","build":"b","module":"m","offset":-1,)"
                      R"("site":"s","file":"","line":0})"),
              HasSubstr("`offset` must be a whole number from 0 on"));
  EXPECT_THAT(problem(R"({"type":"place","program":"p","build":"b","module":"m","offset":1,)"
                      R"("site":"s","file":"","line":0.5})"),
              HasSubstr("`line` must be a whole number"));
}

TEST(RecordsJson, FurtherFieldsAreNoError) {
  EXPECT_EQ(problem(R"({"type":"program","program":"p","build":"b","later":1})"), "none");
}

}  // namespace
}  // namespace raddle::memo

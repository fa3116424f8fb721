// SPDX-License-Identifier: Apache-2.0
//
// Coverage added up over campaigns and builds, in words and as a picture. Engine side.
#include "cli/coverage_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/coverage_svg.h"
#include "cli/property_words.h"

namespace raddle::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::SizeIs;

const memo::ProgramRecord kOld{"/src/bank", "b1"}, kNew{"/src/bank", "b2"};

class CoverageSummaryTest : public ::testing::Test {
 protected:
  void campaign(const std::string& uid, const memo::ProgramRecord& program, std::int64_t begun,
                std::uint64_t runs) {
    memo::CampaignRecord record;
    record.uid = uid;
    record.program = program;
    record.begun = begun;
    campaigns_.push_back(record);
    later_.push_back(memo::GrowthRecord{uid, "pinv", runs, 0, "48", false, ""});
  }
  void place(const memo::ProgramRecord& program, const std::string& site, int line) {
    campaigns_.push_back(memo::PlaceRecord{program, "bank", 7, site, "src/bank.cpp", line});
  }
  void property(const memo::ProgramRecord& program, std::uint64_t hash, const std::string& site,
                const std::string& criterion = "pinv") {
    std::string accesses = site.empty() ? ""
                                        : "read 1 1 " + site + "\natomic-store 2 3 " + site +
                                              "\nread 1 2 " + site + "\n";
    properties_.push_back(memo::PropertyRecord{program, criterion, hash, 0, accesses, "`x`"});
  }
  memo::CoverageRecord& covered(const std::string& uid, std::uint64_t hash, std::uint64_t run,
                                std::uint64_t times) {
    later_.push_back(memo::CoverageRecord{uid, "pinv", hash, run, 0, times, true, 0, 0});
    return std::get<memo::CoverageRecord>(later_.back());
  }
  std::optional<CoverageSummary> summary(const std::string& path = "/src/bank") const {
    std::vector<memo::Record> all = campaigns_;
    all.insert(all.end(), properties_.begin(), properties_.end());
    all.insert(all.end(), later_.begin(), later_.end());
    return summarize_coverage(all, path);
  }

  std::vector<memo::Record> campaigns_, properties_, later_;
};

TEST_F(CoverageSummaryTest, AddsUpCampaigns) {
  campaign("u2", kNew, 200, 1000);  // the second, though it stands first
  campaign("u1", kNew, 100, 300);
  place(kNew, "f()+0x1", 12);
  for (std::uint64_t hash : {1, 2, 3, 4}) property(kNew, hash, "f()+0x1");
  covered("u1", 1, 5, 1);
  covered("u2", 1, 2, 1);
  covered("u2", 2, 900, 1);
  covered("u1", 3, 0, 0);
  memo::CoverageRecord& tried = covered("u2", 4, 0, 0);
  tried.attempts = 5;
  tried.failures = 4;
  auto all = summary();
  ASSERT_TRUE(all);
  EXPECT_EQ(all->campaigns, 2u);
  ASSERT_THAT(all->criteria, SizeIs(1));
  const CriterionSummary& pinv = all->criteria[0];
  EXPECT_EQ(pinv.runs, 1300u);
  EXPECT_EQ(pinv.size, "48");
  EXPECT_EQ(pinv.known, 4u);
  EXPECT_EQ(pinv.covered, 2u);
  EXPECT_EQ(pinv.untested, 1u);
  EXPECT_EQ(pinv.given_up, 1u);
  EXPECT_EQ(pinv.recent, 500u);
  EXPECT_EQ(pinv.added, 1u);
  EXPECT_THAT(pinv.growth, ElementsAre(Pair(5u, 1u), Pair(1200u, 2u)));
  EXPECT_DOUBLE_EQ(pinv.estimate.next_run, 1 / 1300.0);
  ASSERT_THAT(pinv.uncovered, SizeIs(2));
  EXPECT_EQ(property_text(pinv.uncovered[0]),
            "T2 atomic-store (bank.cpp:12, the 3rd time) between T1 read (bank.cpp:12) and T1 read "
            "(bank.cpp:12, the 2nd time), of `x`");
  EXPECT_THAT(property_text(pinv.uncovered[1]), HasSubstr("[4 of 5 attempts failed]"));
}

TEST_F(CoverageSummaryTest, OtherBuildsCountWhereTheCodeIsTheSame) {
  campaign("u1", kOld, 100, 10);
  campaign("u2", kNew, 200, 20);
  place(kOld, "f()+0x1", 12);
  place(kOld, "g()+0x1", 15);
  place(kNew, "f()+0x1", 14);
  property(kOld, 1, "f()+0x1");
  property(kOld, 2, "g()+0x1");  // is not there any more
  property(kOld, 3, "");         // an order of accesses to what is not known
  property(kNew, 4, "f()+0x1");
  for (std::uint64_t hash : {1, 2, 3}) covered("u1", hash, 3, 2);
  covered("u2", 4, 0, 0);
  auto all = summary();
  ASSERT_TRUE(all);
  EXPECT_EQ(all->program.build, "b2");
  const CriterionSummary& pinv = all->criteria[0];
  EXPECT_EQ(pinv.covered, 1u);
  EXPECT_EQ(pinv.known, 2u);
  EXPECT_EQ(pinv.runs, 30u);
  EXPECT_THAT(property_text(pinv.uncovered[0]), HasSubstr("bank.cpp:14"));
}

TEST_F(CoverageSummaryTest, BuildsWithNothingInCommonDoNotCount) {
  campaign("u1", kOld, 100, 10);
  campaign("u2", kNew, 200, 20);
  property(kOld, 1, "g()+0x1");
  covered("u1", 1, 3, 2);
  auto all = summary();
  ASSERT_TRUE(all);
  EXPECT_EQ(all->campaigns, 1u);
  EXPECT_EQ(all->criteria[0].runs, 20u);
  EXPECT_EQ(all->criteria[0].known, 0u);
}

TEST_F(CoverageSummaryTest, NothingComesOfNothing) {
  EXPECT_FALSE(summary());
  campaign("u1", kOld, 100, 10);
  EXPECT_FALSE(summary("/src/shop"));
}

TEST(PropertyText, TellsIdiomsInTheirOwnWay) {
  UncoveredProperty uncovered;
  uncovered.property.criterion = "idiom4";
  uncovered.property.variable = "x\ny";
  for (const char* place : {"a.c:1", "a.c:2", "a.c:3", "a.c:4"}) {
    uncovered.accesses.emplace_back().kind = "read";
    uncovered.accesses.back().place = place;
  }
  EXPECT_EQ(property_text(uncovered),
            "idiom 4: read of `x` at a.c:1 => read at a.c:2 .. read of `y` at a.c:3 => read at "
            "a.c:4");
  EXPECT_EQ(variables_text(uncovered.property), "x, y");
}

TEST(ParseAccesses, LeavesOutWhatIsNone) {
  std::vector<KeptAccess> parts = parse_accesses("read - 0 a b(int, char)+0x3\nnonsense\n\nx y\n");
  ASSERT_THAT(parts, SizeIs(1));
  EXPECT_EQ(parts[0].thread, "");
  EXPECT_EQ(parts[0].site, "a b(int, char)+0x3");
}

TEST(CoverageSvg, EscapesWhatXmlReserves) {
  CoverageSummary summary;
  summary.program.path = "/src/<a&b>\"\x01";
  summary.criteria.resize(1);
  summary.criteria[0].name = "pinv";
  summary.criteria[0].runs = 10;
  summary.criteria[0].known = 4;
  summary.criteria[0].covered = 2;
  summary.criteria[0].growth = {{1, 1}, {5, 2}};
  std::string svg = coverage_svg(summary);
  EXPECT_THAT(svg, HasSubstr("&lt;a&amp;b&gt;&quot;?"));
  EXPECT_THAT(svg, HasSubstr("M60.0 370.0 H116.0 V290.0 H340.0 V210.0 H620.0"));
  EXPECT_THAT(svg, HasSubstr("pinv: 2 of 4"));
}

}  // namespace
}  // namespace raddle::cli

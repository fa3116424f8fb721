// SPDX-License-Identifier: Apache-2.0
//
// Searches that take turns: who is next, when all is done, what they say.
#include "search/ensemble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "search/portfolio.h"
#include "search/strategies.h"
#include "search/tree_search.h"
#include "testing/toy_search.h"

namespace raddle::search {
namespace {

using ::testing::HasSubstr;

constexpr const char* kLocked =
    "A: lock m; inc x; unlock m; lock m; inc x; unlock m | B: lock m; inc x; unlock m; lock m; "
    "inc x; unlock m | C: lock m; inc x; unlock m; lock m; inc x; unlock m";

std::unique_ptr<Search> tree(Ways ways = Ways::reversals, std::optional<unsigned> bound = {}) {
  TreeOptions options{.ways = ways};
  if (bound) options.bound_kind = BoundKind::preemptions;
  options.bound = bound.value_or(0);
  return std::make_unique<TreeSearch>(toy_options(), options);
}

std::unique_ptr<Search> sampling() { return std::make_unique<Portfolio>(toy_options()); }

ResumableEnsemble sampling_first(std::uint64_t head_start) {
  std::vector<Ensemble::Member> members(2);
  members[0] = {.search = sampling(), .head_start = head_start};
  members[1] = {.search = tree(), .decides = true};
  return {std::move(members), 1};
}

std::string turns(Search& search, int runs) {
  std::string text;
  for (const facts::Plan& plan : drive(search, runs, ToyTarget(kLocked)))
    text += std::string_view(plan.header.policy) == "tree" ? 't' : 's';
  return text;
}

TEST(Ensemble, HeadStartsComeFirstAndThenMembersTakeTurns) {
  ResumableEnsemble search = sampling_first(4);
  EXPECT_EQ(turns(search, 10), "ssssststst");
}

TEST(Ensemble, MembersHaveTheirOwnSitesAndOnlySearchesStartWithThem) {
  ResumableEnsemble search = sampling_first(1);
  std::vector<std::string> asked;
  search.start_with([&](const std::string& set) {
    asked.push_back(set);
    return std::vector<SiteId>{7};
  });
  EXPECT_THAT(asked, ::testing::ElementsAre("1 shared"));
  auto sets = search.learned_sites();
  ASSERT_EQ(sets.size(), 2u);
  EXPECT_EQ(sets[0].set, "0 shared");
  EXPECT_EQ(sets[0].sites, nullptr);
  EXPECT_EQ(sets[1].set, "1 shared");
  EXPECT_THAT(*sets[1].sites, ::testing::ElementsAre(7u));
}

TEST(Ensemble, IsDoneWhenAMemberThatLooksAtEverythingIs) {
  ResumableEnsemble search = sampling_first(50);
  ToyFindings found = explore(search, kLocked, 1000);
  EXPECT_TRUE(found.finished);
  EXPECT_TRUE(search.complete());
  EXPECT_TRUE(search.finished());
  EXPECT_LT(found.runs, 50 + 2 * 92u);
  EXPECT_THAT(search.guarantee(), HasSubstr("all 90 traces"));
  EXPECT_EQ(search.size().nodes, 0u);
}

TEST(Ensemble, AMemberThatLooksAtAPartIsNotEnough) {
  std::vector<Ensemble::Member> members(2);
  members[0] = {.search = tree(), .decides = true};
  members[1] = {.search = tree(Ways::all, 0)};
  Ensemble search(std::move(members));
  explore(search, kLocked, 40);
  EXPECT_FALSE(search.complete());
  EXPECT_THAT(search.guarantee(), HasSubstr("there are more: an estimated"));
  EXPECT_THAT(search.guarantee(), HasSubstr("; all 6 interleavings with at most 0 preemptions"));
  EXPECT_TRUE(search.estimate());
  EXPECT_EQ(ask<Resumable>(search), nullptr) << "several states are no state";
  explore(search, kLocked);
  EXPECT_TRUE(search.complete());
}

TEST(Ensemble, GoesOnWithTheOthersWhenAMemberIsThroughInDoubt) {
  // Fairness has a say in a spin loop, so the reduced search does not call itself complete.
  constexpr const char* kSpin = "A: spin f 1; r x | B: w x; store f 1";
  ResumableEnsemble search = sampling_first(2);
  ToyFindings found = explore(search, kSpin, 200);
  EXPECT_TRUE(search.finished());
  EXPECT_FALSE(search.complete());
  EXPECT_EQ(found.runs, 200u) << "sampling goes on";
  facts::Plan plan = *search.next();
  EXPECT_STRNE(plan.header.policy, "tree");
}

TEST(Ensemble, RunsAtATimeGoToTheirMembers) {
  std::vector<Ensemble::Member> members(2);
  members[0] = {.search = tree(), .decides = true};
  members[1] = {.search = tree(), .decides = true};
  Ensemble search(std::move(members));
  ToyTarget target(kLocked);
  FakeExecutor executor(target);
  std::vector<facts::Plan> under_way;
  unsigned runs = 0;
  while (true) {
    while (under_way.size() < 3)
      if (auto plan = search.next())
        under_way.push_back(*plan);
      else
        break;
    if (under_way.empty()) break;
    // The one that began last ends first, but for every third.
    std::size_t at = ++runs % 3 == 0 ? 0 : under_way.size() - 1;
    facts::Run run = *executor.run(under_way[at]);
    run.ticket = under_way[at].ticket;
    under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(at));
    search.observe(run);
  }
  EXPECT_TRUE(search.complete());
  EXPECT_THAT(search.guarantee(), HasSubstr("all 90 traces"));
}

TEST(Ensemble, GoesOnWithTheMemberThatIsKept) {
  std::string path = ::testing::TempDir() + "raddle_ensemble";
  ResumableEnsemble first = sampling_first(5);
  explore(first, kLocked, 65);
  ASSERT_TRUE(first.resumable());
  ASSERT_TRUE(first.save(path, "toy"));
  ResumableEnsemble second = sampling_first(5);
  ASSERT_TRUE(second.load(path, "toy"));
  ToyFindings rest = explore(second, kLocked);
  EXPECT_EQ(rest.runs, 60u) << "30 of 90 were made";
  EXPECT_THAT(second.guarantee(), HasSubstr("all 90 traces"));
  std::filesystem::remove(path);
}

TEST(Ensemble, ThePortfolioFindsWhatItsMembersFind) {
  auto search = (*find_strategy("portfolio"))->make(toy_options());
  ToyFindings found = explore(*search,
                              "A: lock a; lock b; unlock b; unlock a | B: lock b; lock a; "
                              "unlock a; unlock b");
  EXPECT_TRUE(is_complete(*search));
  EXPECT_FALSE(found.deadlocks.empty());
  EXPECT_THAT(search->guarantee(), HasSubstr("traces"));
}

}  // namespace
}  // namespace raddle::search

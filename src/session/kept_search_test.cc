// SPDX-License-Identifier: Apache-2.0
//
// What a kept search depends on, as text, and what is said when it differs.
#include "session/kept_search.h"

#include <gtest/gtest.h>

#include <set>

namespace raddle::session {
namespace {

using outcome::print_facts;

TEST(KeptSearch, FactsComeBackFromTheirText) {
  Facts facts = {{"program", "/a/b"}, {"--check", "a=b\\n\nc"}, {"--bound", ""}};
  EXPECT_EQ(parse_facts(print_facts(facts)), facts);
  EXPECT_EQ(parse_facts(""), Facts());
  EXPECT_EQ(parse_facts("nonsense\n"), Facts());
}

TEST(KeptSearch, DifferencesAreNamedOneByOne) {
  Facts then = {{"build", "12"}, {"--seed", "1"}, {"--bound", ""}, {"--check", "x"}};
  EXPECT_EQ(describe_differences(then, then), "");
  Facts now = {{"build", "34"}, {"--seed", "2"}, {"--bound", "3"}, {"--check", ""}};
  EXPECT_EQ(describe_differences(then, now),
            "the program has been built anew; --seed was `1`, now it is `2`; it had no --bound, "
            "now it is `3`; --check was `x`, now there is none");
  EXPECT_EQ(describe_differences({{"library libx.so", "1"}}, {}), "library libx.so has changed");
}

TEST(KeptSearch, EveryTestOfAProgramHasItsOwn) {
  Request request;
  request.campaign.program.argv = {"./tests", "x"};
  request.campaign.program.path = "/src/tests";
  request.strategy = *search::find_strategy("dpor");
  std::set<std::string> paths;
  for (const char* test : {"", "x", "One.Two", "One.Three"}) {
    request.campaign.test = test;
    paths.insert(KeptSearch(request, {}).path());
  }
  EXPECT_EQ(paths.size(), 4u);
}

}  // namespace
}  // namespace raddle::session

// SPDX-License-Identifier: Apache-2.0
//
// What the tests of raddle::check share: expectations about results, and a brute force that counts
// interleavings independently of raddle. Outside of the runs.
#pragma once

#include <gtest/gtest.h>
#include <raddle/check.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

// Inside a campaign of `raddle test` the engine outside judges, and a body is run once.
inline bool is_whole_program() { return raddle_controlled() != 0; }

inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The failing check tells all that a user needs.
inline void expect_found(const raddle::Result& result, const std::string& kind,
                         const std::string& message) {
  EXPECT_EQ(result.error, "");
  EXPECT_FALSE(result.passed());
  ASSERT_EQ(result.findings.size(), 1u) << result;
  const raddle::Finding& finding = result.findings[0];
  EXPECT_EQ(finding.kind, kind) << result;
  EXPECT_NE(finding.message.find(message), std::string::npos) << finding.message;
  EXPECT_NE(finding.story.find(finding.message.substr(0, finding.message.find('\n'))),
            std::string::npos)
      << finding.story;
  EXPECT_NE(content(finding.schedule_file).find("\nkind " + kind + "\n"), std::string::npos)
      << finding.schedule_file << ":\n"
      << content(finding.schedule_file);
  EXPECT_GE(result.schedules, 1u);
}

inline void expect_clean(const raddle::Result& result) {
  EXPECT_TRUE(result.passed()) << result;
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.findings.size(), 0u);
  EXPECT_GE(result.schedules, 1u);
}

inline constexpr std::uint64_t kRuns = 200;

inline raddle::Options runs(std::uint64_t schedules = kRuns, const char* strategy = "random") {
  raddle::Options options;
  options.strategy = strategy;
  options.schedules = schedules;
  return options;
}

// All runs were made and found nothing, in place and without a word.
template <class Body>
void expect_all_clean(Body&& body, std::uint64_t schedules = kRuns) {
  std::uint64_t made = 0;
  auto counted = [&] {
    body();
    ++made;
  };
  raddle::Result result = raddle::check(counted, runs(schedules));
  expect_clean(result);
  EXPECT_EQ(result.schedules, is_whole_program() ? 1 : schedules);
  EXPECT_EQ(made, result.schedules);
  EXPECT_EQ(result.notes, "");
}

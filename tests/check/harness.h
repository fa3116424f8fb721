// SPDX-License-Identifier: Apache-2.0
//
// What the tests of raddle::check share: expectations about results, and a brute force that counts
// interleavings independently of raddle. Outside of the runs.
#pragma once

#include <gtest/gtest.h>
#include <raddle/check.h>

#include <atomic>
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

// A variable of the environment while this lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

inline bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

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

// The notes of a check that follows the schedule file which a note names at its end.
template <class Body>
std::string replayed(const std::string& note, Body&& body, const raddle::Options& options) {
  std::size_t file = note.rfind('(') + 1;
  Variable replay("RADDLE_REPLAY", note.substr(file, note.rfind(')') - file));
  raddle::Result result = raddle::check(body, options);
  expect_clean(result);
  EXPECT_EQ(result.schedules, 1u);
  return result.notes;
}

inline constexpr std::uint64_t kRuns = 200;

inline raddle::Options runs(std::uint64_t schedules = kRuns, const char* strategy = "random") {
  raddle::Options options;
  options.strategy = strategy;
  options.schedules = schedules;
  return options;
}

// What the runs do to global variables stays, so that the test can look at it.
inline raddle::Options lasting(raddle::Options options) {
  options.restore = false;
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

// In one of some hundred runs two threads take their steps strictly in turn.
class Alternation {
 public:
  void step() {
    for (int i = 1; i <= kSteps; ++i) count_.store(i);
  }
  bool watch() {
    int seen = 0;
    for (int i = 1; i <= kSteps; ++i) seen += count_.load() == i ? 1 : 0;
    return seen == kSteps;
  }

 private:
  static constexpr int kSteps = 4;
  std::atomic<int> count_{0};
};

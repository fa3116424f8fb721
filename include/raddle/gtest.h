// SPDX-License-Identifier: Apache-2.0
//
// raddle for googletest (1.10 or later): tests whose bodies are repeated under control. Public API.
//
//     #include <gtest/gtest.h>
//     #include <raddle/gtest.h>
//
//     RADDLE_TEST(Queue, KeepsOrder, RADDLE_SCHEDULE("fullFirst", "full -> take")) {
//       ... threads, EXPECT_EQ(...) in any of them ...
//     }
//
// RADDLE_TEST and RADDLE_TEST_F take the place of TEST and TEST_F and mix with them in one suite.
// Each schedule is a test case Suite.Name/schedule; without schedules there is one, Suite.Name. A
// fixture is made, set up, torn down and destroyed in every run, as it is for every test;
// SetUpTestSuite is called once, outside of the runs.
//
// A failed expectation makes the run a failing one, in whatever thread. googletest learns of it
// once, after the runs: with the interleaving, the schedule file, and the properties raddle_kind,
// raddle_schedule_file and raddle_replay, which its XML and JSON reports carry.
//
// With RADDLE_LIGHT the body is run once, with real threads, while its schedule is in force.
#pragma once

#include <cxxabi.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "raddle/adapter.h"

#define RADDLE_TEST(suite, name, ...)                                       \
  RADDLE_GTEST_DEFINE_(suite, name, ::raddle::gtest::Body, ::testing::Test, \
                       ::testing::internal::GetTestTypeId(),                \
                       ::raddle::adapter::arguments(__VA_ARGS__))

#define RADDLE_TEST_F(fixture, name, ...)                                             \
  RADDLE_GTEST_DEFINE_(fixture, name, ::raddle::gtest::FixtureBody<fixture>, fixture, \
                       ::testing::internal::GetTypeId<fixture>(),                     \
                       ::raddle::adapter::arguments(__VA_ARGS__))

#define RADDLE_GTEST_DEFINE_(suite, name, base, parent, parent_id, arguments)      \
  static_assert(sizeof(#suite) > 1, "the test suite's name must not be empty");    \
  static_assert(sizeof(#name) > 1, "the test's name must not be empty");           \
  class GTEST_TEST_CLASS_NAME_(suite, name) : public base {                        \
   public:                                                                         \
    void TestBody() override;                                                      \
                                                                                   \
   private:                                                                        \
    [[maybe_unused]] static const bool raddle_registered_;                         \
  };                                                                               \
  const bool GTEST_TEST_CLASS_NAME_(suite, name)::raddle_registered_ =             \
      ::raddle::gtest::register_test<GTEST_TEST_CLASS_NAME_(suite, name), parent>( \
          #suite, #name, __FILE__, __LINE__, parent_id, arguments);                \
  void GTEST_TEST_CLASS_NAME_(suite, name)::TestBody()

namespace raddle::gtest {

using adapter::TestCase;

// -- inside a run --------------------------------------------------------------------------------

// What the current run has come to. Runs follow each other, so there is one.
struct RunState {
  bool fatal = false;
  bool nonfatal = false;
  bool skipped = false;
  const TestCase* test = nullptr;
};
inline RunState run_state;

// What a body may ask and tell. googletest itself does not know of failures inside a run yet, so
// these take the place of testing::Test's.
struct Questions {
#ifdef RADDLE_LIGHT
  static bool HasFatalFailure() { return testing::Test::HasFatalFailure(); }
  static bool HasNonfatalFailure() { return testing::Test::HasNonfatalFailure(); }
  static bool IsSkipped() { return testing::Test::IsSkipped(); }
  template <class Value>
  static void RecordProperty(const std::string& key, const Value& value) {
    testing::Test::RecordProperty(key, value);
  }
#else
  RADDLE_NOT_INSTRUMENTED static bool HasFatalFailure() { return run_state.fatal; }
  RADDLE_NOT_INSTRUMENTED static bool HasNonfatalFailure() { return run_state.nonfatal; }
  RADDLE_NOT_INSTRUMENTED static bool IsSkipped() { return run_state.skipped; }
  // A property is the test's, and a run is one of many: it is not recorded.
  template <class Value>
  static void RecordProperty(const std::string&, const Value&) {}
#endif
  static bool HasFailure() { return HasFatalFailure() || HasNonfatalFailure(); }
};

class Body : public Questions {
 public:
  virtual ~Body() = default;
  virtual void TestBody() = 0;
};

template <class Fixture>
class FixtureBody : public Fixture {
 public:
  static bool HasFatalFailure() { return Questions::HasFatalFailure(); }
  static bool HasNonfatalFailure() { return Questions::HasNonfatalFailure(); }
  static bool HasFailure() { return Questions::HasFailure(); }
  static bool IsSkipped() { return Questions::IsSkipped(); }
  template <class Value>
  static void RecordProperty(const std::string& key, const Value& value) {
    Questions::RecordProperty(key, value);
  }
};

// Fixtures may keep SetUp and TearDown to themselves; as members of testing::Test they can be
// called.
struct Access : testing::Test {
  static void set_up(testing::Test& test) {
    void (testing::Test::*function)() = &Access::SetUp;
    (test.*function)();
  }
  static void tear_down(testing::Test& test) {
    void (testing::Test::*function)() = &Access::TearDown;
    (test.*function)();
  }
};

inline void tell(testing::TestPartResult::Type type, const char* file, int line,
                 const std::string& text) {
  testing::internal::AssertHelper(type, file, line, text.c_str()) = testing::Message();
}

inline void report_exception(const char* description, const char* where) {
  std::string text = "C++ exception";
  if (description == nullptr) text = "Unknown C++ exception";
  if (description != nullptr) text += " with description \"" + std::string(description) + "\"";
  text += std::string(" thrown in ") + where + ".";
  tell(testing::TestPartResult::kFatalFailure, run_state.test->file, run_state.test->line, text);
}

// Calls `function`; an exception out of it is a fatal failure, as googletest has it.
template <class Function>
void guarded(const char* where, Function function) {
#if GTEST_HAS_EXCEPTIONS
  try {
    function();
  } catch (const abi::__forced_unwind&) {
    throw;  // the thread is ending
  } catch (const testing::internal::GoogleTestFailureException&) {
    // --gtest_throw_on_failure: it was reported
  } catch (const std::exception& error) {
    report_exception(error.what(), where);
  } catch (...) {
    report_exception(nullptr, where);
  }
#else
  (void)where;
  function();
#endif
}

// One run of a test's body.
template <class Written>
void run_once() {
  if constexpr (std::is_base_of_v<testing::Test, Written>) {
    std::unique_ptr<Written> test;
    guarded("the test fixture's constructor", [&] { test = std::make_unique<Written>(); });
    if (test == nullptr) return;
    if (!Written::HasFatalFailure() && !Written::IsSkipped()) {
      guarded("SetUp()", [&] { Access::set_up(*test); });
      if (!Written::HasFatalFailure() && !Written::IsSkipped()) {
        guarded("the test body", [&] { test->TestBody(); });
      }
      guarded("TearDown()", [&] { Access::tear_down(*test); });
    }
    guarded("the test fixture's destructor", [&] { test.reset(); });
  } else {
    guarded("the test body", [] { Written().TestBody(); });
  }
}

#ifdef RADDLE_LIGHT

inline void tell_failure(const char* file, int line, const char* message) {
  const TestCase& test = *run_state.test;
  tell(testing::TestPartResult::kNonFatalFailure, file != nullptr ? file : test.file,
       file != nullptr ? line : test.line, message);
}

template <class Written>
void carry_out(const TestCase& test) {
  const std::string refusal = adapter::light_refusal(test);
  if (!refusal.empty()) {
    tell_failure(nullptr, 0, refusal.c_str());
    return;
  }
  adapter::LightRun run(test, &tell_failure);
  run_once<Written>();
}

#else

// -- around the runs -----------------------------------------------------------------------------

// That a run was skipped. In memory shared with the processes in which runs may be made.
struct SkipNote {
  uint64_t runs;
  int line;
  char file[512];
  char message[1024];
};

inline SkipNote& skip_note() {
  static SkipNote* const note = [] {
    void* page = ::mmap(nullptr, sizeof(SkipNote), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? new SkipNote : static_cast<SkipNote*>(page);
  }();
  return *note;
}

// Where every run is skipped, there is no need for a hundred thousand of them: the rest is empty.
inline constexpr uint64_t kSkippedMax = 100;

template <class Written>
RADDLE_NOT_INSTRUMENTED void run_under_control(void* skip) {
  if (static_cast<const SkipNote*>(skip)->runs >= kSkippedMax) return;
  run_state.fatal = run_state.nonfatal = run_state.skipped = false;
  run_once<Written>();
}

// Gets what the expectations of the test report, of all threads, in googletest's stead: failures
// inside a run make it a failing one; what is reported outside of runs is kept for googletest.
class Reporter : public testing::ScopedFakeTestPartResultReporter {
 public:
  explicit Reporter(testing::TestPartResultArray* outside)
      : ScopedFakeTestPartResultReporter(INTERCEPT_ALL_THREADS, outside), skip_(skip_note()) {
    skip_.runs = 0;
  }

  RADDLE_NOT_INSTRUMENTED void ReportTestPartResult(const testing::TestPartResult& part) override {
    if (raddle_controlled == nullptr || raddle_controlled() == 0) {
      ScopedFakeTestPartResultReporter::ReportTestPartResult(part);
    } else if (part.skipped()) {
      run_state.skipped = true;
      if (skip_.runs++ == 0) note_skip(part);
    } else if (part.failed()) {
      (part.fatally_failed() ? run_state.fatal : run_state.nonfatal) = true;
      raddle_fail(part.file_name(), part.line_number(), part.message());
    }
  }

 private:
  void note_skip(const testing::TestPartResult& part) {
    skip_.line = part.line_number();
    std::strncpy(skip_.file, part.file_name() ? part.file_name() : "", sizeof skip_.file - 1);
    std::strncpy(skip_.message, part.message(), sizeof skip_.message - 1);
  }

  SkipNote& skip_;
};

inline void record_finding(const raddle_check_finding& finding, uint32_t number,
                           const std::string& choice) {
  const std::string suffix = number == 1 ? "" : "_" + std::to_string(number);
  if (adapter::has(finding.kind)) {
    testing::Test::RecordProperty("raddle_kind" + suffix, finding.kind);
  }
  if (!adapter::has(finding.schedule_file)) return;
  testing::Test::RecordProperty("raddle_schedule_file" + suffix, finding.schedule_file);
  testing::Test::RecordProperty("raddle_replay" + suffix,
                                adapter::replay_command(finding.schedule_file, choice));
}

// Tells googletest what came of the runs.
inline void report(const TestCase& test, const raddle_check_result& result) {
  constexpr auto kFailure = testing::TestPartResult::kNonFatalFailure;
  if (result.whole_program) return;  // the engine outside reports
  const std::string choice = adapter::quoted("--gtest_filter=" + test.name);
  if (result.error != nullptr) {
    tell(kFailure, test.file, test.line, std::string("raddle: ") + result.error);
  }
  testing::Test::RecordProperty("raddle_runs", std::to_string(result.schedules));
  testing::Test::RecordProperty("raddle_complete", result.complete ? "yes" : "no");
  for (uint32_t i = 0; i < result.finding_count; ++i) {
    const raddle_check_finding& finding = result.findings[i];
    record_finding(finding, i + 1, choice);
    const adapter::Failure failure = adapter::failure_of(test, finding);
    tell(kFailure, failure.file.c_str(), failure.line,
         adapter::failure_text(failure, finding, choice));
  }
  if (result.error == nullptr) {
    std::string lines = adapter::summary(result);
    for (size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += 14) {
      lines.insert(at + 1, "[  raddle  ] ");
    }
    std::printf("[  raddle  ] %s\n", lines.c_str());
    std::fflush(stdout);
  }
}

// googletest keeps things for every thread, made at their first use: for this thread outside of the
// runs, so that every run finds the same.
inline void make_things_of_this_thread() {
  testing::ScopedTrace trace(__FILE__, __LINE__, "raddle");
  testing::TestPartResultArray none;
  testing::ScopedFakeTestPartResultReporter reporter(
      testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &none);
}

template <class Written>
void carry_out(const TestCase& test) {
  make_things_of_this_thread();
  testing::TestPartResultArray outside;
  std::unique_ptr<adapter::Outcome> outcome;
  {
    Reporter reporter(&outside);
    outcome = std::make_unique<adapter::Outcome>(test, &run_under_control<Written>, &skip_note());
  }
  const raddle_check_result& result = *outcome->operator->();
  for (int i = 0; i < outside.size(); ++i) {
    const testing::TestPartResult& part = outside.GetTestPartResult(i);
    tell(part.type(), part.file_name(), part.line_number(), part.message());
  }
  report(test, result);
  const SkipNote& skip = skip_note();
  if (skip.runs == 0 || result.finding_count > 0 || result.error != nullptr) return;
  tell(testing::TestPartResult::kSkip, skip.file, skip.line, skip.message);
}

#endif  // RADDLE_LIGHT

// -- registration --------------------------------------------------------------------------------

// What googletest runs as the test.
template <class Written>
class Runner : public testing::Test {
 public:
  explicit Runner(const TestCase& test) : test_(test) {}

 private:
  void TestBody() override {
    if (!test_.wrong.empty()) {
      ADD_FAILURE_AT(test_.file, test_.line) << test_.wrong;
      return;
    }
    run_state = RunState();
    run_state.test = &test_;
    carry_out<Written>(test_);
  }

  const TestCase& test_;
};

template <class Written>
class Factory : public testing::internal::TestFactoryBase {
 public:
  explicit Factory(TestCase test) : test_(std::move(test)) {}
  testing::Test* CreateTest() override { return new Runner<Written>(test_); }

 private:
  const TestCase test_;
};

template <class Written, class Parent>
bool register_test(const char* suite, const char* name, const char* file, int line,
                   testing::internal::TypeId parent_id, const adapter::Arguments& arguments) {
  using Suite = testing::internal::SuiteApiResolver<Parent>;
  const std::string prefix = std::string(suite) + ".";
  for (TestCase& test : adapter::test_cases(prefix + name, "/", file, line, arguments)) {
    const std::string own_name = test.name.substr(prefix.size());
    testing::internal::MakeAndRegisterTestInfo(
        suite, own_name.c_str(), nullptr, nullptr, testing::internal::CodeLocation(file, line),
        parent_id, Suite::GetSetUpCaseOrSuite(file, line),
        Suite::GetTearDownCaseOrSuite(file, line), new Factory<Written>(std::move(test)));
  }
  return true;
}

}  // namespace raddle::gtest

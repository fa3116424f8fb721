// SPDX-License-Identifier: Apache-2.0
//
// raddle for Catch2, version 2 (2.13 is what it is tested with; version 3 has other interfaces and
// is refused): test cases whose bodies are repeated under control. Public API.
//
//     #include <raddle/catch2.h>
//
//     RADDLE_TEST_CASE("the queue keeps its order", "[queue]",
//                      RADDLE_SCHEDULE("fullFirst", "full -> take")) {
//       ... threads, REQUIRE(...) in any of them ...
//     }
//
// RADDLE_TEST_CASE and RADDLE_TEST_CASE_METHOD take the place of TEST_CASE and TEST_CASE_METHOD.
// Each schedule is a test case "name / schedule". A fixture is made and destroyed in every run.
// SECTION, GENERATE and BENCHMARK have no meaning inside a body that is repeated, and fail.
//
// A failed assertion makes the run a failing one, in whatever thread; a REQUIRE that fails ends the
// thread that it is in. Catch2 learns of it once, after the runs, with the interleaving and the
// schedule file in the failure's text (which its JUnit and XML reports carry).
//
// How: for the time of the runs Catch2's assertions report to raddle (an IResultCapture of its
// own), so its run context, which outlives runs that end badly and is not made for threads, sees
// none of them.
//
// With RADDLE_LIGHT the body is run once, with real threads, while its schedule is in force.
#pragma once

#include <cxxabi.h>

#include <catch2/catch.hpp>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "raddle/adapter.h"
#include "raddle/catch2_capture.h"

#define RADDLE_TEST_CASE(...) \
  RADDLE_CATCH2_FUNCTION_(INTERNAL_CATCH_UNIQUE_NAME(raddle_test_case_), __VA_ARGS__)

#define RADDLE_TEST_CASE_METHOD(fixture, ...) \
  RADDLE_CATCH2_METHOD_(INTERNAL_CATCH_UNIQUE_NAME(RaddleTestCase_), fixture, __VA_ARGS__)

#define RADDLE_CATCH2_FUNCTION_(function, ...)                                              \
  static void function();                                                                   \
  namespace {                                                                               \
  [[maybe_unused]] const bool INTERNAL_CATCH_UNIQUE_NAME(raddle_registered_) =              \
      ::raddle::catch2::register_test(&function, "", CATCH_INTERNAL_LINEINFO, __VA_ARGS__); \
  }                                                                                         \
  static void function()

#define RADDLE_CATCH2_METHOD_(type, fixture, ...)                                       \
  namespace {                                                                           \
  struct type : fixture {                                                               \
    void test();                                                                        \
  };                                                                                    \
  [[maybe_unused]] const bool INTERNAL_CATCH_UNIQUE_NAME(raddle_registered_) =          \
      ::raddle::catch2::register_test(&::raddle::catch2::make_and_test<type>, #fixture, \
                                      CATCH_INTERNAL_LINEINFO, __VA_ARGS__);            \
  }                                                                                     \
  void type::test()

// A failed REQUIRE throws, and nobody catches that in threads other than the test's: there it ends
// the thread.
#undef INTERNAL_CATCH_REACT
#define INTERNAL_CATCH_REACT(handler) \
  handler.complete();                 \
  ::raddle::catch2::end_thread_if_asked();

namespace raddle::catch2 {

template <class Fixture>
void make_and_test() {
  Fixture fixture;
  fixture.test();
}

struct Closure {
  const TestCase* test;
  void (*body)();
  Capture* capture;
};

// One run of a test's body.
RADDLE_NOT_INSTRUMENTED inline void run_once(void* data) {
  const Closure& closure = *static_cast<const Closure*>(data);
  closure.capture->begin_run();
  try {
    closure.body();
  } catch (const abi::__forced_unwind&) {
    throw;  // the thread is ending
  } catch (const Catch::TestFailureException&) {
    // a REQUIRE, reported already
  } catch (...) {
    closure.capture->fail(
        closure.test->file, static_cast<size_t>(closure.test->line),
        "unexpected exception with message:\n  " + Catch::translateActiveException());
  }
}

// -- around the runs -----------------------------------------------------------------------------

// Assertions go to another capture while this lives.
class Redirection {
 public:
  explicit Redirection(Catch::IResultCapture& capture) : before_(Catch::getResultCapture()) {
    Catch::getCurrentMutableContext().setResultCapture(&capture);
  }
  Redirection(const Redirection&) = delete;
  Redirection& operator=(const Redirection&) = delete;
  ~Redirection() { Catch::getCurrentMutableContext().setResultCapture(&before_); }

 private:
  Catch::IResultCapture& before_;
};

// The same name as long as the process lasts: reporters keep pointers to the names of files, and
// some write only at the end.
inline const char* lasting(const std::string& file) {
  static auto* files = new std::set<std::string>();
  return files->insert(file).first->c_str();
}

// An assertion of ours, with the given result. The name of the file has to last.
inline void tell(Catch::ResultWas::OfType type, const char* file, size_t line,
                 const std::string& text) {
  Catch::AssertionHandler handler(Catch::StringRef("RADDLE_TEST_CASE"),
                                  Catch::SourceLineInfo(file, line), Catch::StringRef(),
                                  Catch::ResultDisposition::ContinueOnFailure);
  handler.handleMessage(type, Catch::StringRef(text));
  handler.complete();
}

// The argument of a Catch2 program that chooses this test case: commas and brackets have a meaning.
inline std::string choice_of(const TestCase& test) {
  std::string text;
  for (const char c : test.name) {
    if (c == ',' || c == '[' || c == '\\') text += '\\';
    text += c;
  }
  return adapter::quoted(text);
}

#ifdef RADDLE_LIGHT

inline Capture* current_capture;

inline void tell_capture(const char* file, int line, const char* message) {
  current_capture->fail(file, static_cast<size_t>(line), message);
}

inline void carry_out(const TestCase& test, void (*body)()) {
  const size_t line = static_cast<size_t>(test.line);
  const std::string refusal = adapter::light_refusal(test);
  if (!refusal.empty()) {
    tell(Catch::ResultWas::ExplicitFailure, test.file, line, refusal);
    return;
  }
  Capture capture(test);
  Closure closure{&test, body, &capture};
  {
    Redirection redirection(capture);
    current_capture = &capture;
    adapter::LightRun run(test, &tell_capture);
    run_once(&closure);
  }
  for (const Capture::Failure& failure : capture.failures()) {
    tell(Catch::ResultWas::ExplicitFailure, failure.file, failure.line, failure.text);
  }
  if (capture.failures().empty()) tell(Catch::ResultWas::Ok, test.file, line, "");
}

#else

inline void report(const TestCase& test, const raddle_check_result& result) {
  const size_t line = static_cast<size_t>(test.line);
  if (result.whole_program) return;  // the engine outside reports
  const std::string choice = choice_of(test);
  if (result.error != nullptr) {
    tell(Catch::ResultWas::ExplicitFailure, test.file, line,
         std::string("raddle: ") + result.error);
    return;
  }
  const std::string summary = adapter::summary(result);
  for (uint32_t i = 0; i < result.finding_count; ++i) {
    const raddle_check_finding& finding = result.findings[i];
    const adapter::Failure failure = adapter::failure_of(test, finding);
    tell(Catch::ResultWas::ExplicitFailure, lasting(failure.file),
         static_cast<size_t>(failure.line),
         adapter::failure_text(failure, finding, choice) + "\nin " + summary);
  }
  // Shown with -s, as other assertions that pass.
  if (result.finding_count == 0) tell(Catch::ResultWas::Ok, test.file, line, summary);
}

inline void carry_out(const TestCase& test, void (*body)()) {
  Capture capture(test);
  Closure closure{&test, body, &capture};
  std::unique_ptr<adapter::Outcome> outcome;
  {
    Redirection redirection(capture);
    outcome = std::make_unique<adapter::Outcome>(test, &run_once, &closure);
  }
  report(test, *outcome->operator->());
}

#endif

// -- registration --------------------------------------------------------------------------------

class Invoker : public Catch::ITestInvoker {
 public:
  Invoker(TestCase test, void (*body)()) : test_(std::move(test)), body_(body) {}
  void invoke() const override {
    if (test_.wrong.empty()) {
      carry_out(test_, body_);
    } else {
      tell(Catch::ResultWas::ExplicitFailure, test_.file, static_cast<size_t>(test_.line),
           test_.wrong);
    }
  }

 private:
  const TestCase test_;
  void (*const body_)();
};

inline bool register_cases(void (*body)(), const char* fixture, const Catch::SourceLineInfo& place,
                           const char* name, const char* tags,
                           const adapter::Arguments& arguments) {
  for (TestCase& test :
       adapter::test_cases(name, " / ", place.file, static_cast<int>(place.line), arguments)) {
    const std::string own_name = test.name;
    Catch::AutoReg(new Invoker(std::move(test), body), place, Catch::StringRef(fixture),
                   Catch::NameAndTags(Catch::StringRef(own_name), Catch::StringRef(tags)));
  }
  return true;
}

template <class... Parts>
bool register_test(void (*body)(), const char* fixture, const Catch::SourceLineInfo& place,
                   const char* name, const char* tags, Parts&&... parts) {
  return register_cases(body, fixture, place, name, tags,
                        adapter::arguments(std::forward<Parts>(parts)...));
}
template <class... Parts>
bool register_test(void (*body)(), const char* fixture, const Catch::SourceLineInfo& place,
                   const char* name, Parts&&... parts) {
  return register_cases(body, fixture, place, name, "",
                        adapter::arguments(std::forward<Parts>(parts)...));
}

}  // namespace raddle::catch2

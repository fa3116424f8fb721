// SPDX-License-Identifier: Apache-2.0
//
// Catch2's assertions while raddle repeats a test's body: what they report goes to raddle. A part
// of raddle/catch2.h, which see; not for use by itself.
#pragma once

#include <pthread.h>

#include <catch2/catch.hpp>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#ifdef RADDLE_LIGHT
#include <mutex>
#endif

#include "raddle/adapter.h"

#if !defined(CATCH_VERSION_MAJOR) || CATCH_VERSION_MAJOR != 2
#error "raddle/catch2.h supports Catch2 version 2 (catch2/catch.hpp)"
#endif

namespace raddle::catch2 {

using adapter::TestCase;

// What the current thread has said by INFO and its like, for its failures. Of bounded size and
// without constructors, because threads of runs may end without being destroyed.
struct Messages {
  static constexpr unsigned kMax = 16;
  static constexpr size_t kTextMax = 240;
  struct Message {
    unsigned sequence;
    char text[kTextMax];
  };
  unsigned count;
  Message messages[kMax];
  bool end_thread;  // a REQUIRE failed
};
inline thread_local Messages of_thread;

inline void end_thread_if_asked() {
  if (!of_thread.end_thread) return;
  of_thread.end_thread = false;
  pthread_exit(nullptr);
}

// A run has gone wrong in a way that is Catch2's, not the program's.
inline void unsupported(const char* what) {
  throw std::logic_error(std::string(what) +
                         " inside of RADDLE_TEST_CASE: the body is repeated for every schedule; "
                         "write a test case for each instead");
}

// Gets what the assertions of the test report, of all threads, in the stead of Catch2's run
// context.
class Capture : public Catch::IResultCapture {
 public:
  explicit Capture(const TestCase& test) : test_(test) {}

  RADDLE_NOT_INSTRUMENTED void begin_run() {
    test_thread_ = pthread_self();
    of_thread.count = 0;
    of_thread.end_thread = false;
  }

  void fail(const char* file, size_t line, const std::string& text) {
#ifdef RADDLE_LIGHT
    const std::lock_guard<std::mutex> lock(mutex_);
    if (file == nullptr) line = static_cast<size_t>(test_.line);
    failures_.push_back({file == nullptr ? test_.file : file, line, text});
#else
    raddle_fail(file, static_cast<int>(line), text.c_str());
#endif
  }

#ifdef RADDLE_LIGHT
  struct Failure {
    const char* file;
    size_t line;
    std::string text;
  };
  const std::vector<Failure>& failures() const { return failures_; }
#endif

  void handleExpr(const Catch::AssertionInfo& info, const Catch::ITransientExpression& expression,
                  Catch::AssertionReaction& reaction) override {
    const bool negated = Catch::isFalseTest(info.resultDisposition);
    if (expression.getResult() != negated) return;
    std::ostringstream text;
    text << (negated ? "!(" : "");
    expression.streamReconstructedExpression(text);
    text << (negated ? ")" : "");
    failed(info, "with expansion:\n  " + text.str(), reaction);
  }

  void handleMessage(const Catch::AssertionInfo& info, Catch::ResultWas::OfType type,
                     const Catch::StringRef& message, Catch::AssertionReaction& reaction) override {
    if (Catch::isOk(type)) return;  // WARN, SUCCEED
    failed(info, std::string(message), reaction);
  }

  void handleUnexpectedExceptionNotThrown(const Catch::AssertionInfo& info,
                                          Catch::AssertionReaction& reaction) override {
    handleNonExpr(info, Catch::ResultWas::DidntThrowException, reaction);
  }

  void handleUnexpectedInflightException(const Catch::AssertionInfo& info,
                                         const std::string& message,
                                         Catch::AssertionReaction& reaction) override {
    failed(info, "due to unexpected exception with message:\n  " + message, reaction);
  }

  void handleIncomplete(const Catch::AssertionInfo& info) override {
    Catch::AssertionReaction none;
    failed(info, "an exception was thrown through the assertion", none);
  }

  void handleNonExpr(const Catch::AssertionInfo& info, Catch::ResultWas::OfType type,
                     Catch::AssertionReaction& reaction) override {
    if (Catch::isOk(type)) return;
    failed(info, "because no exception was thrown where one was expected", reaction);
  }

  RADDLE_NOT_INSTRUMENTED void pushScopedMessage(const Catch::MessageInfo& message) override {
    if (of_thread.count == Messages::kMax) return;
    Messages::Message& slot = of_thread.messages[of_thread.count++];
    slot.sequence = message.sequence;
    const size_t length = message.message.copy(slot.text, Messages::kTextMax - 1);
    slot.text[length] = 0;
  }

  RADDLE_NOT_INSTRUMENTED void popScopedMessage(const Catch::MessageInfo& message) override {
    unsigned kept = 0;
    for (unsigned i = 0; i < of_thread.count; ++i) {
      if (of_thread.messages[i].sequence == message.sequence) continue;
      if (kept != i) of_thread.messages[kept] = of_thread.messages[i];
      ++kept;
    }
    of_thread.count = kept;
  }

  void emplaceUnscopedMessage(const Catch::MessageBuilder& builder) override {
    Catch::MessageInfo info = builder.m_info;
    info.message = builder.m_stream.str();
    pushScopedMessage(info);
  }

  bool sectionStarted(const Catch::SectionInfo&, Catch::Counts&) override {
    unsupported("SECTION");
    return false;
  }
  void sectionEnded(const Catch::SectionEndInfo&) override {}
  void sectionEndedEarly(const Catch::SectionEndInfo&) override {}
  Catch::IGeneratorTracker& acquireGeneratorTracker(Catch::StringRef,
                                                    const Catch::SourceLineInfo&) override {
    unsupported("GENERATE");
    std::terminate();
  }
#if defined(CATCH_CONFIG_ENABLE_BENCHMARKING)
  void benchmarkPreparing(const std::string&) override { unsupported("BENCHMARK"); }
  void benchmarkStarting(const Catch::BenchmarkInfo&) override {}
  void benchmarkEnded(const Catch::BenchmarkStats<>&) override {}
  void benchmarkFailed(const std::string&) override {}
#endif

#ifdef RADDLE_LIGHT
  void handleFatalErrorCondition(Catch::StringRef message) override {
    before_.handleFatalErrorCondition(message);
  }
#else
  void handleFatalErrorCondition(Catch::StringRef) override {}  // a crash is raddle's to report
#endif
  bool lastAssertionPassed() override { return true; }
  void assertionPassed() override {}
  std::string getCurrentTestName() const override { return test_.name; }
  const Catch::AssertionResult* getLastResult() const override { return nullptr; }
  void exceptionEarlyReported() override {}

 private:
  void failed(const Catch::AssertionInfo& info, const std::string& details,
              Catch::AssertionReaction& reaction) {
    if (Catch::shouldSuppressFailure(info.resultDisposition)) return;
    std::string text = std::string(info.macroName);
    if (!info.capturedExpression.empty()) {
      text += "( " + std::string(info.capturedExpression) + " )";
    }
    if (!details.empty()) text += "\n" + details;
    for (unsigned i = 0; i < of_thread.count; ++i) {
      text += std::string("\nwith message:\n  ") + of_thread.messages[i].text;
    }
    fail(info.lineInfo.file, info.lineInfo.line, text);
    if (Catch::shouldContinueOnFailure(info.resultDisposition)) return;
    if (pthread_equal(pthread_self(), test_thread_)) {
      reaction.shouldThrow = true;
    } else {
      of_thread.end_thread = true;
    }
  }

  const TestCase& test_;
  pthread_t test_thread_ = pthread_self();
#ifdef RADDLE_LIGHT
  Catch::IResultCapture& before_ = Catch::getResultCapture();
  std::mutex mutex_;
  std::vector<Failure> failures_;
#endif
};

}  // namespace raddle::catch2

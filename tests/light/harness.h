// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the light library share: failures that go to a list instead of ending the
// process, and busy processes. Own program, linked with libraddle_light.a as a user's test is.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mutex>
#include <string>
#include <vector>

#include "raddle/event.h"

namespace raddle::light_tests {

inline std::mutex messages_mutex;
inline std::vector<std::string> messages;

inline void note_message(const char*, int, const char* message) {
  std::lock_guard lock(messages_mutex);
  messages.emplace_back(message);
}

// Failures are collected for the time of a test, and a hang is noticed soon.
class LightTest : public testing::Test {
 protected:
  LightTest() {
    messages.clear();
    raddle_on_fail(note_message);
    setenv("RADDLE_LIGHT_TIMEOUT", "5", 1);
  }
  ~LightTest() override { raddle_on_fail(nullptr); }

  // All that was said, in one text.
  static std::string said() {
    std::lock_guard lock(messages_mutex);
    std::string text;
    for (const auto& message : messages) text += message;
    return text;
  }
};

// Processes that do nothing but use the processors.
class BusyProcesses {
 public:
  explicit BusyProcesses(int count) {
    for (int i = 0; i < count; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(60);  // should nobody end it
        for (volatile unsigned n = 0;;) n = n + 1;
      }
      children_.push_back(child);
    }
  }
  ~BusyProcesses() {
    for (const pid_t child : children_) kill(child, SIGKILL);
    for (const pid_t child : children_) waitpid(child, nullptr, 0);
  }
  BusyProcesses(const BusyProcesses&) = delete;
  BusyProcesses& operator=(const BusyProcesses&) = delete;

 private:
  std::vector<pid_t> children_;
};

}  // namespace raddle::light_tests

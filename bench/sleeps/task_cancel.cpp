// SPDX-License-Identifier: Apache-2.0
//
// Cancelling: a task that waits never runs, one that runs is told and stops at its next look, one
// that has ended cannot be cancelled. A test of bench/sleeps.
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>

#include "sleeps.h"

class Task {
 public:
  enum class State { waiting, running, ended, cancelled };
  explicit Task(std::function<void(Task&)> body) : body_(std::move(body)) {}

  void run() {
    State expected = State::waiting;
    if (!state_.compare_exchange_strong(expected, State::running)) return;
    body_(*this);
    expected = State::running;
    state_.compare_exchange_strong(expected, State::ended);
  }
  bool cancel() {
    State expected = State::waiting;
    if (state_.compare_exchange_strong(expected, State::cancelled)) return true;
    expected = State::running;
    return state_.compare_exchange_strong(expected, State::cancelled);
  }
  bool cancelled() const { return state_ == State::cancelled; }
  State state() const { return state_; }

 private:
  std::function<void(Task&)> body_;
  std::atomic<State> state_{State::waiting};
};

SCHEDULE("running -> cancelling, cancelled -> stepping, end@worker -> looking")

void test() {
  std::atomic<int> steps{0};
  std::atomic<bool> third_ran{false};
  Task first([&](Task&) { ++steps; });
  Task second([&](Task& self) {
    RADDLE_EVENT("running");
    SLEEP(20);  // it is cancelled meanwhile
    RADDLE_EVENT("stepping");
    if (!self.cancelled()) steps += 10;
  });
  Task third([&](Task&) { third_ran = true; });
  std::thread worker([&] {
    raddle::name_thread("worker");
    first.run();
    second.run();
    third.run();
  });
  SLEEP(10);  // the second one runs
  RADDLE_EVENT("cancelling");
  CHECK(!first.cancel());
  CHECK(second.state() == Task::State::running);
  CHECK(second.cancel());
  CHECK(third.cancel());
  RADDLE_EVENT("cancelled");
  SLEEP(20);
  RADDLE_EVENT("looking");
  CHECK(steps == 1);
  CHECK(!third_ran);
  worker.join();
}

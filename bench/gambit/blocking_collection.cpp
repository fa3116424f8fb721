// SPDX-License-Identifier: Apache-2.0
//
// A bounded collection whose add() and take() block. The bug: add() wakes a taker only when the
// collection was empty, so two items that are added before a woken taker has run wake one of two
// waiting takers. A test of bench/gambit.
#include <condition_variable>
#include <deque>
#include <mutex>

#include "gambit.h"

namespace {

template <bool fixed>
class BlockingCollection {
 public:
  explicit BlockingCollection(std::size_t capacity) : capacity_(capacity) {}

  void add(int item) {
    std::unique_lock<std::mutex> hold(lock_);
    not_full_.wait(hold, [&] { return items_.size() < capacity_; });
    const bool was_empty = items_.empty();
    items_.push_back(item);
    if (was_empty || fixed) not_empty_.notify_one();
  }

  // False when nothing will come any more.
  bool take(int* item) {
    std::unique_lock<std::mutex> hold(lock_);
    not_empty_.wait(hold, [&] { return !items_.empty() || complete_; });
    if (items_.empty()) return false;
    *item = items_.front();
    items_.pop_front();
    not_full_.notify_one();
    return true;
  }

  void complete_adding() {
    std::lock_guard<std::mutex> hold(lock_);
    complete_ = true;
    not_empty_.notify_all();
  }

 private:
  const std::size_t capacity_;
  std::mutex lock_;
  std::condition_variable not_empty_, not_full_;
  std::deque<int> items_;
  bool complete_ = false;
};

// Each taker takes one item, and answers in another collection.
template <bool fixed>
void test() {
  BlockingCollection<fixed> questions(2), answers(1);
  auto serve = [&] {
    int question = 0;
    if (questions.take(&question)) answers.add(10 * question);
  };
  gambit::Thread one(serve);
  gambit::Thread two(serve);
  gambit::Thread three(serve);
  int answer = 0, sum = 0;
  for (int question = 1; question <= 3; ++question) questions.add(question);
  for (int i = 0; i < 3; ++i) {
    answers.take(&answer);
    sum += answer;
  }
  questions.complete_adding();
  RADDLE_ASSERT(sum == 60);
}

}  // namespace

const gambit::Test gambit::blocking_collection{"blocking_collection", "deadlock",
                                               "only the first item wakes a taker", test<false>,
                                               test<true>};

// SPDX-License-Identifier: Apache-2.0
//
// A record that is read without a lock: its writer counts before and after it writes, and a reader
// that sees the count change reads again. The bug: the count is kept in the few bits that were
// free, and is what it was after some writes: a reader that was held up for exactly that long takes
// two halves of different records for one. A test of bench/gambit.
#include <array>
#include <atomic>

#include "gambit.h"

namespace {

constexpr int kWords = 3;

template <bool fixed>
class Record {
 public:
  // Of one writer.
  void write(int value) {
    advance();
    for (std::atomic<int>& word : words_) word.store(value);
    advance();
  }

  // False: there was always a writer in the way.
  bool read(std::array<int, kWords>* words) {
    for (int attempts = 0; attempts < 2; ++attempts) {
      const int before = count_.load();
      if (before % 2 != 0) continue;
      for (std::size_t i = 0; i < kWords; ++i) (*words)[i] = words_[i].load();
      if (count_.load() == before) return true;
    }
    return false;
  }

 private:
  void advance() {
    ++written_;
    count_.store(fixed ? written_ : written_ % 8);
  }

  int written_ = 0;  // the writer's own
  std::atomic<int> count_{0};
  std::array<std::atomic<int>, kWords> words_{};
};

template <bool fixed>
void test() {
  Record<fixed> record;
  auto read = [&] {
    std::array<int, kWords> words{};
    if (!record.read(&words)) return;
    RADDLE_ASSERT(words[0] == words[1] && words[1] == words[2]);
  };
  gambit::Thread one(read);
  gambit::Thread two(read);
  for (int value = 1; value <= 7; ++value) record.write(value);
}

}  // namespace

const gambit::Test gambit::seqlock{"seqlock", "assertion", "the count of writes wraps around",
                                   test<false>, test<true>};

// SPDX-License-Identifier: Apache-2.0
//
// The turn between two sides that wait for each other, in a loop or asleep: nobody sleeps through
// his turn, and no byte is left over.
#include "wire/turn.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <thread>

namespace raddle::wire {
namespace {

// One side's view: it waits for `theirs` and answers in `ours`.
struct Side {
  std::atomic<std::uint32_t>& ours;
  std::atomic<std::uint32_t>& theirs;
  std::atomic<std::uint32_t>& we_sleep;
  std::atomic<std::uint32_t>& they_sleep;
  int in, out;

  void tell(std::uint32_t number) const {
    char byte = 0;
    hand_over(ours, number, they_sleep, [&] { EXPECT_EQ(write(out, &byte, 1), 1); });
  }

  void await(std::uint32_t number, bool spins) const {
    if (spins && spin_until(theirs, number, sched_yield)) return;
    char byte;
    while (fall_asleep(we_sleep, theirs, number)) {
      EXPECT_EQ(read(in, &byte, 1), 1);
      if (theirs.load() == number) return;
    }
  }
};

class TurnTest : public testing::TestWithParam<int> {};

TEST_P(TurnTest, NobodySleepsThroughHisTurn) {
  constexpr std::uint32_t kTurns = 20'000;
  int ping[2], pong[2];
  ASSERT_EQ(pipe2(ping, O_CLOEXEC), 0);
  ASSERT_EQ(pipe2(pong, O_CLOEXEC), 0);
  std::atomic<std::uint32_t> first{0}, second{0}, first_sleeps{0}, second_sleeps{0};
  Side a{first, second, first_sleeps, second_sleeps, pong[0], ping[1]};
  Side b{second, first, second_sleeps, first_sleeps, ping[0], pong[1]};
  // Loops of both sides, of one, of none; and of either now and then.
  auto spins = [&](int side, std::uint32_t turn) {
    return GetParam() == 4 ? (turn / (side + 2)) % 2 == 0 : (GetParam() >> side & 1) != 0;
  };
  std::thread other([&] {
    for (std::uint32_t i = 1; i <= kTurns; ++i) {
      b.await(i, spins(1, i));
      b.tell(i);
    }
  });
  for (std::uint32_t i = 1; i <= kTurns; ++i) {
    a.tell(i);
    a.await(i, spins(0, i));
  }
  other.join();
  for (int end : {ping[0], pong[0]}) {
    pollfd entry = {end, POLLIN, 0};
    EXPECT_EQ(poll(&entry, 1, 0), 0) << "a byte is left over";
  }
  for (int end : {ping[0], ping[1], pong[0], pong[1]}) close(end);
}

INSTANTIATE_TEST_SUITE_P(Loops, TurnTest, testing::Range(0, 5));

TEST(Turn, WaitingInALoopComesToAnEnd) {
  std::atomic<std::uint32_t> number{0};
  EXPECT_FALSE(spin_until(number, 1, sched_yield));
}

}  // namespace
}  // namespace raddle::wire

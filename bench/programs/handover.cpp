// SPDX-License-Identifier: Apache-2.0
// Two threads take turns at a few shared words under one mutex, ROUNDS times each: a run as long as
// one likes that always does the same.
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable turned;
static int turn;
static long words[16];

static void take_turns(int me, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    std::unique_lock<std::mutex> hold(lock);
    turned.wait(hold, [&] { return turn == me; });
    for (long& word : words) word += round;
    turn = 1 - me;
    turned.notify_one();
  }
}

int main(int, char** argv) {
  int rounds = atoi(argv[1]);
  std::thread first(take_turns, 0, rounds), second(take_turns, 1, rounds);
  first.join();
  second.join();
}

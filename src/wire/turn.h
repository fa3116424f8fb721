// SPDX-License-Identifier: Apache-2.0
//
// Waiting in a loop for the other side, for a moment. Both sides. To wake a sleeper on another
// processor takes longer than many a run; where both have a processor of their own, the one who
// waits looks on instead.
//
// invariant: whoever waits in a loop lets others have the processor after a short while, so that
// nothing is lost but time where there are fewer processors than expected.
#pragma once

#include <x86intrin.h>

#include <atomic>
#include <cstdint>

namespace raddle::wire {

// Ticks of the processor's clock: microseconds at one to four gigahertz.
inline constexpr std::uint64_t kLookTicks = 30'000;
inline constexpr std::uint64_t kSpinTicks = 600'000;

// Whether the number came within the time. `yield` lets others have the processor.
template <class Yield>
bool spin_until(const std::atomic<std::uint32_t>& number, std::uint32_t wanted, Yield yield) {
  std::uint64_t begin = __rdtsc();
  for (;;) {
    for (int i = 0; i < 32; ++i) {
      if (number.load(std::memory_order_acquire) == wanted) return true;
      _mm_pause();
    }
    std::uint64_t spent = __rdtsc() - begin;
    if (spent > kSpinTicks) return false;
    if (spent > kLookTicks) yield();
  }
}

// Sleeping: whoever takes the word `sleeps` from 1 to 0 sees to a byte, which the sleeper waits
// for. That is the other side, which sends it; or the sleeper himself, who has seen his number
// after all and does not wait. The other side may be late, and its byte may be for a turn that is
// long over: whoever is woken looks for his number, and sleeps again if it is not there.

// Whether a byte is on its way, or will be; if not, the number is there.
inline bool fall_asleep(std::atomic<std::uint32_t>& sleeps,
                        const std::atomic<std::uint32_t>& number, std::uint32_t wanted) {
  sleeps.store(1);
  return number.load() != wanted || sleeps.exchange(0) == 0;
}

// Tells the number to the other side; `send` sends the byte.
template <class Send>
void hand_over(std::atomic<std::uint32_t>& number, std::uint32_t value,
               std::atomic<std::uint32_t>& sleeps, Send send) {
  number.store(value);
  if (sleeps.exchange(0) != 0) send();
}

}  // namespace raddle::wire

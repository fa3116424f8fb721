// SPDX-License-Identifier: Apache-2.0
//
// A table of sessions that are known by handles: a slot number and how often the slot was used. A
// slot is used again only after all others. The bug: send() checks the handle, lets go of the lock,
// and writes to a slot that may belong to another session by then, if a good deal happens in
// between. The fix: the lock is held. A test of bench/gambit.
#include <array>
#include <deque>
#include <mutex>

#include "gambit.h"

namespace {

constexpr int kSlots = 5;

struct Handle {
  int slot;
  int use;
};

template <bool fixed>
class HandleTable {
 public:
  HandleTable() {
    for (int slot = 0; slot < kSlots; ++slot) free_.push_back(slot);
  }

  Handle open() {
    std::lock_guard<std::mutex> hold(lock_);
    const int slot = free_.front();
    free_.pop_front();
    slots_[static_cast<std::size_t>(slot)].message = 0;
    return {slot, slots_[static_cast<std::size_t>(slot)].use};
  }

  // What was sent to the session.
  int close(Handle handle) {
    std::lock_guard<std::mutex> hold(lock_);
    Slot& slot = slots_[static_cast<std::size_t>(handle.slot)];
    ++slot.use;
    free_.push_back(handle.slot);
    return slot.message;
  }

  void send(Handle handle, int message) {
    std::unique_lock<std::mutex> hold(lock_);
    Slot& slot = slots_[static_cast<std::size_t>(handle.slot)];
    if (slot.use != handle.use) return;
    if (!fixed) {
      hold.unlock();
      hold.lock();
    }
    slot.message = message;
  }

 private:
  struct Slot {
    int use = 0;
    int message = 0;
  };
  std::mutex lock_;
  std::array<Slot, kSlots> slots_;
  std::deque<int> free_;  // oldest first
};

template <bool fixed>
void test() {
  HandleTable<fixed> table;
  const Handle shared = table.open();
  auto send = [&](int message) {
    for (int i = 0; i < 2; ++i) table.send(shared, message);
  };
  gambit::Thread one([&] { send(1); });
  gambit::Thread two([&] { send(1); });
  table.close(shared);
  for (int i = 0; i < 2 * kSlots; ++i) {
    const Handle own = table.open();
    table.send(own, 2);
    RADDLE_ASSERT(table.close(own) == 2);
  }
}

}  // namespace

const gambit::Test gambit::handle_table{"handle_table", "assertion",
                                        "the slot has changed hands since the check", test<false>,
                                        test<true>};

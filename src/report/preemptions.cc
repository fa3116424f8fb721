// SPDX-License-Identifier: Apache-2.0
//
// Tells preemptions from forced and voluntary switches. Engine side; pure.
#include "report/preemptions.h"

#include <map>
#include <unordered_map>

#include "model/pending_op.h"

namespace raddle::report {
namespace {

using wire::Event;
using wire::OpKind;

constexpr std::size_t kNever = ~std::size_t{0};

// Who holds the locks and who has ended, as events go by.
class Holdings {
 public:
  void on_event(const Event& event) {
    if ((event.flags & wire::kEventFailed) != 0) return;
    Lock& lock = locks_[event.where.key()];
    switch (event.kind) {
      case OpKind::mutex_lock:
      case OpKind::mutex_try_lock:
      case OpKind::mutex_timed_lock:
      case OpKind::rwlock_write:
      case OpKind::rwlock_try_write:
      case OpKind::rwlock_timed_write:
        ++lock.writers;
        lock.writer = event.thread;
        break;
      case OpKind::rwlock_read:
      case OpKind::rwlock_try_read:
      case OpKind::rwlock_timed_read:
        ++lock.readers;
        break;
      case OpKind::mutex_unlock:
      case OpKind::rwlock_unlock:
        if (lock.writers > 0)
          --lock.writers;
        else if (lock.readers > 0)
          --lock.readers;
        break;
      case OpKind::thread_exit:
        ended_.insert(event.thread);
        break;
      default:
        break;
    }
  }

  // Whether a thread that does `next` next could do it now.
  bool permits(const Event& next) {
    const Lock& lock = locks_[next.where.key()];
    bool free = lock.writers == 0 || lock.writer == next.thread;
    switch (next.kind) {
      case OpKind::mutex_lock:
      case OpKind::mutex_timed_lock:
      case OpKind::rwlock_read:
      case OpKind::rwlock_timed_read:
        return free;
      case OpKind::rwlock_write:
      case OpKind::rwlock_timed_write:
        return free && lock.readers == 0;
      case OpKind::thread_join:
        return ended_.contains(wire::other_of(next));
      case OpKind::event:  // where a schedule is concerned, it may have been kept back
        return next.where.region() == wire::Region::none;
      case OpKind::sleep:
      case OpKind::signal_wait:
      case OpKind::thread_exit:  // it could go on, but there is nothing left to interrupt
        return false;
      default:
        return !model::may_wait(next.kind);
    }
  }

 private:
  struct Lock {
    int writers = 0;  // more than one if recursive
    int readers = 0;
    ThreadId writer = kNoThread;
  };
  std::unordered_map<std::uint64_t, Lock> locks_;
  std::set<ThreadId> ended_;
};

// After these a thread does not want to go on, or cannot.
bool gives_way(OpKind kind) {
  return kind == OpKind::yield || kind == OpKind::sleep || kind == OpKind::tick ||
         kind == OpKind::thread_exit || kind == OpKind::cond_wait || kind == OpKind::futex_wait ||
         kind == OpKind::thread_start;  // it has done nothing yet that could be interrupted
}

// The end of a thread is recorded beside its last step, yet it is the last that it does.
bool is_step(const Event& event) {
  return (event.flags & wire::kEventStep) != 0 || event.kind == OpKind::thread_exit;
}

// For every step the index of the same thread's next one.
std::vector<std::size_t> next_steps(std::span<const Event> events) {
  std::vector<std::size_t> next(events.size(), kNever);
  std::unordered_map<ThreadId, std::size_t> later;
  for (std::size_t i = events.size(); i-- > 0;) {
    if (!is_step(events[i])) continue;
    auto [entry, fresh] = later.try_emplace(events[i].thread, i);
    if (!fresh) {
      next[i] = entry->second;
      entry->second = i;
    }
  }
  return next;
}

}  // namespace

std::vector<ThreadId> preempted_before(std::span<const Event> events,
                                       const std::set<ThreadId>& stuck) {
  std::vector<ThreadId> result(events.size(), kNoThread);
  std::vector<std::size_t> next = next_steps(events);
  Holdings holdings;
  std::size_t last = kNever;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    bool switched = is_step(event) && last != kNever && events[last].thread != event.thread;
    if (switched && (event.flags & wire::kEventChoice) != 0 && !gives_way(events[last].kind)) {
      bool could = next[last] == kNever ? !stuck.contains(events[last].thread)
                                        : holdings.permits(events[next[last]]);
      if (could) result[i] = events[last].thread;
    }
    holdings.on_event(event);
    if (is_step(event)) last = i;
  }
  return result;
}

}  // namespace raddle::report

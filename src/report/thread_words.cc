// SPDX-License-Identifier: Apache-2.0
//
// Thread reports as sentences. Engine side.
#include "report/thread_words.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>

#include "report/frames.h"
#include "report/op_place.h"

namespace raddle::report {
namespace {

using facts::Frame;
using facts::ThreadSnapshot;
using wire::OpKind;
using wire::ThreadReport;
using wire::ThreadState;

bool is_lock(OpKind kind) {
  switch (kind) {
    case OpKind::mutex_lock:
    case OpKind::mutex_timed_lock:
    case OpKind::rwlock_read:
    case OpKind::rwlock_timed_read:
    case OpKind::rwlock_write:
    case OpKind::rwlock_timed_write:
      return true;
    default:
      return false;
  }
}

std::string owner(const ThreadReport& thread) {
  if (thread.waits_for == kNoThread) return "";
  if (thread.waits_for == thread.id) return ", which it holds itself";
  return fmt::format(", held by T{}", thread.waits_for);
}

std::string blocked_sentence(const ThreadReport& thread, Names& names) {
  if (is_lock(thread.op))
    return fmt::format("blocked in {} of {}{}", wire::op_word(thread.op),
                       quoted(names.location(thread.where)), owner(thread));
  return "waits for " + awaited(thread, names);
}

std::string event_of(const ThreadReport& thread) {
  return fmt::format("event `{}`",
                     std::string(thread.event, strnlen(thread.event, sizeof thread.event)));
}

std::string next_op(const ThreadReport& thread, Names& names) {
  if (thread.op == OpKind::none || thread.op >= OpKind::count) return "";
  if (thread.op == OpKind::event && thread.event[0] != '\0') return event_of(thread);
  std::string word = wire::op_word(thread.op);
  if (thread.where.region() == wire::Region::none) return word;
  return fmt::format("{} of {}", word, quoted(names.location(thread.where)));
}

std::string state_sentence(const ThreadReport& thread, bool failed, Names& names) {
  switch (thread.state) {
    case ThreadState::running:
      return failed ? "running, ended the run here" : "running";
    case ThreadState::runnable: {
      std::string op = next_op(thread, names);
      return op.empty() ? "could run" : "could run, next: " + op;
    }
    case ThreadState::blocked:
      return blocked_sentence(thread, names);
    case ThreadState::sleeping:
      return "sleeps";
    case ThreadState::finished:
      return "finished";
    case ThreadState::paused:
      return "paused by the schedule before " + event_of(thread);
  }
  return "in an unknown state";
}

ThreadSnapshot snapshot(const facts::Run& run, const ThreadReport& thread, bool failed,
                        Names& names, const std::string& directory) {
  ThreadSnapshot result;
  result.id = thread.id;
  result.name.assign(thread.name, strnlen(thread.name, sizeof thread.name));
  // A thread inherits its creator's name; "main" says something about the first one only.
  if (thread.id != 0 && result.name == "main") result.name.clear();
  result.state = state_sentence(thread, failed, names);
  result.in_cycle = thread.in_cycle != 0;
  result.stack = stack_of(thread, names, directory);
  for (unsigned i = 0; i < std::min<unsigned>(thread.held_count, wire::kHeldMax); ++i) {
    const wire::HeldLock& held = thread.held[i];
    Frame where = op_frame(run, {thread.id, held.site, held.where}, names);
    where.file = path_below(where.file, directory);
    result.held.push_back({names.location(held.where), where});
  }
  return result;
}

}  // namespace

std::vector<Frame> stack_of(const ThreadReport& thread, Names& names,
                            const std::string& directory) {
  std::vector<Frame> stack;
  for (unsigned i = 0; i < std::min(thread.frame_count, wire::kFramesMax); ++i)
    for (Frame& frame : names.frames(thread.frames[i])) {
      frame.file = path_below(frame.file, directory);
      stack.push_back(std::move(frame));
    }
  return stack;
}

std::string awaited(const ThreadReport& thread, Names& names) {
  std::string what = thread.where.region() == wire::Region::none
                         ? std::string("something")
                         : quoted(names.location(thread.where));
  switch (thread.op) {
    case OpKind::thread_join:
      return thread.waits_for == kNoThread ? "a thread to end"
                                           : fmt::format("T{} to end", thread.waits_for);
    case OpKind::cond_wait:
    case OpKind::cond_wake:
      return "a notification of " + what;
    case OpKind::sem_wait:
    case OpKind::sem_timed_wait:
      return "a post of semaphore " + what;
    case OpKind::barrier_arrive:
    case OpKind::barrier_leave:
      return thread.where.region() == wire::Region::outside
                 ? fmt::format("the other threads at the barrier of {}", what)
                 : "the other threads at barrier " + what;
    case OpKind::futex_wait:
    case OpKind::futex_resume:
      return fmt::format("a change of {} (futex)", what);
    case OpKind::once_enter:
      return fmt::format("the initialisation of {}{}", what, owner(thread));
    case OpKind::io_read:
      return "input from " + what;
    case OpKind::io_write:
      return "room in " + what;
    case OpKind::io_poll:
      return "an event of " + what;
    case OpKind::io_accept:
      return "a connection to " + what;
    case OpKind::io_connect:
      return "an answer on " + what;
    case OpKind::file_lock:
      return "a file lock";
    case OpKind::child_wait:
      return "a child process to end";
    case OpKind::sleep:
      return "time to pass";
    case OpKind::signal_wait:
      return "a signal";
    case OpKind::team_idle:
      return "work for its OpenMP team";
    case OpKind::work_ordered:
      return "its turn in " + what;
    case OpKind::task_wait:
      return "tasks to end";
    case OpKind::process_exit:
      return "the end of the process" +
             (thread.waits_for == kNoThread
                  ? ""
                  : fmt::format(", which T{} has begun", thread.waits_for));
    case OpKind::process_end:
      return "the others, before the process ends";
    default:
      return what + owner(thread);
  }
}

std::vector<ThreadSnapshot> snapshots(const facts::Run& run, ThreadId failed, Names& names,
                                      const std::string& directory) {
  std::vector<ThreadSnapshot> result;
  for (const ThreadReport& thread : run.threads)
    result.push_back(snapshot(run, thread, thread.id == failed, names, directory));
  std::ranges::sort(result, {}, &ThreadSnapshot::id);
  return result;
}

}  // namespace raddle::report

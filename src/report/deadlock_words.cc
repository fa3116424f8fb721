// SPDX-License-Identifier: Apache-2.0
//
// Deadlocks in words: the cycle in the order of waiting, or, without one, what everybody waits for.
// Engine side.
#include "report/deadlock_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/frames.h"
#include "report/op_place.h"
#include "report/thread_words.h"

namespace raddle::report {
namespace {

using wire::ThreadReport;

const ThreadReport* find(const facts::Run& run, ThreadId id) {
  for (const ThreadReport& thread : run.threads)
    if (thread.id == id) return &thread;
  return nullptr;
}

// Threads of the cycle, each waiting for the next, from the smallest id on.
std::vector<const ThreadReport*> cycle_of(const facts::Run& run) {
  const ThreadReport* first = nullptr;
  for (const ThreadReport& thread : run.threads)
    if (thread.in_cycle != 0 && (first == nullptr || thread.id < first->id)) first = &thread;
  std::vector<const ThreadReport*> cycle;
  for (const ThreadReport* at = first; at != nullptr; at = find(run, at->waits_for)) {
    if (std::ranges::find(cycle, at) != cycle.end()) break;
    cycle.push_back(at);
  }
  return cycle;
}

std::string place_of(const ThreadReport& thread, Names& names) {
  return place_text(best_frame(stack_of(thread, names, "")));
}

// Where `holder` acquired the object, or "".
std::string held_since(const facts::Run& run, const ThreadReport* holder, wire::Location where,
                       Names& names) {
  if (holder == nullptr) return "";
  for (unsigned i = 0; i < std::min<unsigned>(holder->held_count, wire::kHeldMax); ++i) {
    if (holder->held[i].where != where) continue;
    facts::Frame frame = op_frame(run, {holder->id, holder->held[i].site, where}, names);
    return is_user_code(frame) ? place_text(frame) : "";
  }
  return "";
}

std::string self_deadlock(const facts::Run& run, const ThreadReport& thread, Names& names) {
  std::string message = fmt::format("self-deadlock: T{} asks for {} of {}", thread.id,
                                    wire::op_word(thread.op), quoted(names.location(thread.where)));
  std::string place = place_of(thread, names);
  if (!place.empty()) message += fmt::format(" ({})", place);
  message += ", which it already holds";
  std::string since = held_since(run, &thread, thread.where, names);
  return since.empty() ? message : fmt::format("{} (since {})", message, since);
}

std::string waiting(const facts::Run& run, const ThreadReport& thread, Names& names) {
  bool for_holder = thread.waits_for != kNoThread && thread.op != wire::OpKind::thread_join;
  std::string text = fmt::format("T{} waits for ", thread.id);
  text += for_holder ? quoted(names.location(thread.where)) : awaited(thread, names);
  std::string place = place_of(thread, names);
  if (!place.empty()) text += fmt::format(" ({})", place);
  if (for_holder) {
    text += fmt::format(", held by T{}", thread.waits_for);
    std::string since = held_since(run, find(run, thread.waits_for), thread.where, names);
    if (!since.empty()) text += " since " + since;
  }
  return text;
}

}  // namespace

std::string deadlock_message(const facts::Run& run, Names& names) {
  std::vector<const ThreadReport*> threads = cycle_of(run);
  if (threads.size() == 1 && threads[0]->waits_for == threads[0]->id)
    return self_deadlock(run, *threads[0], names);
  std::string message;
  if (threads.empty()) {
    message = "no thread can run: ";
    for (const ThreadReport& thread : run.threads)
      if (thread.state == wire::ThreadState::blocked) threads.push_back(&thread);
    std::ranges::sort(threads, {}, [](const ThreadReport* thread) { return thread->id; });
  }
  // More than a few clauses explain nothing; the stacks of all threads are kept with the finding.
  constexpr std::size_t kClausesMax = 8;
  for (std::size_t i = 0; i < std::min(threads.size(), kClausesMax); ++i)
    message += (i == 0 ? "" : "; ") + waiting(run, *threads[i], names);
  if (threads.size() > kClausesMax)
    message += fmt::format("; and {} more threads wait", threads.size() - kClausesMax);
  return message;
}

}  // namespace raddle::report

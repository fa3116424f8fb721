// SPDX-License-Identifier: Apache-2.0
//
// Event streams written as text, and iRoots as text, for tests of what looks at interleavings
// idioms. Tests only.
//
//   "1 r x; 2 w x"      thread, operation, variable. Sites count from 1.
//   "1 r x@7"           at site 7
//   "1 r x*"            remembered (wire::kEventRemembered); "1 r x**": vague (wire::kEventVague)
//   "1 r x+4/2"         2 bytes from the fifth on (default: 4 bytes)
//   "1 create 2"        and join: the other thread
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/idioms.h"
#include "wire/event.h"

namespace raddle::trace_text {

using wire::Event;
using wire::OpKind;
using Texts = std::set<std::string>;

struct Word {
  const char* text;
  OpKind kind;
  bool failed = false;
};
constexpr Word kWords[] = {
    {"r", OpKind::plain_read},
    {"w", OpKind::plain_write},
    {"u", OpKind::atomic_rmw},
    {"cas", OpKind::atomic_cas},
    {"cas!", OpKind::atomic_cas, true},
    {"load", OpKind::atomic_load},
    {"store", OpKind::atomic_store},
    {"free", OpKind::memory_free},
    {"lock", OpKind::mutex_lock},
    {"unlock", OpKind::mutex_unlock},
    {"try!", OpKind::mutex_try_lock, true},
    {"try", OpKind::mutex_try_lock},
    {"rd", OpKind::rwlock_read},
    {"wr", OpKind::rwlock_write},
    {"rwunlock", OpKind::rwlock_unlock},
    {"post", OpKind::sem_post},
    {"exit", OpKind::thread_exit},
    {"create", OpKind::thread_create},
    {"join", OpKind::thread_join},
    {"wait", OpKind::sem_wait},
    {"arrive", OpKind::barrier_arrive},
    {"leave", OpKind::barrier_leave},
    {"signal", OpKind::cond_signal},
    {"wake", OpKind::cond_wake},
};

inline wire::Location place(char variable) {
  return wire::make_location(wire::Region::global, 0, static_cast<std::uint32_t>(variable) * 16);
}

inline std::vector<Event> trace(const std::string& text) {
  std::vector<Event> events;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line, ';');) {
    if (line.find_first_not_of(' ') == std::string::npos) continue;
    std::istringstream words(line);
    unsigned thread = 0;
    std::string op, object = "-";
    words >> thread >> op >> object;
    Event event{};
    event.thread = static_cast<ThreadId>(thread);
    for (const Word& word : kWords)
      if (op == word.text) {
        event.kind = word.kind;
        event.flags = word.failed ? wire::kEventFailed : 0;
      }
    EXPECT_NE(event.kind, OpKind::none) << line;
    event.site = static_cast<SiteId>(events.size() + 1);
    if (auto at = object.find('@'); at != std::string::npos)
      event.site = static_cast<SiteId>(std::stoi(object.substr(at + 1)));
    if (wire::op_class(event.kind) == wire::OpClass::thread)
      event.value = wire::pack_caller(0, static_cast<ThreadId>(std::atoi(object.c_str())));
    else
      event.where = place(object[0]);
    if (wire::is_memory_access(event.kind)) event.size = 4;
    if (object.size() > 1 && object[1] == '+') {
      event.where.offset += static_cast<std::uint32_t>(std::stoi(object.substr(2)));
      event.size = static_cast<std::uint16_t>(std::stoi(object.substr(object.find('/') + 1)));
    }
    if (object.find('*') != std::string::npos) event.flags |= wire::kEventRemembered;
    if (object.find("**") != std::string::npos) event.flags |= wire::kEventVague;
    events.push_back(event);
  }
  return events;
}

// "4: 1>2 3>4"
inline std::string text_of(const analysis::IRoot& root) {
  std::string text = std::to_string(root.idiom) + ":";
  for (unsigned i = 0; i < root.count; ++i) {
    bool arrow = root.idiom == 2 ? i > 0 : i % 2 == 1;
    text += (arrow ? ">" : " ") + std::to_string(root.parts[i].site);
  }
  return text;
}

}  // namespace raddle::trace_text

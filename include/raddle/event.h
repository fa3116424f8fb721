// SPDX-License-Identifier: Apache-2.0
//
// Events for schedules, in test code or in the code under test. Public API, for C and C++.
//
//     RADDLE_EVENT("finishedAdd1");       a point that schedules can name
//     raddle::name_thread("producer");    the thread that "put@producer" is about
//
// Under raddle (code compiled by `raddle c++`) and with RADDLE_LIGHT defined, an event waits while
// the schedule in force does not admit it. Elsewhere it is nothing at all, not even a call: product
// code may keep its events. The language of schedules is described in docs/event-schedules.md.
#pragma once

#include "raddle/abi.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RADDLE_HAS_EVENTS 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) || defined(RADDLE_LIGHT)
#undef RADDLE_HAS_EVENTS
#define RADDLE_HAS_EVENTS 1
#endif

#if defined(RADDLE_LIGHT)
#define RADDLE_IS_THERE(function) 1
#else
// Linked by ThreadSanitizer itself, instrumented code does without.
#define RADDLE_IS_THERE(function) ((function) != 0)
#endif

#ifdef RADDLE_HAS_EVENTS
#define RADDLE_EVENT(name)                                   \
  do {                                                       \
    if (RADDLE_IS_THERE(raddle_event)) raddle_event((name)); \
  } while (0)
#define RADDLE_NAME_THREAD(name)                                         \
  do {                                                                   \
    if (RADDLE_IS_THERE(raddle_name_thread)) raddle_name_thread((name)); \
  } while (0)
#else
#define RADDLE_EVENT(name) ((void)0)
#define RADDLE_NAME_THREAD(name) ((void)0)
#endif

#ifdef __cplusplus

namespace raddle {

// The name of the current thread in schedules and reports.
inline void name_thread([[maybe_unused]] const char* name) { RADDLE_NAME_THREAD(name); }

// The name of the schedule in force, "" if there is none.
inline const char* current_schedule() {
#ifdef RADDLE_HAS_EVENTS
  if (RADDLE_IS_THERE(raddle_schedule_name)) return raddle_schedule_name();
#endif
  return "";
}

// A schedule that is in force until the end of the block.
class ScheduleScope {
 public:
  ScheduleScope([[maybe_unused]] const char* name, [[maybe_unused]] const char* text,
                [[maybe_unused]] unsigned flags = 0) {
#ifdef RADDLE_HAS_EVENTS
    if (RADDLE_IS_THERE(raddle_schedule_begin)) raddle_schedule_begin(name, text, flags);
#endif
  }
  ~ScheduleScope() {
#ifdef RADDLE_HAS_EVENTS
    if (RADDLE_IS_THERE(raddle_schedule_end)) raddle_schedule_end();
#endif
  }
  ScheduleScope(const ScheduleScope&) = delete;
  ScheduleScope& operator=(const ScheduleScope&) = delete;
};

}  // namespace raddle

#endif

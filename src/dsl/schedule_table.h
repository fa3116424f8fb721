// SPDX-License-Identifier: Apache-2.0
//
// An event schedule in compiled form: tables of fixed size, no pointers. Both sides; pure data.
//
// The language is that of IMUnit (Jagannath, "Improved Regression Testing of Multithreaded
// Programs", 2012, chapter 3), and events may have an occurrence index, for loops:
//
//   schedule  = ordering { [","] ordering }
//   ordering  = condition "->" event
//   condition = both { "||" both }
//   both      = term { "&&" term }
//   term      = event | "[" event "]" | "(" condition ")"
//   event     = name [ "#" number ] [ "@" thread ]
//             | ( "start" | "end" ) [ "#" number ] "@" thread
//   name      = id { ( "." | "::" ) id }
//   thread    = letters, digits and "_", and "-" within
//
// with comments as in C++. The document leaves open what binds tighter; here && does. Names are
// compared as they are spelled: nothing is known of classes or namespaces.
//
// An event without thread is passed by any thread, and its occurrences are counted over all
// threads; one with a thread is counted over the threads of that name. On the left, an event
// without index has occurred once its first occurrence has. On the right, an ordering without index
// is about every occurrence: "a -> b" says that there is no b before an a. The two readings of the
// right side, first and every, differ only for block events, which can become false again, and
// there "[take] -> put" is expected to hold for each put.
#pragma once

#include <cstdint>
#include <string_view>

namespace raddle::dsl {

inline constexpr unsigned kScheduleTextMax = 8192;
inline constexpr unsigned kEventsMax = 256;
inline constexpr unsigned kOrderingsMax = 256;
inline constexpr unsigned kCodeMax = 2048;
inline constexpr unsigned kNameMax = 127;       // characters of an event's name
inline constexpr unsigned kThreadNameMax = 31;  // and of a thread's
inline constexpr unsigned kNestingMax = 24;     // parentheses
inline constexpr unsigned kOccurrenceMax = 65535;

using EventIndex = std::uint16_t;

// A part of the schedule's text.
struct Span {
  std::uint16_t at = 0;
  std::uint16_t size = 0;
};

enum class EventKind : std::uint8_t { named, start, end };

// Events are distinct: no two have the same kind, name, thread and occurrence.
struct Event {
  EventKind kind = EventKind::named;
  Span name;                     // "start" and "end" too
  Span thread;                   // empty: any
  std::uint16_t occurrence = 0;  // 0: none given
};

enum class Op : std::uint8_t {
  occurred,  // pushes whether the event has occurred
  blocked,   // the same, and its thread is blocked now
  both,      // &&
  either,    // ||
};

struct Instruction {
  Op op = Op::occurred;
  EventIndex event = 0;
};

// The condition is code[first .. first + count), in postfix order. It never needs more than 64
// values at a time (kNestingMax).
struct Ordering {
  std::uint16_t first = 0;
  std::uint16_t count = 0;
  EventIndex event = 0;  // the right side
  Span source;
};

struct Schedule {
  std::uint16_t text_size = 0;
  std::uint16_t event_count = 0;
  std::uint16_t ordering_count = 0;
  std::uint16_t code_count = 0;
  char text[kScheduleTextMax] = {};
  Event events[kEventsMax] = {};
  Ordering orderings[kOrderingsMax] = {};
  Instruction code[kCodeMax] = {};

  std::string_view view(Span span) const { return {text + span.at, span.size}; }
  std::string_view source() const { return {text, text_size}; }
};

// Where in a text, for people: both count from 1.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};
inline Position position_of(std::string_view text, std::size_t offset) {
  Position position;
  for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
    ++position.column;
    if (text[i] == '\n') position = {position.line + 1, 1};
  }
  return position;
}

}  // namespace raddle::dsl

// SPDX-License-Identifier: Apache-2.0
//
// The end of a run for people: what happened, and state, locks and stack of every thread. Engine
// side.
#pragma once

#include <string>

#include "facts/finding.h"

namespace raddle::report {

// "T1 worker"; names that all threads inherited from the program say nothing and are left out.
std::string thread_label(const facts::Finding& finding, ThreadId id);

// Terminal colours, or nothing.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string thread(ThreadId id, const std::string& text) const;
  std::string faint(const std::string& text) const { return wrap("2", text); }
  std::string bold(const std::string& text) const { return wrap("1", text); }
  std::string alarm(const std::string& text) const { return wrap("1;31", text); }

 private:
  std::string wrap(const char* code, const std::string& text) const;
  bool on_;
};

// One paragraph for each thread. Frames of libraries are counted, not shown, unless there are no
// others; a long recursion is cut.
std::string stacks_text(const facts::Finding& finding, const Paint& paint);

// Kind and message, where it happened, how it was found.
std::string verdict_text(const facts::Finding& finding, const Paint& paint);

}  // namespace raddle::report

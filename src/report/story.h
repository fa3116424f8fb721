// SPDX-License-Identifier: Apache-2.0
//
// The steps of a run that matter for understanding how it failed. Engine side; pure.
//
// Kept are: creation, end and joining of threads; events; operations on objects and bytes that two
// threads touch in conflict; locks that were never given back, if a thread is stuck; both sides of
// every preemption; the last step of every thread that had not ended, and of the run. Turns of a
// loop that are alike are shown once. A story that is still too long loses its middle.
#pragma once

#include <span>
#include <vector>

#include "facts/finding.h"
#include "wire/event.h"

namespace raddle::report {

struct StoryStep {
  std::size_t event = 0;           // index into the events
  std::vector<ThreadId> others;    // threads created or joined, several if done in a row
  ThreadId preempted = kNoThread;  // who was interrupted just before
  std::size_t skipped = 0;         // steps left out just before
  std::size_t loop_length = 0;     // of the steps up to and including this one, these many ...
  std::size_t loop_repeats = 0;    // ... were carried out so many times in all
};

struct StoryOptions {
  std::size_t steps_max = 200;
};

std::vector<StoryStep> make_story(std::span<const wire::Event> events,
                                  const facts::Finding& finding, const StoryOptions& options);

}  // namespace raddle::report

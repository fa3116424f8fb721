// SPDX-License-Identifier: Apache-2.0
//
// The step from one path of an exhaustive depth-first search to the next. Both sides: the engine
// takes it between the runs of a campaign, the runtime between runs inside one process, a million
// times a second. Pure, and without allocation.
//
// A path is named by its ranks (DfsPolicy says what a rank is): the plan holds those of the first
// choices (SteeringKind::ranks), all later ones are 0. Its rows hold
//     picked    the rank
//     kind      OpKind::value for a value, OpKind::none for a thread
//     step, enabled    as the run that first made this choice recorded them
// so that a run which comes to another choice there is noticed (DfsPolicy compares).
//
// Paths come in lexicographic order of their ranks, so each comes once; the next path differs from
// the last one at the deepest choice that has a rank left.
#pragma once

#include "wire/event.h"

namespace raddle::policy {

// The number of candidates that a record cannot tell from any larger one.
inline constexpr std::uint8_t kDfsWide = 255;

struct DfsPath {
  wire::ChoiceRecord* ranks = nullptr;  // room for as many as a run makes choices
  std::uint32_t count = 0;              // how many ranks are given
  // A choice among kDfsWide candidates or more was left behind: those beyond were not tried.
  bool wide = false;
};

enum class DfsStep : std::uint8_t {
  next,       // the path is the next one
  exhausted,  // there is none
};

// Whether a run that made so many choices went where the path led: one that left it records none of
// the choices from there on. The tree below the path is then unknown.
inline bool dfs_followed(const DfsPath& path, std::uint32_t made) { return made >= path.count; }

// Backtracks among the ranks: nothing below the path is looked at (any more).
inline DfsStep dfs_leave(DfsPath& path) {
  while (path.count > 0) {
    wire::ChoiceRecord& last = path.ranks[path.count - 1];
    if (last.picked + 1u < last.enabled) {
      ++last.picked;
      return DfsStep::next;
    }
    path.wide |= last.enabled == kDfsWide;
    --path.count;
  }
  return DfsStep::exhausted;
}

// The path after the one that led to these choices. Requires: dfs_followed(path, made). Costs as
// much as the choices that the run made beyond the ranks, and those that it backtracks over.
inline DfsStep dfs_next(DfsPath& path, const wire::ChoiceRecord* choices, std::uint32_t made) {
  for (; path.count < made; ++path.count) {
    const wire::ChoiceRecord& choice = choices[path.count];
    bool value = choice.kind == wire::OpKind::value;
    // A run records the thread that it picked; beyond the ranks that was the one of rank 0.
    path.ranks[path.count] = {choice.step, 0, value ? wire::OpKind::value : wire::OpKind::none,
                              choice.enabled};
  }
  return dfs_leave(path);
}

}  // namespace raddle::policy

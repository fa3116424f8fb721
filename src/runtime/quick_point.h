// SPDX-License-Identifier: Apache-2.0
//
// The short way through a point, for runs of which only the end is wanted (checks_quickly()): there
// are no events, checkpoints or debuggers. Target side.
//
// invariant: the same threads are chosen in the same order as by pass_point(). Whatever is more
// than a question to the policy is left to that, untouched. Deviation: how many steps and choices
// there have been is told to the engine when the run ends (in_process.cc).
#pragma once

#include "policy/registry.h"
#include "runtime/controller.h"

namespace raddle::runtime {

// The run's policy has been made.
void prepare_quick_points(const policy::PolicyStorage& storage);

// As pass_point(). Requires: checks_quickly().
void pass_quick_point();
// `grants`: whether the object grants the op now.
void pass_quick_point(SyncObject& object, bool grants);

inline void pass_usual_point() { checks_quickly() ? pass_quick_point() : pass_point(); }

}  // namespace raddle::runtime

// SPDX-License-Identifier: Apache-2.0
//
// Starting a child process as a step. Target side.
#pragma once

#include "runtime/checkpoint.h"
#include "runtime/io_step.h"
#include "runtime/resident.h"

namespace raddle::runtime {

// `start` returns 0 or an error number, and may return a second time, in the child. `forked`: the
// child has the program's memory, and does not execute something else at once.
template <class Start>
int start_child(std::uintptr_t pc, const pid_t& child, Start start, bool forked = false) {
  note_lasting_effect();  // of the child
  end_residence(wire::ResidentEnd::children);
  PendingOp& op = next_op(OpKind::child_start, site_of(pc));
  note_progress();
  pass_point();
  int error = start();
  if (off()) return error;  // the child
  if (error == 0) note_child(child, forked);
  emit_io(op, error);
  note_outside_change();
  return error;
}

}  // namespace raddle::runtime

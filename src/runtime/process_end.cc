// SPDX-License-Identifier: Apache-2.0
//
// See process_end.h.
#include "runtime/process_end.h"

#include "runtime/controller.h"
#include "runtime/descriptors.h"
#include "runtime/emit.h"
#include "runtime/fatal.h"
#include "runtime/misuse.h"
#include "runtime/order.h"
#include "runtime/resident.h"
#include "runtime/sync_step.h"

// What at_quick_exit calls, which lies in no shared library.
extern "C" int __cxa_at_quick_exit(void (*handler)(void*), void* library);

namespace raddle::runtime {
namespace {

using wire::DescriptorKind;

std::uintptr_t exit_address() { return numbered_address(DescriptorKind::process, 0); }
std::uintptr_t end_address() { return numbered_address(DescriptorKind::process, 1); }

Finish* libc_finish;
ThreadSet ending;
StepIndex end_by;  // the end is not put off any longer
int exit_status;   // of who has begun to exit
bool status_known;
SiteId exit_site;
const ShadowFrame* exit_frame;  // the next one

// Who has begun to exit.
SyncObject& exit_object() {
  SyncObject& object = object_at(exit_address(), model::ObjectKind::mutex);
  object.mutex.type = model::MutexType::recursive;  // handlers may call exit again
  return object;
}

bool is_sudden() { return g.shared->sudden_exit != 0; }

void put_off_the_end(SiteId site) {
  PendingOp& op = next_op(OpKind::process_end, site);
  op.address = end_address();
  note_progress();
  if (!g.cares.ending) {
    StepIndex last = g.shared->plan.max_steps;
    StepIndex limit = last > 0 ? last - 1 : 0;
    end_by = limit - g.step < kPutOffSteps ? limit : g.step + kPutOffSteps;
  }
  ending.add(g.current->id);
  g.cares.ending = true;
  pass_point({.notification = true});
  emit_step(op, with_caller());
}

// The exit code is known by now, and what led to it.
void note_status(int status, std::uintptr_t pc) {
  if (status == 0) return;
  write_verdict({.kind = wire::VerdictKind::exited, .code = status, .pc = pc});
  g.mode = Mode::running;  // what comes before the end is part of the run
}

// From here on nothing is part of the run.
void end_run_here() {
  if (!running()) return;
  emit_pending(false);
  g.mode = Mode::armed;
}

// What libc calls after all handlers.
void end_process() {
  if (!running()) return;
  if (g.live_count > 1 && !is_sudden()) put_off_the_end(exit_site);
  if (exit_status == 0) check_leaked_threads();
  end_run_here();
}

void finish_last() {
  if (libc_finish != nullptr) libc_finish();
  end_process();
  if (status_known) end_resident_run_after_handlers(exit_status);
}

}  // namespace

Finish* prepare_process_end(Finish* finish) {
  libc_finish = finish;
  __cxa_at_quick_exit(
      [](void*) {
        end_process();
        if (status_known) end_resident_run(exit_status);
      },
      nullptr);
  return finish_last;
}

void begin_process_end(int status, std::uintptr_t pc) {
  if (!running()) return;
  SyncObject& object = exit_object();
  // Nobody is there who could come first, or go on.
  if (g.live_count > 1 && !is_sudden()) {
    PendingOp& op = sync_op(OpKind::process_exit, object, pc);
    note_progress();
    pass_point(object);
    emit_step(op, with_caller());
  }
  object.mutex.lock(g.current->id, site_of(pc));
  refresh(object);
  exit_status = status;
  status_known = true;
  exit_site = site_of(pc);
  exit_frame = g.current->top;
  if (!g.exiting) note_status(status, pc);
  g.exiting = true;
}

void end_process_at_once(int status, std::uintptr_t pc) {
  if (!running()) return;
  note_status(status, pc);
  if (g.live_count > 1 && !is_sudden()) put_off_the_end(site_of(pc));
  end_run_here();
}

bool begins_the_end(const ShadowFrame* frame) { return g.exiting && frame == exit_frame; }

bool only_the_end_is_left() {
  if (g.enabled.empty()) return true;
  if (g.step >= end_by) {
    g.shared->reservations |= wire::kEndForced;
    return true;
  }
  if (g.cares.yielding == 0) return false;
  // As if the end could come now: who gives way does so to those that wait for it, too. Whom
  // another filter holds back could still go on, and the process ends last.
  g.allowed = g.enabled;
  ending.for_each([](ThreadId id) { g.allowed.add(id); });
  g.filter_storage.fairness->narrow({g.enabled, g.views, g.thread_count, g.current->id, g.step},
                                    g.allowed);
  bool others = false;
  g.allowed.for_each([&](ThreadId id) { others = others || !ending.contains(id); });
  return !others;
}

const ThreadSet& ending_threads() { return ending; }

}  // namespace raddle::runtime

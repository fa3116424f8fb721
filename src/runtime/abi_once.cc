// SPDX-License-Identifier: Apache-2.0
//
// One-time initialisation: pthread_once (and so std::call_once), and the guards of function-local
// statics. Target side.
//
// An initialiser that throws leaves the flag as it was. The runtime has no exception handlers, so
// pthread_once notes where its frame lies; the catch that ends the unwinding lies above it.
#include <pthread.h>

#include "runtime/fatal.h"
#include "runtime/real.h"
#include "runtime/sync_step.h"

using namespace raddle::runtime;
using raddle::model::ObjectKind;

namespace {

constexpr int kOnceDone = 2;  // as glibc marks it

// True if the caller has to run the initialiser.
bool enter_once(SyncObject& object, std::uintptr_t pc) {
  PendingOp& op = sync_op(OpKind::once_enter, object, pc);
  note_progress();
  pass_point(object);
  bool mine = object.once.enter(g.current->id, op.site);
  if (mine) note_held(object, OpKind::once_enter, op.site);
  emit_sync(op, !mine);
  refresh(object);
  return mine;
}

void leave_once(SyncObject& object, bool succeeded, std::uintptr_t pc) {
  PendingOp& op = sync_op(OpKind::once_leave, object, pc);
  pass_point();
  object.once.leave(succeeded);
  note_released(object);
  emit_sync(op, !succeeded);
  refresh(object);
}

SyncObject& once_object(pthread_once_t* control) {
  SyncObject& object = object_at(reinterpret_cast<std::uintptr_t>(control), ObjectKind::once);
  // The flag itself tells whether the object was made anew at the address of a dead one.
  if (object.once.runner == raddle::kNoThread) object.once.done = *control == kOnceDone;
  return object;
}

SyncObject& guard_object(std::uint64_t* guard) {
  bool fresh;
  auto* record = reinterpret_cast<std::uint32_t*>(guard) + 1;
  SyncObject& object = object_in(guard, record, ObjectKind::once, &fresh);
  if (fresh) object.once = {};
  return object;
}

}  // namespace

namespace raddle::runtime {

void abandon_onces_below(std::uintptr_t frame) {
  Fiber& me = *g.current;
  while (me.once_count > 0 && me.once_scopes[me.once_count - 1].frame <= frame) {
    SyncObject& object = *me.once_scopes[--me.once_count].object;
    object.once.leave(false);
    note_released(object);
    if (races_wanted()) order_sync(OpKind::once_leave, object, false);
    emit({.kind = OpKind::once_leave, .address = object.address}, me.id, 0, wire::kEventFailed);
    refresh(object);
  }
}

}  // namespace raddle::runtime

RADDLE_EXPORT int pthread_once(pthread_once_t* control, void (*initialise)()) {
  if (off()) return RADDLE_REAL(pthread_once)(control, initialise);
  SyncObject& object = once_object(control);
  std::uintptr_t pc = RADDLE_PROGRAM_CALLER;
  if (!enter_once(object, pc)) return 0;
  Fiber& me = *g.current;
  if (me.once_count == kOnceScopesMax) refuse("initialisers of pthread_once are nested too deeply");
  me.once_scopes[me.once_count++] = {&object,
                                     reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0))};
  initialise();
  --me.once_count;
  *control = kOnceDone;
  leave_once(object, true, pc);
  return 0;
}

RADDLE_EXPORT void* __cxa_begin_catch(void* exception) {
  using BeginCatch = void*(void*);
  static BeginCatch* real;
  if (!off() && g.current->once_count > 0)
    abandon_onces_below(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  return real_function(&real, "__cxa_begin_catch")(exception);
}

RADDLE_EXPORT int __cxa_guard_acquire(std::uint64_t* guard) {
  using Acquire = int(std::uint64_t*);
  static Acquire* real;
  if (off()) return real_function(&real, "__cxa_guard_acquire")(guard);
  if (*reinterpret_cast<unsigned char*>(guard) != 0) return 0;
  return enter_once(guard_object(guard), RADDLE_PROGRAM_CALLER) ? 1 : 0;
}

RADDLE_EXPORT void __cxa_guard_release(std::uint64_t* guard) {
  using Release = void(std::uint64_t*);
  static Release* real;
  if (off()) return real_function(&real, "__cxa_guard_release")(guard);
  SyncObject& object = guard_object(guard);
  leave_once(object, true, RADDLE_PROGRAM_CALLER);
  *reinterpret_cast<unsigned char*>(guard) = 1;
  // The compiler's own test of the guard is an acquiring load of its first byte.
  if (races_wanted()) order_release(reinterpret_cast<std::uintptr_t>(guard));
}

RADDLE_EXPORT void __cxa_guard_abort(std::uint64_t* guard) {
  using Abort = void(std::uint64_t*);
  static Abort* real;
  if (off()) return real_function(&real, "__cxa_guard_abort")(guard);
  leave_once(guard_object(guard), false, RADDLE_PROGRAM_CALLER);
}

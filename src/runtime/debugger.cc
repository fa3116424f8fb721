// SPDX-License-Identifier: Apache-2.0
//
// The table for debuggers. Target side. Names and numbers: a debugger asks for what it needs by
// name, so that entries may be added, and finds out when one is missing.
#include "runtime/debugger.h"

#include <cstddef>

#include "runtime/controller.h"

namespace raddle::runtime {
namespace {

using model::ObjectKind;
using model::PendingOp;
using model::ThreadView;
using wire::SharedHeader;
using wire::Verdict;
using wire::VerdictKind;

// In the order of VerdictKind.
constexpr const char* kVerdictWords[] = {"none",
                                         "assertion",
                                         "crash",
                                         "stack-overflow",
                                         "exception",
                                         "deadlock",
                                         "hang",
                                         "limit",
                                         "divergence",
                                         "unsupported",
                                         "exited",
                                         "use-after-free",
                                         "double-free",
                                         "heap-overflow",
                                         "sync-misuse",
                                         "leaked-thread",
                                         "idle",
                                         "schedule-deadlock",
                                         "schedule-violation"};
static_assert(sizeof kVerdictWords / sizeof *kVerdictWords ==
              static_cast<unsigned>(VerdictKind::schedule_violation) + 1);

constexpr DebugEntry number(const char* name, std::uint64_t value) {
  return {name, nullptr, value};
}

}  // namespace
}  // namespace raddle::runtime

using namespace raddle;
using namespace raddle::runtime;

// An entry without a name ends the table.
const DebugEntry raddle_debug_table[] = {
    number("version", 1),
    {"state", &g, 0},
    {"op-words", wire::kOpWords, static_cast<std::uint64_t>(wire::OpKind::count)},
    {"verdict-words", kVerdictWords, sizeof kVerdictWords / sizeof *kVerdictWords},
    {"pass-point", reinterpret_cast<const void*>(static_cast<void (*)()>(&pass_point)), 0},
    {"pass-point-of-object",
     reinterpret_cast<const void*>(static_cast<void (*)(SyncObject&)>(&pass_point)), 0},
    {"pass-point-and-wait",
     reinterpret_cast<const void*>(static_cast<void (*)(const Wait&)>(&pass_point)), 0},

    number("state.current", offsetof(State, current)),
    number("state.shared", offsetof(State, shared)),
    number("state.step", offsetof(State, step)),
    number("state.thread_count", offsetof(State, thread_count)),
    number("state.now_ns", offsetof(State, now_ns)),
    number("state.enabled", offsetof(State, enabled)),
    number("state.views", offsetof(State, views)),
    number("state.fibers", offsetof(State, fibers)),
    number("set.words", sizeof(ThreadSet) - kMaxThreads / 8),  // the bits come last

    number("fiber.bytes", sizeof(Fiber)),
    number("fiber.stack_pointer", offsetof(Fiber, stack_pointer)),
    number("fiber.thread_pointer", offsetof(Fiber, thread_pointer)),
    number("fiber.state", offsetof(Fiber, state)),
    number("fiber.alive", static_cast<std::uint64_t>(FiberState::alive)),
    number("fiber.object", offsetof(Fiber, object)),
    number("fiber.on_cond", offsetof(Fiber, on_cond)),
    number("fiber.deadline_ns", offsetof(Fiber, deadline_ns)),
    number("fiber.start", offsetof(Fiber, start)),
    number("fiber.name", offsetof(Fiber, name)),
    number("fiber.name.bytes", wire::kThreadNameMax),
    number("fiber.held_count", offsetof(Fiber, held_count)),
    number("fiber.held", offsetof(Fiber, held)),
    number("held.bytes", sizeof(HeldEntry)),
    number("held.object", offsetof(HeldEntry, object)),

    number("view.bytes", sizeof(ThreadView)),
    number("view.op", offsetof(ThreadView, op)),
    number("op.kind", offsetof(PendingOp, kind)),
    number("op.address", offsetof(PendingOp, address)),
    number("op.other", offsetof(PendingOp, other)),

    number("object.address", offsetof(SyncObject, address)),
    number("object.kind", offsetof(SyncObject, kind)),
    number("object.mutex", static_cast<std::uint64_t>(ObjectKind::mutex)),
    number("object.rwlock", static_cast<std::uint64_t>(ObjectKind::rwlock)),
    number("object.once", static_cast<std::uint64_t>(ObjectKind::once)),
    number("object.mutex.owner", offsetof(SyncObject, mutex) + offsetof(model::Mutex, owner)),
    number("object.rwlock.writer", offsetof(SyncObject, rwlock) + offsetof(model::RwLock, writer)),
    number("object.once.runner", offsetof(SyncObject, once) + offsetof(model::Once, runner)),

    number("verdict", offsetof(SharedHeader, verdict)),
    number("verdict.kind", offsetof(Verdict, kind)),
    number("verdict.thread", offsetof(Verdict, thread)),
    number("verdict.code", offsetof(Verdict, code)),
    number("verdict.message", offsetof(Verdict, message)),
    number("verdict.message.bytes", wire::kMessageMax),
    {nullptr, nullptr, 0},
};

// The comments keep the compiler from making them one function.
void raddle_debug_run_begins(const void*) { __asm__ volatile("# a run begins" ::: "memory"); }
void raddle_debug_run_ends() { __asm__ volatile("# a run ends" ::: "memory"); }
void raddle_debug_race() { __asm__ volatile("# a race" ::: "memory"); }

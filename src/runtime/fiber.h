// SPDX-License-Identifier: Apache-2.0
//
// Fiber: a thread of the program as the runtime sees it. Target side. A fiber has its own stack
// (with a guard page) and its own TLS block made by the dynamic linker, so that thread_local,
// errno, exceptions and stdio work unchanged; switching swaps the stack pointer and the FS base.
#pragma once

#include <cstddef>

#include "model/sync_object.h"
#include "runtime/clocks.h"
#include "runtime/memory_map.h"
#include "wire/verdict.h"

namespace raddle::runtime {

using model::SyncObject;

// One instrumented function on a fiber's stack. Frames that were left without __tsan_func_exit
// (longjmp) are recognised by their stack pointer.
struct ShadowFrame {
  std::uintptr_t return_address;
  std::uintptr_t stack_pointer;
};
inline constexpr unsigned kShadowFramesMax = 32768;

struct HeldEntry {
  SyncObject* object;
  SiteId site;
  wire::OpKind kind;
};
inline constexpr unsigned kHeldEntriesMax = 32;

// A read that may be the turn of a spin loop (see spin.cc).
struct SpinSlot {
  std::uintptr_t address;
  std::uint64_t value;
  SiteId site;
  std::uint32_t repeats;
};
inline constexpr unsigned kSpinSlots = 12;

// How often a thread has given way since something happened that it may have waited for (spin.h).
struct VainTurns {
  std::uint32_t news;   // of others, when it last gave way
  std::uint32_t turns;  // how often it has, without any since
  std::uint32_t era;    // the same for g.era
  std::uint32_t era_turns;
  std::uint32_t own_news;     // that the thread itself has made
  std::uint32_t own_at_turn;  // so many of them when it last gave way
};

// An initialiser of pthread_once that the thread is inside of.
struct OnceScope {
  SyncObject* object;
  std::uintptr_t frame;
};
inline constexpr unsigned kOnceScopesMax = 16;

struct OutsideWait;

// What a thread gave up when a signal interrupted it at a point: its op, and what that waited for.
// Taken up again when the handlers have returned.
struct SuspendedWait {
  model::PendingOp op;
  SyncObject* op_object;
  SyncObject* queue;     // where a notifier would have found it; null: none
  OutsideWait* outside;  // what it waited for at an I/O op; null: it was at none
  std::uintptr_t frame;  // of the code that runs the handlers: longjmp may leave it behind
  std::uint32_t ticket;
  bool awaits;     // a notification
  bool signalled;  // the notification came, before or while the handlers ran
  bool blocked;    // it could not have gone on
};
inline constexpr unsigned kSuspendedMax = 16;

struct Coroutine;

enum class FiberState : std::uint8_t { unused, alive, finished, reaped };

struct Fiber {
  // The saved context, valid while another fiber runs; layout known to fiber_x86_64.S.
  void* stack_pointer;
  std::uintptr_t thread_pointer;  // FS base: also the program's pthread_t
  std::uintptr_t former_handle;   // the same after the thread is gone

  // Who does something and when, side by side as in Access (shadow.h).
  std::uint32_t epoch;  // advances when the thread hands something on, or makes a step (order.h)
  ThreadId id;
  std::uint16_t always_zero;

  model::ThreadView* view;  // what policies know about it

  FiberState state;
  bool detached;
  bool is_main;
  bool is_last;      // ends, and the process with it
  bool signalled;    // woken from a condvar or futex
  bool timed_out;    // its deadline has passed
  bool on_cond;      // waits for a notification, not yet for its object
  bool interrupted;  // has to run signal handlers, or end, before its op
  bool eintr;        // its wait was given up because of a signal
  bool cancellable;  // waits at a cancellation point
  bool cancel_requested;
  bool cancel_disabled;
  bool cancel_async;                      // whatever it does is a cancellation point
  std::uint8_t suspended_count;           // of `suspended`, at the end
  bool in_handler;                        // runs a signal handler
  bool serves_timer;                      // no thread of the program's own (program_timers.h)
  bool on_cpu_time;                       // its deadline does not come while no thread can run
  ThreadId joiner;                        // who waits for its end, or kNoThread
  ThreadId joined_by;                     // who has waited for its end, or kNoThread
  ThreadId joins;                         // whose end it waits for, or kNoThread
  ThreadId next_waiter, previous_waiter;  // in object->first_waiter's list
  SyncObject* object;         // what the pending op waits for, null if it can always run
  SyncObject* queued_on;      // whose list it is in
  std::uint32_t ticket;       // barrier round, futex generation
  std::uint64_t deadline_ns;  // 0: none
  StepIndex woken_early_at;   // when its deadline last came before others had their turn; 0: never
  std::uint32_t created_epoch;  // the creator's epoch when this thread was created
  ThreadId creator;
  SiteId created_at;                            // in the user's code as far as known
  std::uint16_t ignored_reads, ignored_writes;  // nested requests not to look at them
  std::uint16_t ignored_sync;                   // the same for what orders
  Coroutine *coroutine, *own_coroutine;         // that it is in, and its own (coroutines.h)
  Clock clock;                                  // what it has seen of the others (order.h)
  Clock release_fence;                          // the same at its last release fence
  Clock unfenced_reads;                         // what an acquire fence would let it see
  Lane lane;                                    // its place among a clock's first entries
  std::uintptr_t library_frame;  // where its last call from a library of the system lies; 0: none
  SyncObject* op_object;         // what its current synchronisation is about

  ShadowFrame* frames;
  ShadowFrame* top;

  void* (*start)(void*);
  void* argument;
  void* result;
  char name[wire::kThreadNameMax];
  char native_name[16];  // as the kernel would know it; empty: the program's name
  int sched_policy, sched_priority;

  std::uint8_t held_count;
  std::uint8_t once_count;
  unsigned spin_next;
  std::uint32_t clock_reads;  // since it last waited
  VainTurns vain;

  std::uint32_t stack_slot;  // kOwnStack if not from the pool
  std::uintptr_t stack_low, stack_high;
  std::size_t stack_asked;      // what the program asked for, 0: nothing
  bool has_own_guard;           // inside its slot, because the program asked for a small stack
  bool has_given_stack;         // the program's own memory
  void** thread_values;         // TSD, allocated when first set
  std::uintptr_t throw_pc;      // where it last threw an exception
  std::uint32_t throw_depth;    // and how many frames there were
  std::uintptr_t terminate_pc;  // where it called std::terminate; 0: it did not

  // Of these tables only so many entries mean something as the counts above say: a new thread
  // leaves what they hold.
  alignas(16) HeldEntry held[kHeldEntriesMax];
  OnceScope once_scopes[kOnceScopesMax];
  SpinSlot spins[kSpinSlots];
  SuspendedWait suspended[kSuspendedMax];  // the first suspended_count
};

inline constexpr std::uint32_t kOwnStack = 0xffffffff;

// Makes the calling context fiber 0. Called once, when the runtime is armed.
void adopt_main_fiber();

// What a fiber does. It ends by returning what finish_current() has given it.
struct LeftStack;
using FiberEntry = LeftStack* (*)(Fiber*);

// A stack as the program asks for it.
struct StackWish {
  std::size_t size = 0;      // 0: any
  std::uintptr_t given = 0;  // the lowest byte of memory of the program's own, 0: none
};

// A new fiber that will run entry(fiber) when first switched to; null when out of threads or
// memory.
Fiber* create_fiber(const StackWish& stack, FiberEntry entry);

// Gives stack and TLS back. Requires: the fiber is finished and not running.
void recycle_fiber(Fiber& fiber);

// Between runs in one process: all threads but the first are gone, whatever they were doing.
// Requires: the caller runs on the first thread's stack.
void end_other_fibers();
// The kernel forgets guards and stacks of threads that have not been recycled. Nobody may use their
// stacks any more.
void undo_stack_protection();
// The first thread is as new.
void renew_main_fiber();
// Places on the first thread's stack are named by their distance from this frame: so their names do
// not depend on where the system has put the stack, and how deep the run is in it.
void place_main_stack(std::uintptr_t frame);

// Left its stack; recycled by whoever runs next (switch.h).
extern Fiber* zombie;
void recycle_zombie();
inline void after_switch() {
  if (__builtin_expect(zombie != nullptr, 0)) recycle_zombie();
}

// Leaves the current fiber for good, in two steps: from the first on it is `to` that runs, on the
// stack that the second one takes. In between nothing but returns; a fiber that returns from its
// entry need not take the second. Requires: fiber.state == finished.
LeftStack* leave_to(Fiber& to);
[[noreturn]] void go_on(LeftStack* stack);

// While linked, glibc's list of threads holds all fibers: dlopen then initialises the static TLS of
// what it loads in each of them. Not for longer, since debuggers look at that list too.
void link_fibers();
void unlink_fibers();

// The dynamic linker's lock is recursive and knows its owner by the number in the thread
// descriptor. While a thread in dlopen is switched away from inside a constructor, the runtime
// itself may look up a symbol in another: between these two calls the current thread goes by the
// owner's number. Nothing between them may switch.
void set_loader_owner(const Fiber* fiber);  // null: nobody is in the linker
bool loader_is_busy();
void borrow_loader_lock();
void return_loader_lock();

// The fiber whose pthread_t this is, or null.
Fiber* fiber_of(std::uintptr_t thread);

// The fiber whose stack holds the address, or null.
Fiber* fiber_of_stack(std::uintptr_t address);
// Whether the address lies on the stack of a thread that has ended.
bool is_dead_slot(std::uintptr_t slot);
inline bool is_dead_stack(std::uintptr_t address) {
  return address >= kStacksBase && address < kStacksEnd &&
         is_dead_slot((address - kStacksBase) / kStackSlotBytes);
}

}  // namespace raddle::runtime

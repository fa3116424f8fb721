// SPDX-License-Identifier: Apache-2.0
//
// Pending signals and masks of all threads. Target side. See signal_queue.h.
//
// invariant: a live thread other than the running one that has a pending signal it does not block
// is interrupted, or has not made its first step.
#include "runtime/signal_queue.h"

#include "runtime/controller.h"
#include "runtime/fatal.h"
#include "runtime/order.h"
#include "runtime/signal_actions.h"

namespace raddle::runtime {
namespace {

// Pending signals lie in one pool, each in the list of its thread or of the process.
constexpr unsigned kQueuedMax = 4096;
struct Queued {
  Signal signal;
  std::uint16_t next;
};
struct Pool {
  std::uint16_t used;        // entries handed out at least once
  std::uint16_t first_free;  // index + 1; 0: none
  Queued entries[kQueuedMax];
} pool;

struct Pending {
  SignalSet set;
  std::uint16_t first, last;  // index + 1; 0: none
};

struct HandlerScope {
  std::uintptr_t frame;
  SignalSet mask_before;
};
constexpr unsigned kHandlersMax = 32;

struct ThreadSignals {
  SignalSet mask;
  Pending pending;
  SignalSet waiting_for;
  Signal taken;
  unsigned handlers;
  HandlerScope scopes[kHandlersMax];
};
ThreadSignals threads[kMaxThreads];
Pending process_pending;
Signal outside[kSignalsMax];

// Whether any thread has had a mask or a signal: until then nothing here is touched, so that
// programs without signals do not pay for these tables.
bool in_use;

// Sending a signal orders what came before it before its handling. Which signal it was makes no
// difference: more order than there is hides races, less would invent some.
std::uintptr_t queue_address() { return reinterpret_cast<std::uintptr_t>(&process_pending); }

}  // namespace

void reset_signals() {
  if (!in_use) return;
  for (ThreadSignals& thread : threads) {
    if (&thread - threads > g.thread_count && thread.mask == 0 && thread.pending.set == 0) break;
    thread = {};
  }
  process_pending = {};
  pool.used = pool.first_free = 0;
  in_use = false;
}

namespace {

bool is_realtime(int number) { return number >= 32; }

std::uint16_t new_entry(const Signal& signal) {
  std::uint16_t entry = pool.first_free;
  if (entry != 0)
    pool.first_free = pool.entries[entry - 1].next;
  else if (pool.used < kQueuedMax)
    entry = ++pool.used;
  else
    refuse("more than 4096 signals are pending");
  pool.entries[entry - 1] = {signal, 0};
  return entry;
}

void append(Pending& pending, const Signal& signal) {
  SignalSet bit = signal_bit(signal.number);
  if (races_wanted() && running()) order_release(queue_address());
  in_use = true;
  if ((pending.set & bit) != 0 && !is_realtime(signal.number)) return;  // one is enough
  std::uint16_t entry = new_entry(signal);
  if (pending.last != 0)
    pool.entries[pending.last - 1].next = entry;
  else
    pending.first = entry;
  pending.last = entry;
  pending.set |= bit;
}

// Takes out the oldest one with that number. Requires: there is one.
Signal remove(Pending& pending, int number) {
  std::uint16_t previous = 0, entry = pending.first;
  while (pool.entries[entry - 1].signal.number != number) {
    previous = entry;
    entry = pool.entries[entry - 1].next;
  }
  Queued& found = pool.entries[entry - 1];
  Signal signal = found.signal;
  (previous != 0 ? pool.entries[previous - 1].next : pending.first) = found.next;
  if (pending.last == entry) pending.last = previous;
  found.next = pool.first_free;
  pool.first_free = entry;
  bool more = false;
  for (std::uint16_t e = pending.first; e != 0; e = pool.entries[e - 1].next)
    more |= pool.entries[e - 1].signal.number == number;
  if (!more) pending.set &= ~signal_bit(number);
  return signal;
}

// Nobody takes it now.
void keep(Pending& pending, const Signal& signal) {
  if (!give_to_descriptor(signal)) append(pending, signal);
}

void clear(Pending& pending) {
  while (pending.first != 0) remove(pending, pool.entries[pending.first - 1].signal.number);
}

bool waits_for(const Fiber& fiber, int number) {
  return (threads[fiber.id].waiting_for & signal_bit(number)) != 0 && fiber.on_cond &&
         !fiber.interrupted && view_of(fiber).op.kind == wire::OpKind::signal_wait;
}

bool takes(const Fiber& fiber, int number) {
  return fiber.state == FiberState::alive &&
         (waits_for(fiber, number) || (threads[fiber.id].mask & signal_bit(number)) == 0);
}

// Who gets a signal that is sent to the process; null: it stays pending.
Fiber* receiver(int number) {
  for (ThreadId id = 0; id < g.thread_count; ++id)
    if (takes(g.fibers[id], number)) return &g.fibers[id];
  return nullptr;
}

bool has_deliverable(const Fiber& fiber) {
  const ThreadSignals& its = threads[fiber.id];
  return ((its.pending.set | process_pending.set) & ~its.mask) != 0;
}

}  // namespace

SignalSet to_signal_set(const sigset_t& set) { return set.__val[0]; }

sigset_t to_sigset(SignalSet set) {
  sigset_t result{};
  result.__val[0] = set;
  return result;
}

SignalSet signal_mask(const Fiber& fiber) { return threads[fiber.id].mask; }

void set_signal_mask(Fiber& fiber, SignalSet mask) {
  in_use = true;
  threads[fiber.id].mask = mask & ~kNeverBlocked;
}

void inherit_signal_mask(const Fiber& creator, Fiber& created) {
  if (in_use) threads[created.id].mask = threads[creator.id].mask;
}

SignalSet pending_signals(const Fiber& fiber) {
  return threads[fiber.id].pending.set | process_pending.set;
}

bool take_pending(Fiber& fiber, SignalSet set, Signal* signal) {
  Pending& own = threads[fiber.id].pending;
  SignalSet wanted = (own.set | process_pending.set) & set;
  if (wanted == 0) return false;
  int number = __builtin_ctzll(wanted) + 1;
  if (races_wanted() && running()) order_acquire(queue_address());
  *signal = remove((own.set & signal_bit(number)) != 0 ? own : process_pending, number);
  return true;
}

Signal* pending_of_timer(const Fiber* target, const Signal& signal) {
  auto find = [&](const Pending& pending) -> Signal* {
    if ((pending.set & signal_bit(signal.number)) == 0) return nullptr;
    for (std::uint16_t entry = pending.first; entry != 0; entry = pool.entries[entry - 1].next)
      if (Signal& known = pool.entries[entry - 1].signal;
          known.number == signal.number && known.code == SI_TIMER && known.pid == signal.pid)
        return &known;
    return nullptr;
  };
  if (target != nullptr) return find(threads[target->id].pending);
  Signal* found = find(process_pending);
  for (ThreadId id = 0; found == nullptr && id < g.thread_count; ++id)
    found = find(threads[id].pending);
  return found;
}

void discard_pending(int number) {
  auto discard = [number](Pending& pending) {
    while ((pending.set & signal_bit(number)) != 0) remove(pending, number);
  };
  discard(process_pending);
  for (ThreadId id = 0; id < g.thread_count; ++id) discard(threads[id].pending);
}

void forget_signals(Fiber& fiber) {
  if (!in_use) return;
  ThreadSignals& its = threads[fiber.id];
  clear(its.pending);
  its.waiting_for = 0;
  its.handlers = 0;
  fiber.in_handler = false;
}

void post_signal(Fiber* target, const Signal& signal) {
  int number = signal.number;
  if (target == nullptr) target = receiver(number);
  if (target == nullptr) return keep(process_pending, signal);
  ThreadSignals& its = threads[target->id];
  if (waits_for(*target, number)) {
    its.taken = signal;
    if (races_wanted()) order_hand_over(*target);
    its.waiting_for = 0;
    return notify(*target);
  }
  if ((its.mask & signal_bit(number)) != 0) return keep(its.pending, signal);
  Disposition disposition = disposition_of(number);
  if (disposition == Disposition::ignore) return;
  if (disposition == Disposition::end) end_by_signal(signal);
  append(its.pending, signal);
  if (target != g.current) interrupt(*target);
}

void begin_signal_wait(SignalSet set) {
  ThreadSignals& mine = threads[g.current->id];
  mine.waiting_for = set;
  mine.taken = {};
}

Signal end_signal_wait() {
  ThreadSignals& mine = threads[g.current->id];
  Signal taken = mine.taken;
  mine.waiting_for = 0;
  mine.taken = {};
  return taken;
}

Delivery deliver_signals() {
  Fiber& me = *g.current;
  Delivery delivery;
  if (!in_use) return delivery;
  Signal signal{};
  while (has_deliverable(me) && take_pending(me, ~threads[me.id].mask, &signal)) {
    Disposition disposition = disposition_of(signal.number);
    if (disposition == Disposition::ignore) continue;
    if (disposition == Disposition::end) end_by_signal(signal);
    delivery.restart &= run_handler(signal, delivery.count == 0);
    ++delivery.count;
    if (off()) break;  // the program's own child, which the others were not sent to
  }
  return delivery;
}

void note_outside_signal(const Signal& signal) {
  outside[signal.number - 1] = signal;
  __atomic_fetch_or(&g.cares.outside_signals, signal_bit(signal.number), __ATOMIC_SEQ_CST);
}

void take_outside_signals() {
  SignalSet arrived = __atomic_exchange_n(&g.cares.outside_signals, 0, __ATOMIC_SEQ_CST);
  for (; arrived != 0; arrived &= arrived - 1)
    post_signal(nullptr, outside[__builtin_ctzll(arrived)]);
  Fiber& me = *g.current;
  if (me.state == FiberState::alive && has_deliverable(me)) interrupt(me);
}

void enter_handler(std::uintptr_t frame, SignalSet blocked_inside) {
  Fiber& me = *g.current;
  ThreadSignals& mine = threads[me.id];
  if (mine.handlers == kHandlersMax) refuse("signal handlers are nested too deeply");
  mine.scopes[mine.handlers++] = {frame, mine.mask};
  set_signal_mask(me, mine.mask | blocked_inside);
  me.in_handler = true;
}

void leave_handler(unsigned depth) {
  Fiber& me = *g.current;
  ThreadSignals& mine = threads[me.id];
  mine.mask = mine.scopes[depth].mask_before;
  mine.handlers = depth;
  if (depth == 0) me.in_handler = false;
}

unsigned handler_depth() { return threads[g.current->id].handlers; }

void leave_handlers_below(std::uintptr_t frame) {
  Fiber& me = *g.current;
  ThreadSignals& mine = threads[me.id];
  while (mine.handlers > 0 && mine.scopes[mine.handlers - 1].frame < frame) --mine.handlers;
  if (mine.handlers == 0) me.in_handler = false;
}

}  // namespace raddle::runtime

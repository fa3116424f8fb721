// SPDX-License-Identifier: Apache-2.0
//
// See coroutines.h. Target side; bounded, touched only as far as used.
#include "runtime/coroutines.h"

#include <string.h>

#include "runtime/fatal.h"
#include "runtime/order.h"
#include "runtime/runtime.h"

namespace raddle::runtime {

// What a thread leaves behind when it goes on with another stack. Of very deep calls the outermost.
inline constexpr unsigned kKeptFrames = 256;
struct Coroutine {
  Clock clock, release_fence, unfenced_reads;
  ShadowFrame frames[kKeptFrames];
  unsigned frame_count;
  std::uint16_t ignored_reads, ignored_writes, ignored_sync;
  Coroutine* next_free;
};

namespace {

constexpr unsigned kCoroutinesMax = 1 << 14;
alignas(16) unsigned char storage[kCoroutinesMax * sizeof(Coroutine)];
unsigned coroutine_count;  // ever made
Coroutine* free_ones;

Coroutine& record(unsigned index) { return reinterpret_cast<Coroutine*>(storage)[index]; }

Coroutine* take() {
  Coroutine* taken = free_ones;
  if (taken != nullptr) {
    free_ones = taken->next_free;
  } else {
    if (coroutine_count == kCoroutinesMax)
      refuse("the program has more than 16384 fibers (__tsan_create_fiber) at a time");
    taken = &record(coroutine_count++);
  }
  taken->frame_count = 0;
  taken->ignored_reads = taken->ignored_writes = taken->ignored_sync = 0;
  return taken;
}

void release_clocks(Coroutine& coroutine) {
  release_clock(coroutine.clock);
  release_clock(coroutine.release_fence);
  release_clock(coroutine.unfenced_reads);
}

bool orders() { return running() && races_wanted(); }

void leave(Coroutine& coroutine) {
  Fiber& me = *g.current;
  auto deep = static_cast<unsigned>(me.top - me.frames);
  coroutine.frame_count = deep < kKeptFrames ? deep : kKeptFrames;
  memcpy(coroutine.frames, me.frames, coroutine.frame_count * sizeof(ShadowFrame));
  coroutine.ignored_reads = me.ignored_reads;
  coroutine.ignored_writes = me.ignored_writes;
  coroutine.ignored_sync = me.ignored_sync;
  if (!orders()) return;
  clear_clock(coroutine.clock);
  order_hand_on(coroutine.clock);
  copy_clock(coroutine.release_fence, me.release_fence);
  copy_clock(coroutine.unfenced_reads, me.unfenced_reads);
}

void enter(const Coroutine& coroutine, bool ordered) {
  Fiber& me = *g.current;
  memcpy(me.frames, coroutine.frames, coroutine.frame_count * sizeof(ShadowFrame));
  me.top = me.frames + coroutine.frame_count;
  me.ignored_reads = coroutine.ignored_reads;
  me.ignored_writes = coroutine.ignored_writes;
  me.ignored_sync = coroutine.ignored_sync;
  if (!orders()) return;
  if (ordered)
    order_see(coroutine.clock);
  else
    copy_clock(me.clock, coroutine.clock);
  copy_clock(me.release_fence, coroutine.release_fence);
  copy_clock(me.unfenced_reads, coroutine.unfenced_reads);
}

}  // namespace

Coroutine* current_coroutine() {
  Fiber& me = *g.current;
  if (me.coroutine == nullptr) me.coroutine = me.own_coroutine = take();
  return me.coroutine;
}

Coroutine* create_coroutine() {
  Coroutine* created = take();
  if (orders()) order_hand_on(created->clock);
  return created;
}

void destroy_coroutine(Coroutine* coroutine) {
  Fiber& me = *g.current;
  if (coroutine == nullptr || coroutine == me.coroutine || coroutine == me.own_coroutine) return;
  release_clocks(*coroutine);
  coroutine->next_free = free_ones;
  free_ones = coroutine;
}

void end_coroutine(Fiber& fiber) {
  if (fiber.own_coroutine == nullptr) return;
  Coroutine* own = fiber.own_coroutine;
  fiber.own_coroutine = fiber.coroutine = nullptr;
  if (own != g.current->coroutine) destroy_coroutine(own);
}

void switch_to_coroutine(Coroutine* to, bool ordered) {
  Coroutine* from = current_coroutine();
  if (to == nullptr || to == from) return;
  // Ways that go by one stack a thread are left for the rest of the run.
  if (checks_quickly()) g.access_mode = AccessMode::check;
  leave(*from);
  enter(*to, ordered);
  g.current->coroutine = to;
}

void forget_coroutines() {
  while (coroutine_count > 0) release_clocks(record(--coroutine_count));
  free_ones = nullptr;
}

}  // namespace raddle::runtime

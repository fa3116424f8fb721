// SPDX-License-Identifier: Apache-2.0
//
// The table of contexts. Target side.
#include "runtime/context.h"

#include <string.h>

#include "base/rng.h"
#include "runtime/emit.h"
#include "runtime/fatal.h"
#include "runtime/memory_map.h"

namespace raddle::runtime {
namespace {

constexpr unsigned kLocksMax = 4;
struct Context {
  SiteId site;
  std::uint8_t frames, locks;
  SiteId calls[wire::kEventFramesMax];
  std::uintptr_t held[kLocksMax];
};
constexpr std::uint32_t kIndexSlots = 1 << 22;
constexpr std::uint32_t kContextsMax = 1 << 21;
static_assert(kIndexSlots * sizeof(std::uint32_t) + kContextsMax * sizeof(Context) <
              kContextsBytes);
std::uint32_t context_count = 1;

std::uint32_t* index_table() { return reinterpret_cast<std::uint32_t*>(kContextsBase); }
Context& context(std::uint32_t index) {
  return reinterpret_cast<Context*>(kContextsBase + kIndexSlots * sizeof(std::uint32_t))[index];
}

Context describe_here(SiteId site) {
  Context here;
  memset(&here, 0, sizeof here);  // compared and hashed as bytes
  here.site = site;
  const Fiber& me = *g.current;
  for (const ShadowFrame* frame = me.top;
       frame-- > me.frames && here.frames < wire::kEventFramesMax;)
    here.calls[here.frames++] = site_of(frame->return_address);
  for (unsigned i = 0; i < me.held_count && here.locks < kLocksMax; ++i)
    here.held[here.locks++] = me.held[i].object->address;
  return here;
}

std::uint64_t hash_of(const Context& here) {
  std::uint64_t words[sizeof(Context) / 8];
  static_assert(sizeof(Context) % 8 == 0);
  memcpy(words, &here, sizeof words);
  std::uint64_t hash = 0;
  for (std::uint64_t word : words) hash = mix64(hash ^ word) + 0x9e3779b97f4a7c15ull;
  return hash;
}

}  // namespace

void init_contexts() { reserve_region(kContextsBase, kContextsBytes, true, "call stacks"); }

std::uint32_t context_here(SiteId site) {
  Context here = describe_here(site);
  auto slot = static_cast<std::uint32_t>(hash_of(here)) % kIndexSlots;
  for (;; slot = (slot + 1) % kIndexSlots) {
    std::uint32_t index = index_table()[slot];
    if (index == 0) break;
    if (memcmp(&context(index), &here, sizeof here) == 0) return index;
  }
  if (context_count == kContextsMax)
    refuse("the run has too many different call stacks to record them");
  context(context_count) = here;
  return index_table()[slot] = context_count++;
}

SiteId context_site(std::uint32_t index) { return context(index).site; }

void emit_context(std::uint32_t index, ThreadId thread) {
  const Context& there = context(index);
  for (unsigned i = 0; i < there.frames; ++i)
    emit_detail(wire::OpKind::frame, there.calls[i], {}, thread);
  for (unsigned i = 0; i < there.locks; ++i)
    emit_detail(wire::OpKind::held, 0, locate(there.held[i]), thread);
}

}  // namespace raddle::runtime

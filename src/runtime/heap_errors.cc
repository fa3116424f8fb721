// SPDX-License-Identifier: Apache-2.0
//
// Judging bad accesses and frees. Target side. Which block an access past the end or before the
// beginning was meant for is a guess: the nearest one.
#include "runtime/fatal.h"
#include "runtime/heap.h"
#include "runtime/heap_blocks.h"
#include "runtime/locate.h"
#include "runtime/point_sites.h"
#include "runtime/runtime.h"

namespace raddle::runtime {
namespace {

using wire::OpKind;
using wire::VerdictKind;

std::uintptr_t distance(const BlockView& block, std::uintptr_t address) {
  if (address < block.payload) return block.payload - address;
  return address < block.payload + block.size ? 0 : address - (block.payload + block.size) + 1;
}

// Addresses in a header belong to the block behind it, or overflow the one before.
BlockView meant_block(std::uintptr_t address) {
  BlockView here = block_at(address);
  if (here.state != BlockState::unused && address >= here.payload) return here;
  if (address - kHeaderBytes - 1 < kSmallBase) return here;
  BlockView before = block_at(address - kHeaderBytes - 1);
  bool nearer =
      before.state != BlockState::unused &&
      (here.state == BlockState::unused || distance(before, address) < distance(here, address));
  return nearer ? before : here;
}

// The thread is at this operation, whatever it was last seen to be about to do.
void set_op(OpKind kind, std::uintptr_t address, std::size_t size) {
  model::PendingOp& op = view_of(*g.current).op;
  op = {};
  op.kind = kind;
  op.size = static_cast<std::uint16_t>(size < model::kHugeSize ? size : model::kHugeSize);
  op.address = address;
}
void set_access(bool is_write, std::uintptr_t address, std::size_t size) {
  set_op(is_write ? OpKind::plain_write : OpKind::plain_read, address, size);
}

// The order of a free and of what came after it could be the other one, which a search has to know
// of; the run ends here, and in those that it has made so far they were no steps.
void note_order_with_free(const BlockView& block, SiteId site) {
  if (!g.site_points || g.all_points) return;
  FreedBy freed = freed_by(block.payload);
  if (freed.thread == kNoThread) {
    g.shared->reservations |= wire::kAccessesLost;
    return;
  }
  if (freed.thread == g.current->id) return;
  SiteId* late = g.shared->late_sites;
  if (!is_point_site(freed.site)) *late++ = freed.site;
  OpKind kind = view_of(*g.current).op.kind;
  bool has_site = wire::is_plain_access(kind) || kind == OpKind::memory_free;
  if (has_site && !is_point_site(site)) *late = site;
}

[[noreturn]] void end_with(VerdictKind kind, const BlockView& block, std::uintptr_t address,
                           std::size_t size, bool is_write, SiteId site) {
  if (block.state == BlockState::freed) note_order_with_free(block, site);
  wire::Verdict& verdict = g.shared->verdict;
  verdict.where = wire::make_location(wire::Region::heap, block.number,
                                      static_cast<std::uint32_t>(address - block.payload));
  verdict.block_size = block.size;
  verdict.access_size = static_cast<std::uint32_t>(size);
  verdict.is_write = is_write;
  verdict.is_stack = 0;
  view_of(*g.current).op.site = site;
  end_run({.kind = kind, .fault_address = address});
}

}  // namespace

void report_heap_access(std::uintptr_t address, std::size_t size, bool is_write, SiteId site) {
  // The first bad byte says what is wrong.
  BlockView inside = block_at(address);
  std::uintptr_t bad = address;
  bool in_live = inside.state == BlockState::live && address >= inside.payload &&
                 address < inside.payload + inside.size;
  if (in_live) bad = inside.payload + inside.size;
  BlockView block = in_live ? inside : meant_block(bad);
  bool freed = block.state == BlockState::freed && distance(block, bad) == 0;
  set_access(is_write, address, size);
  end_with(freed ? VerdictKind::use_after_free : VerdictKind::heap_overflow, block, address, size,
           is_write, site);
}

void report_dead_stack(std::uintptr_t address, std::size_t size, bool is_write, SiteId site) {
  wire::Verdict& verdict = g.shared->verdict;
  verdict.where = locate(address);
  verdict.block_size = 0;
  verdict.access_size = static_cast<std::uint32_t>(size);
  verdict.is_write = is_write;
  verdict.is_stack = 1;
  if (size > 0) set_access(is_write, address, size);
  view_of(*g.current).op.site = site;
  end_run({.kind = VerdictKind::use_after_free, .fault_address = address});
}

void report_gone_object(std::uintptr_t address, SiteId site) {
  if (is_dead_stack(address)) report_dead_stack(address, 0, true, site);
  end_with(VerdictKind::use_after_free, block_at(address), address, 0, true, site);
}

void report_invalid_free(std::uintptr_t address, std::uintptr_t pc) {
  BlockView block{};
  if (in_heap(reinterpret_cast<void*>(address))) block = block_at(address);
  set_op(OpKind::memory_free, address, block.size);
  end_with(VerdictKind::double_free, block, address, 0, true, site_of(pc));
}

}  // namespace raddle::runtime

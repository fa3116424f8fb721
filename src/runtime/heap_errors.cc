// SPDX-License-Identifier: Apache-2.0
//
// Judging bad accesses and frees. Target side. Which block an access past the end or before the
// beginning was meant for is a guess: the nearest one.
#include "runtime/fatal.h"
#include "runtime/heap.h"
#include "runtime/heap_blocks.h"
#include "runtime/locate.h"
#include "runtime/runtime.h"

namespace raddle::runtime {
namespace {

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

[[noreturn]] void end_with(VerdictKind kind, const BlockView& block, std::uintptr_t address,
                           std::size_t size, bool is_write, SiteId site) {
  wire::Verdict& verdict = g.shared->verdict;
  verdict.where = wire::make_location(wire::Region::heap, block.number,
                                      static_cast<std::uint32_t>(address - block.payload));
  verdict.block_size = block.size;
  verdict.access_size = static_cast<std::uint32_t>(size);
  verdict.is_write = is_write;
  verdict.is_stack = 0;
  // The thread is at this access, whatever it was last seen to be about to do.
  model::PendingOp& op = view_of(*g.current).op;
  op = {};
  op.kind = is_write ? wire::OpKind::plain_write : wire::OpKind::plain_read;
  op.site = site;
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
  model::PendingOp& op = view_of(*g.current).op;
  op = {};
  op.kind = is_write ? wire::OpKind::plain_write : wire::OpKind::plain_read;
  op.site = site;
  end_run({.kind = VerdictKind::use_after_free, .fault_address = address});
}

void report_invalid_free(std::uintptr_t address, std::uintptr_t pc) {
  BlockView block{};
  if (in_heap(reinterpret_cast<void*>(address))) block = block_at(address);
  end_with(VerdictKind::double_free, block, address, 0, true, site_of(pc));
}

}  // namespace raddle::runtime

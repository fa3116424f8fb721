// SPDX-License-Identifier: Apache-2.0
//
// The constructs that the members of an OpenMP team share: loops, sections, single, ordered. Target
// side. See openmp.h.
//
// A claim orders nothing: OpenMP promises no order between members that take iterations. Ordered
// regions are ordered among themselves, from the end of one to the beginning of the next.
#include "runtime/descriptors.h"
#include "runtime/emit.h"
#include "runtime/fatal.h"
#include "runtime/openmp.h"

namespace raddle::runtime::openmp {
namespace {

constexpr unsigned kSharesMax = 1 << 16;
Share share_table[kSharesMax];
unsigned shares_used;
Share* free_shares;

std::uint64_t at_most(std::uint64_t limit, std::uint64_t value) {
  return value < limit ? value : limit;
}

// Block `index` of `blocks` that are as equal as can be.
void take_block(std::uint64_t count, std::uint64_t blocks, std::uint64_t index,
                std::uint64_t* first, std::uint64_t* last) {
  std::uint64_t each = count / blocks;
  std::uint64_t more = count % blocks;  // blocks with one iteration more
  *first = index * each + at_most(more, index);
  *last = *first + each + (index < more ? 1 : 0);
}

// A schedule that needs no claim: what a member gets follows from its number.
bool take_fixed(const Loop& loop, Place& place, std::uint64_t* first, std::uint64_t* last) {
  std::uint64_t members = place.team->size;
  std::uint64_t round = place.chunks++;
  place.chunk = round * members + place.member;
  if (loop.chunk == 0) {
    if (round > 0) return false;
    take_block(loop.count, members, place.member, first, last);
    return *first < *last;
  }
  if (place.chunk > loop.count / loop.chunk) return false;
  *first = place.chunk * loop.chunk;
  if (*first >= loop.count) return false;
  *last = *first + at_most(loop.count - *first, loop.chunk);
  return true;
}

std::uint64_t claim_size(const Loop& loop, std::uint64_t left, std::uint32_t members) {
  std::uint64_t least = loop.chunk != 0 ? loop.chunk : 1;
  if (loop.schedule != Schedule::guided) return at_most(left, least);
  std::uint64_t part = left / members + (left % members != 0 ? 1 : 0);
  return at_most(left, part > least ? part : least);
}

bool take_claimed(Share& share, Place& place, std::uint64_t* first, std::uint64_t* last) {
  std::uint64_t left = share.loop.count - share.claimed;
  if (left == 0) return false;
  *first = share.claimed;
  share.claimed += claim_size(share.loop, left, place.team->size);
  *last = share.claimed;
  place.chunk = share.sequence++;
  return true;
}

void await_turn(Thread& me, std::uintptr_t pc) {
  const Share* share = me.place.share;
  if (share == nullptr || !me.place.has_chunk) return;
  while (share->turn != me.place.chunk)
    rest(me, Rest::turn, OpKind::work_ordered, share->address, pc);
}

void pass_turn_on(Share& share, const Team& team) {
  ++share.turn;
  for_each_member(team, [&](ThreadId id) {
    const Thread& member = thread_of(id);
    if (member.rest == Rest::turn && member.place.share == &share &&
        member.place.chunk == share.turn)
      ring(id);
  });
}

}  // namespace

void reset_shares() {
  shares_used = 0;
  free_shares = nullptr;
}

Share& new_share(std::uint32_t number) {
  Share* share = free_shares;
  if (share != nullptr)
    free_shares = share->next;
  else if (shares_used == kSharesMax)
    refuse("OpenMP: a member of a team is more than 65536 constructs ahead of another");
  else
    share = &share_table[shares_used++];
  *share = {};
  share->number = number;
  share->address = numbered_address(DescriptorKind::work, number_descriptor(DescriptorKind::work));
  return *share;
}

void free_share(Share& share) {
  release_clock(share.ordered);
  share.next = free_shares;
  free_shares = &share;
}

Share& meet_share() {
  Team& mine = team();
  Place& place = self().place;
  std::uint32_t number = ++place.shares_met;
  Share** link = &mine.shares;
  while (*link != nullptr && (*link)->number != number) link = &(*link)->next;
  if (*link == nullptr) *link = &new_share(number);
  place.share = *link;
  place.chunks = 0;
  place.has_chunk = false;
  return **link;
}

void leave_share() {
  Team& mine = team();
  Place& place = self().place;
  Share* share = place.share;
  place.share = nullptr;
  place.chunks = 0;
  place.has_chunk = false;
  if (share == nullptr || ++share->left < mine.size) return;
  Share** link = &mine.shares;
  while (*link != share) link = &(*link)->next;
  *link = share->next;
  free_share(*share);
}

bool claim_single(Share& share, std::uintptr_t pc) {
  if (team().size == 1) return true;
  PendingOp& op = step(OpKind::work_claim, share.address, pc);
  bool first = !share.taken;
  share.taken = true;
  emit_step(op, with_caller(), !first);
  return first;
}

bool claim_chunk(Share& share, std::uint64_t* first, std::uint64_t* last, std::uintptr_t pc) {
  Place& place = self().place;
  if (share.loop.schedule == Schedule::fixed) return take_fixed(share.loop, place, first, last);
  if (place.team->size == 1) return take_claimed(share, place, first, last);
  PendingOp& op = step(OpKind::work_claim, share.address, pc);
  bool some = take_claimed(share, place, first, last);
  emit_step(op, with_caller(), !some);
  return some;
}

bool claim_ordered_chunk(Share& share, std::uint64_t* first, std::uint64_t* last,
                         std::uintptr_t pc) {
  Place& place = self().place;
  if (place.has_chunk) {
    await_turn(self(), pc);
    pass_turn_on(share, *place.team);
  }
  place.has_chunk = claim_chunk(share, first, last, pc);
  return place.has_chunk;
}

void begin_turn(std::uintptr_t pc) {
  await_turn(self(), pc);
  if (const Share* share = self().place.share; share != nullptr && races_wanted())
    order_see(share->ordered);
}

void end_turn() {
  if (Share* share = self().place.share; share != nullptr && races_wanted())
    order_hand_on(share->ordered);
}

Loop make_loop(Schedule schedule, bool up, bool is_signed, std::uint64_t start, std::uint64_t end,
               std::uint64_t step, std::uint64_t chunk) {
  Loop loop{schedule, start, end, step, 0, chunk};
  if (schedule == Schedule::runtime) {
    loop.schedule = settings().schedule;
    loop.chunk = settings().chunk;
  }
  if (loop.schedule == Schedule::automatic) {
    loop.schedule = Schedule::fixed;
    loop.chunk = 0;
  }
  // Flipping the sign bit makes signed numbers compare as unsigned ones.
  std::uint64_t flip = is_signed ? std::uint64_t{1} << 63 : 0;
  std::uint64_t low = (up ? start : end) ^ flip;
  std::uint64_t high = (up ? end : start) ^ flip;
  std::uint64_t stride = up ? step : 0 - step;
  if (low < high && stride != 0) loop.count = (high - low - 1) / stride + 1;
  return loop;
}

}  // namespace raddle::runtime::openmp

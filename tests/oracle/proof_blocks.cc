// SPDX-License-Identifier: Apache-2.0
//
// The blocks of programs for proofs. A register is set by one operation only, or by one in a loop,
// so that what a guard looks at does not change between a lock and its unlock. Tests only.
#include "oracle/proof_blocks.h"

#include <algorithm>

namespace raddle::oracle {
namespace {

Block guarded(Block block, std::size_t from, std::int8_t reg) {
  for (std::size_t i = from; i < block.size(); ++i) {
    block[i].guard = reg;
    block[i].guard_value = 1;
  }
  return block;
}

}  // namespace

// -1 if none is left.
std::int8_t ProofBlocks::fresh() {
  return registers() < kRegisters ? static_cast<std::int8_t>(used_[body_]++) : std::int8_t{-1};
}

std::uint8_t ProofBlocks::plain_variable() {
  return static_cast<std::uint8_t>(chance(75) ? focus_ : pick(0u, 1u, 2u, kWord));
}

Op ProofBlocks::plain(unsigned variable) {
  Op op{.what = Do::store, .object = static_cast<std::uint8_t>(variable), .value = number()};
  if (variable == kWord) op.value = static_cast<std::uint8_t>(op.value + 16 * rng_.below(3));
  if (registers() > 0 && chance(25)) op.from = static_cast<std::int8_t>(rng_.below(registers()));
  if (chance(55) && registers() < kRegisters) {
    op = {.what = Do::load, .object = op.object, .reg = fresh()};
  }
  return op;
}

Order ProofBlocks::order_of(Do what) {
  switch (what) {
    case Do::atomic_load:
      return pick(Order::relaxed, Order::acquire, Order::seq_cst);
    case Do::atomic_store:
      return pick(Order::relaxed, Order::release, Order::seq_cst);
    default:
      return pick(Order::relaxed, Order::acquire, Order::release, Order::acq_rel, Order::seq_cst);
  }
}

Op ProofBlocks::atomic(Do what, unsigned variable) {
  Op op{.what = what, .object = static_cast<std::uint8_t>(variable)};
  op.value = number();
  op.expected = static_cast<std::uint8_t>(rng_.below(3));
  op.order = order_of(what);
  if (what == Do::compare_exchange && op.order == Order::seq_cst) op.failure = Order::acquire;
  if (what != Do::atomic_store) op.reg = fresh();
  return op;
}

Op ProofBlocks::any_atomic() {
  const Do what = pick(Do::atomic_load, Do::atomic_load, Do::atomic_store, Do::atomic_store,
                       Do::fetch_add, Do::exchange, Do::compare_exchange);
  return atomic(what, chance(75) ? 3 : 4);
}

// A guard on a register that an earlier operation has set.
Op ProofBlocks::maybe_guarded(Op op) {
  const unsigned set = op.reg >= 0 ? registers() - 1 : registers();
  if (set == 0 || op.guard >= 0 || !chance(30)) return op;
  op.guard = static_cast<std::int8_t>(rng_.below(set));
  op.guard_value = static_cast<std::uint8_t>(rng_.below(3));
  return op;
}

// Often of the same kind: two reads of which both need a write beside them.
Block ProofBlocks::plain_run() {
  const std::uint8_t variable = plain_variable();
  const unsigned length = 1 + rng_.below(3);
  Block block = {maybe_guarded(plain(variable))};
  while (block.size() < length) {
    Op next = plain(chance(80) ? variable : plain_variable());
    if (chance(50) && next.what != block[0].what && next.what == Do::store && registers() < 5) {
      next = {.what = Do::load, .object = variable, .reg = fresh()};
    }
    block.push_back(maybe_guarded(next));
    if (chance(10)) block.push_back(any_atomic());
  }
  return block;
}

Block ProofBlocks::section() {
  const std::uint8_t mutex = chance(75) ? 0 : 1;
  const bool tries = chance(25) && registers() < kRegisters;
  const std::int8_t got = tries ? fresh() : std::int8_t{-1};
  Block block = {{.what = tries ? Do::try_lock : Do::lock, .object = mutex, .reg = got}};
  block.push_back(plain(plain_variable()));
  if (chance(30)) block.push_back(plain(plain_variable()));
  block.push_back({.what = Do::unlock, .object = mutex});
  return tries ? guarded(block, 1, got) : block;
}

Block ProofBlocks::rw_section(std::uint8_t rwlock) {
  Do how = pick(Do::read_lock, Do::read_lock, Do::read_lock, Do::write_lock, Do::write_lock,
                Do::try_read_lock, Do::try_write_lock);
  const bool tries = how == Do::try_read_lock || how == Do::try_write_lock;
  const std::int8_t got = tries ? fresh() : std::int8_t{-1};
  if (tries && got < 0) how = Do::read_lock;
  Block block = {{.what = how, .object = rwlock, .reg = got}};
  const std::uint8_t variable = rwlock == kHeapRwlock ? kHeapPlain : plain_variable();
  const bool reader = how == Do::read_lock || how == Do::try_read_lock;
  if (reader && chance(80) && registers() < kRegisters) {
    block.push_back({.what = Do::load, .object = variable, .reg = fresh()});
  } else if (chance(85)) {
    block.push_back({.what = Do::store, .object = variable, .value = number()});
  }
  if (chance(15)) block.push_back(any_atomic());
  block.push_back({.what = Do::rw_unlock, .object = rwlock});
  return got < 0 ? block : guarded(block, 1, got);
}

Block ProofBlocks::atomics() {
  Block block = {maybe_guarded(any_atomic())};
  if (chance(50)) block.push_back(maybe_guarded(any_atomic()));
  return block;
}

Block ProofBlocks::semaphore() {
  const Op op{.what = pick(Do::post, Do::post, Do::sem_wait)};
  if (chance(25) && registers() < kRegisters) return {{.what = Do::try_sem_wait, .reg = fresh()}};
  const Op lone = plain(plain_variable());
  return op.what == Do::post ? Block{lone, op} : Block{op, lone};
}

Block ProofBlocks::message() {
  const std::uint8_t variable = plain_variable();
  if (chance(50) || registers() + 2 > kRegisters) {
    Op flag = atomic(Do::atomic_store, 3);
    flag.value = 1;
    return {{.what = Do::store, .object = variable, .value = number()}, flag};
  }
  Block block = {atomic(Do::atomic_load, 3)};
  block.push_back({.what = Do::load, .object = variable, .reg = fresh()});
  return guarded(block, 1, block[0].reg);
}

Block ProofBlocks::condition() {
  const Op lock{.what = Do::lock, .object = 0};
  const Op unlock{.what = Do::unlock, .object = 0};
  const Op store{.what = Do::store, .object = 0, .value = number()};
  const Op notify{.what = pick(Do::signal, Do::broadcast)};
  const std::int8_t reg = chance(50) ? fresh() : std::int8_t{-1};
  if (reg < 0) return chance(50) ? Block{lock, store, notify, unlock} : Block{notify};
  if (chance(30)) return {lock, {.what = Do::wait}, unlock};
  return {lock,
          {.what = Do::load, .object = 0, .reg = reg},
          {.what = Do::wait, .guard = reg, .guard_value = 0, .again = true},
          unlock};
}

Block ProofBlocks::heap_use() {
  switch (rng_.below(5)) {
    case 0: {
      const Op lock{.what = Do::lock, .object = kHeapMutex};
      const Op unlock{.what = Do::unlock, .object = kHeapMutex};
      return chance(50) ? Block{lock, plain(kHeapPlain), unlock} : Block{lock, unlock};
    }
    case 1:
      return rw_section(kHeapRwlock);
    case 2:
      return {atomic(pick(Do::atomic_load, Do::atomic_store, Do::fetch_add), kHeapAtomic)};
    default: {
      Block block = {plain(kHeapPlain)};
      if (chance(40)) block.push_back(plain(kHeapPlain));
      return block;
    }
  }
}

Block ProofBlocks::tells(unsigned how, Order order) {
  const Op lock{.what = Do::lock, .object = 1};
  const Op unlock{.what = Do::unlock, .object = 1};
  switch (how) {
    case 0:
      return {{.what = Do::atomic_store, .object = 4, .value = 1, .order = order}};
    case 1:
      return {lock, {.what = Do::store, .object = 2, .value = 1}, unlock};
    case 2:
      return {{.what = Do::fetch_add, .object = 4, .value = 1, .order = order}};
    default:
      return {};
  }
}

Block ProofBlocks::frees(unsigned how, Order order) {
  const Op lock{.what = Do::lock, .object = 1};
  const Op unlock{.what = Do::unlock, .object = 1};
  const std::int8_t reg = how < 3 ? fresh() : std::int8_t{-1};
  Op frees{.what = Do::free_block, .guard = reg, .guard_value = 1};
  if (reg < 0) return {frees};
  if (how == 1) return {lock, {.what = Do::load, .object = 2, .reg = reg}, unlock, frees};
  const Do what = how == 2 && chance(50) ? Do::fetch_add : Do::atomic_load;
  if (how == 2) frees.guard_value = chance(70) ? 1 : 2;
  return {{.what = what, .object = 4, .reg = reg, .value = 1, .order = order}, frees};
}

Block ProofBlocks::nested(std::uint8_t outer, std::uint8_t inner) {
  return {{.what = Do::lock, .object = outer},
          {.what = Do::lock, .object = inner},
          {.what = Do::unlock, .object = inner},
          {.what = Do::unlock, .object = outer}};
}

Block ProofBlocks::upgrade() {
  const Op unlock{.what = Do::rw_unlock};
  if (chance(50)) return {{.what = Do::read_lock}, {.what = Do::write_lock}, unlock};
  const std::int8_t got = fresh();
  if (got < 0) return {{.what = Do::read_lock}, unlock};
  return {{.what = Do::read_lock}, {.what = Do::try_write_lock, .reg = got}, unlock};
}

Block ProofBlocks::exits() {
  const Op op{.what = pick(Do::exit, Do::exit, Do::quick_exit),
              .value = static_cast<std::uint8_t>(rng_.below(4))};
  return {maybe_guarded(op)};
}

Block ProofBlocks::handler() {
  switch (rng_.below(4)) {
    case 0:
      return section();
    case 1:
      return atomics();
    default:
      return plain_run();
  }
}

Op ProofBlocks::end_of_main(bool any) {
  const Do what = any ? pick(Do::leave, Do::leave, Do::exit, Do::quick_exit) : Do::leave;
  const std::uint8_t status = any && chance(40) ? static_cast<std::uint8_t>(rng_.below(3)) : 0;
  return {.what = what, .value = status};
}

// Not of what waits or may change its mind between a lock and its unlock.
Block ProofBlocks::twice(Block block) {
  const bool plain = std::all_of(block.begin(), block.end(), [](const Op& op) {
    return op.what != Do::compare_exchange && op.what != Do::wait && op.what != Do::sem_wait;
  });
  if (!plain) return block;
  block.push_back({.what = Do::repeat, .object = static_cast<std::uint8_t>(block.size())});
  return block;
}

}  // namespace raddle::oracle

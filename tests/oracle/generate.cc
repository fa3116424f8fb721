// SPDX-License-Identifier: Apache-2.0
//
// Programs are put together from blocks, not from single operations: idioms that are nearly right
// (a section of a lock, a message behind a flag, a wait for a predicate) and lone accesses. Half of
// the programs keep their plain variables under locks, so that programs without races are as common
// as those with. Tests only.
#include "oracle/generate.h"

#include "base/rng.h"

namespace raddle::oracle {
namespace {

using Block = std::vector<Op>;

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : rng_(mix64(seed)) { program_.seed = seed; }

  Program make() {
    program_.timers_any = chance(50);
    program_.semaphore = static_cast<std::uint8_t>(rng_.below(2));
    focus_ = static_cast<std::uint8_t>(rng_.below(kPlain));
    protected_ = chance(50);
    mixed_ = !protected_ && chance(15);
    const unsigned children = chance(25) ? 1 : chance(75) ? 2 : 3;
    nested_ = children > 1 && chance(25);
    bodies_.resize(children + 1);
    for (thread_ = 0; thread_ <= children; ++thread_) {
      registers_ = 0;
      const unsigned blocks = thread_ == 0 ? rng_.below(3) : 2 + rng_.below(3);
      for (unsigned i = 0; i < blocks; ++i) bodies_[thread_].push_back(block());
    }
    if (chance(20)) add_barriers();
    for (thread_ = 0; thread_ <= children; ++thread_) assemble(children);
    return program_;
  }

 private:
  bool chance(unsigned percent) { return rng_.below(100) < percent; }
  std::uint8_t number() { return static_cast<std::uint8_t>(1 + rng_.below(3)); }

  // Most accesses of a program go to one variable of each kind: threads should meet.
  std::uint8_t plain_variable() {
    return chance(60) ? focus_ : static_cast<std::uint8_t>(rng_.below(kPlain));
  }
  std::uint8_t atomic_variable() {
    return static_cast<std::uint8_t>(kPlain + (chance(70) ? 0 : rng_.below(2)));
  }

  template <class... Choices>
  auto pick(Choices... choices) {
    const std::common_type_t<Choices...> all[] = {choices...};
    return all[rng_.below(sizeof...(choices))];
  }

  // A fresh register, so that what a guard looks at never changes; -1 if none is left.
  std::int8_t fresh() {
    return registers_ < kRegisters ? static_cast<std::int8_t>(registers_++) : std::int8_t{-1};
  }

  Op plain(unsigned variable) {
    Op op{.what = Do::store, .object = static_cast<std::uint8_t>(variable), .value = number()};
    if (registers_ > 0 && chance(20)) op.from = static_cast<std::int8_t>(rng_.below(registers_));
    if (chance(50) && registers_ < kRegisters) {
      op = {.what = Do::load, .object = op.object, .reg = fresh()};
    }
    return op;
  }

  Order order_of(Do what) {
    switch (what) {
      case Do::atomic_load:
        return pick(Order::relaxed, Order::acquire, Order::seq_cst);
      case Do::atomic_store:
        return pick(Order::relaxed, Order::release, Order::seq_cst);
      case Do::fence:
        return pick(Order::acquire, Order::release, Order::acq_rel, Order::seq_cst);
      default:
        return pick(Order::relaxed, Order::acquire, Order::release, Order::acq_rel, Order::seq_cst);
    }
  }

  // Compilers warn about one that is stronger than the order of success.
  Order failure_of(Order success) {
    if (success == Order::seq_cst) return order_of(Do::atomic_load);
    const bool acquires = success == Order::acquire || success == Order::acq_rel;
    return acquires ? pick(Order::relaxed, Order::acquire) : Order::relaxed;
  }

  Op atomic(Do what) {
    Op op{.what = what, .object = atomic_variable()};
    op.value = number();
    op.expected = static_cast<std::uint8_t>(rng_.below(3));
    op.order = order_of(what);
    if (what == Do::compare_exchange) op.failure = failure_of(op.order);
    if (what != Do::atomic_store) op.reg = fresh();
    return op;
  }

  Op any_atomic() {
    return atomic(pick(Do::atomic_load, Do::atomic_store, Do::atomic_load, Do::atomic_store,
                       Do::fetch_add, Do::exchange, Do::compare_exchange));
  }

  // An access that needs no lock, or any at all.
  Op access() {
    Op op;
    if (!protected_ && chance(55)) {
      op = plain(plain_variable());
    } else if (mixed_ && chance(40)) {
      op = plain(atomic_variable());
    } else {
      op = any_atomic();
    }
    if (registers_ > 1 && chance(20)) {
      // The last register may be the result of this very operation.
      op.guard = static_cast<std::int8_t>(rng_.below(registers_ - 1));
      op.guard_value = static_cast<std::uint8_t>(rng_.below(3));
    }
    return op;
  }

  // An access inside a section of the mutex: p0 and p1 belong to m0, p2 to m1.
  Op inside(unsigned mutex) {
    if (chance(30)) return access();
    return plain(mutex == 1 ? 2 : plain_variable() % 2);
  }

  static Block guarded(Block block, std::size_t from, std::int8_t reg) {
    for (std::size_t i = from; i < block.size(); ++i) {
      block[i].guard = reg;
      block[i].guard_value = 1;
    }
    return block;
  }

  Block section() {
    const std::uint8_t mutex = plain_variable() == 2 ? 1 : 0;
    Do how = pick(Do::lock, Do::lock, Do::lock, Do::try_lock, Do::timed_lock);
    const std::int8_t got = how == Do::lock ? std::int8_t{-1} : fresh();
    if (got < 0) how = Do::lock;
    Block block = {{.what = how, .object = mutex, .reg = got}};
    const bool both = how == Do::lock && chance(25);
    const std::uint8_t other = 1 - mutex;
    if (both) block.push_back({.what = Do::lock, .object = other});
    const unsigned accesses = 1 + rng_.below(2);
    for (unsigned i = 0; i < accesses; ++i) block.push_back(inside(mutex));
    if (both) block.push_back({.what = Do::unlock, .object = other});
    block.push_back({.what = Do::unlock, .object = mutex});
    return got < 0 ? block : guarded(block, 1, got);
  }

  // Readers of a protected variable may only read.
  Block rw_section() {
    Do how = pick(Do::read_lock, Do::write_lock, Do::read_lock, Do::write_lock, Do::try_read_lock,
                  Do::try_write_lock);
    const bool tries = how == Do::try_read_lock || how == Do::try_write_lock;
    const std::int8_t got = tries ? fresh() : std::int8_t{-1};
    if (tries && got < 0) how = Do::write_lock;
    Block block = {{.what = how, .reg = got}};
    const bool reader = how == Do::read_lock || how == Do::try_read_lock;
    const std::int8_t reg = fresh();
    const std::uint8_t variable = protected_ ? 1 : plain_variable();
    if (reader && !chance(10)) {
      block.push_back({.what = Do::load, .object = variable, .reg = reg});
    } else {
      block.push_back({.what = Do::store, .object = variable, .value = number()});
    }
    block.push_back({.what = Do::rw_unlock});
    return got < 0 ? block : guarded(block, 1, got);
  }

  Block publish() {
    const std::uint8_t variable = plain_variable();
    Block block = {{.what = Do::store, .object = variable, .value = number()}};
    if (chance(25)) block.push_back({.what = Do::fence, .order = order_of(Do::fence)});
    block.push_back(atomic(pick(Do::atomic_store, Do::atomic_store, Do::fetch_add, Do::exchange)));
    block.back().object = kPlain;
    block.back().value = 1;
    return block;
  }

  Block consume() {
    if (registers_ + 2 > kRegisters) return {any_atomic()};
    Block block = {atomic(pick(Do::atomic_load, Do::atomic_load, Do::fetch_add))};
    block[0].object = kPlain;
    if (chance(25)) block.push_back({.what = Do::fence, .order = order_of(Do::fence)});
    Op reads = plain(plain_variable());
    reads.guard = block[0].reg;
    reads.guard_value = 1;
    block.push_back(reads);
    return block;
  }

  Block waiter() {
    Block block = {{.what = Do::lock, .object = 0}};
    const std::int8_t reg = fresh();
    if (reg >= 0 && chance(60)) {  // while (p0 == 0) wait
      block.push_back({.what = Do::load, .object = 0, .reg = reg});
      block.push_back({.what = Do::wait, .guard = reg, .guard_value = 0, .again = true});
    } else if (chance(50)) {
      block.push_back({.what = Do::timed_wait, .reg = reg});
    } else {
      block.push_back({.what = Do::wait});
    }
    if (chance(50)) block.push_back(plain(plain_variable() % 2));
    block.push_back({.what = Do::unlock, .object = 0});
    return block;
  }

  Block notifier() {
    const Op notify{.what = pick(Do::signal, Do::broadcast)};
    const Op lock{.what = Do::lock, .object = 0};
    const Op unlock{.what = Do::unlock, .object = 0};
    const Op store{.what = Do::store, .object = 0, .value = number()};
    switch (rng_.below(4)) {
      case 0:
        return {notify};
      case 1:
        return {lock, store, notify, unlock};
      case 2:
        return {lock, notify, unlock};
      default:
        return {lock, store, unlock, notify};
    }
  }

  Block semaphore() {
    Do what =
        pick(Do::post, Do::post, Do::sem_wait, Do::sem_wait, Do::try_sem_wait, Do::timed_sem_wait);
    Op op{.what = what};
    if (what == Do::try_sem_wait || what == Do::timed_sem_wait) op.reg = fresh();
    Op lone = access();
    if (op.reg >= 0 && chance(50)) {
      lone.guard = op.reg;
      lone.guard_value = 1;
    }
    return what == Do::post ? Block{lone, op} : Block{op, lone};
  }

  Block block() {
    switch (rng_.below(14)) {
      case 0:
      case 1:
      case 2:
        return {access()};
      case 3:
        return {access(), access()};
      case 4:
      case 5:
        return section();
      case 6:
        return rw_section();
      case 7:
        return protected_ ? section() : publish();
      case 8:
        return protected_ ? section() : consume();
      case 9:
        return waiter();
      case 10:
        return notifier();
      case 11:
        return semaphore();
      case 12:
        return {{.what = Do::fence, .order = order_of(Do::fence)}, access()};
      default:
        return {access(), {.what = Do::yield}};
    }
  }

  void add_barriers() {
    const std::size_t first = chance(30) ? 0 : 1;
    const std::size_t among = bodies_.size() - first;
    program_.barrier = static_cast<std::uint8_t>(among);
    for (std::size_t t = first; t < bodies_.size(); ++t) {
      const auto place = rng_.below(static_cast<std::uint32_t>(bodies_[t].size() + 1));
      bodies_[t].insert(bodies_[t].begin() + place, Block{{.what = Do::barrier}});
    }
  }

  // Puts creating and joining around the blocks. The last of several children may be T1's.
  void assemble(unsigned children) {
    std::vector<std::uint8_t> own;
    for (unsigned child = 1; child <= children; ++child) {
      const unsigned parent = nested_ && child == children ? 1 : 0;
      if (parent == thread_) own.push_back(static_cast<std::uint8_t>(child));
    }
    std::vector<Op> ops;
    const auto& blocks = bodies_[thread_];
    const std::size_t before = blocks.empty() || !chance(30) ? 0 : 1;
    for (std::size_t i = 0; i < before; ++i)
      ops.insert(ops.end(), blocks[i].begin(), blocks[i].end());
    for (std::uint8_t child : own) ops.push_back({.what = Do::create, .object = child});
    for (std::size_t i = before; i < blocks.size(); ++i) {
      ops.insert(ops.end(), blocks[i].begin(), blocks[i].end());
    }
    for (std::uint8_t child : own) ops.push_back({.what = Do::join, .object = child});
    if (thread_ == 0 && chance(20)) {
      ops.push_back({.what = Do::store, .object = plain_variable(), .value = number()});
    }
    program_.threads.push_back(ops);
  }

  Rng rng_;
  Program program_;
  std::vector<std::vector<Block>> bodies_;
  unsigned thread_ = 0;
  unsigned registers_ = 0;
  std::uint8_t focus_ = 0;
  bool protected_ = false;  // plain variables are accessed under their locks only
  bool mixed_ = false;      // atomic variables are accessed plainly, too
  bool nested_ = false;
};

bool fits(const Program& program) {
  std::size_t all = 0;
  for (const auto& ops : program.threads) {
    if (ops.size() > kOps) return false;
    all += ops.size();
  }
  return all <= 26;
}

}  // namespace

Program generate(std::uint64_t seed) {
  for (std::uint64_t attempt = seed;; attempt = mix64(attempt + 1)) {
    Program program = Generator(attempt).make();
    program.seed = seed;
    if (fits(program)) return program;
  }
}

}  // namespace raddle::oracle

// SPDX-License-Identifier: Apache-2.0
//
// Programs with few executions, for searches that claim to have made all of them. They go where
// those of generate.cc do not: several racing accesses of one thread, ends of the process beside
// running threads, frees beside uses, reader-writer locks, deadlocks. Each program has a theme or
// two, and a little of everything else. Tests only.
#include "base/rng.h"
#include "oracle/generate.h"
#include "oracle/proof_blocks.h"

namespace raddle::oracle {
namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : rng_(mix64(seed)), make_(rng_) {}

  Program make() {
    const unsigned children = make_.chance(30) ? 1 : make_.chance(80) ? 2 : 3;
    bodies_.resize(children + 1);
    make_.begin_program();
    heap_ = make_.chance(30);
    ends_ = make_.chance(40);
    for (unsigned i = 0; i < 2; ++i) themes_[i] = make_.pick(0u, 0u, 1u, 2u, 3u, 4u, 5u);
    program_.semaphore = static_cast<std::uint8_t>(rng_.below(2));
    for (unsigned t = 0; t <= children; ++t) {
      make_.go_to(t);
      const unsigned blocks = t == 0 ? rng_.below(2) : 1 + rng_.below(children == 3 ? 2 : 3);
      for (unsigned i = 0; i < blocks; ++i) bodies_[t].push_back(block());
    }
    if (heap_) add_heap();
    if (make_.chance(20)) add_deadlock();
    if (ends_) add_exits();
    if (make_.chance(5)) add_barriers();
    assemble_main();
    for (unsigned t = 1; t <= children; ++t) program_.threads.push_back(joined(bodies_[t]));
    return program_;
  }

 private:
  Block block() {
    const unsigned theme = make_.chance(70) ? themes_[rng_.below(2)] : rng_.below(6);
    Block made = by_theme(theme);
    if (make_.chance(15)) made = make_.twice(made);
    return made;
  }

  Block by_theme(unsigned theme) {
    switch (theme) {
      case 0:
        return make_.plain_run();
      case 1:
        return make_.section();
      case 2:
        return make_.rw_section(0);
      case 3:
        return make_.atomics();
      case 4:
        return make_.chance(50) ? make_.plain_run() : make_.semaphore();
      default:
        return make_.chance(60) ? make_.message() : make_.condition();
    }
  }

  unsigned some_thread() { return rng_.below(static_cast<std::uint32_t>(bodies_.size())); }
  unsigned some_child() { return 1 + rng_.below(static_cast<std::uint32_t>(bodies_.size() - 1)); }

  void insert(unsigned thread, const Block& block) {
    auto& blocks = bodies_[thread];
    const auto place = rng_.below(static_cast<std::uint32_t>(blocks.size() + 1));
    blocks.insert(blocks.begin() + place, block);
  }

  // Users of the block, and one thread that frees it: after a flag, after the last user, after a
  // join, or just so. A few programs have two who free.
  void add_heap() {
    const unsigned how = rng_.below(5);
    const unsigned users = 1 + rng_.below(2);
    const unsigned freer = how == 4 ? 0 : some_thread();
    const Order order = make_.chance(50) ? Order::seq_cst : Order::relaxed;
    frees_last_ = how == 4;
    for (unsigned i = 0; i < users; ++i) {
      unsigned user = some_child();
      if (user == freer) user = user == 1 && bodies_.size() > 2 ? 2 : 0;
      if (user == freer) continue;
      make_.go_to(user);
      Block uses = make_.heap_use();
      const Block tells = make_.tells(how, order);
      if (make_.chance(90)) {
        uses.insert(uses.end(), tells.begin(), tells.end());
      } else {
        uses.insert(uses.begin(), tells.begin(), tells.end());
      }
      bodies_[user].push_back(uses);
    }
    make_.go_to(freer);
    if (!frees_last_) bodies_[freer].push_back(make_.frees(how, order));
    if (make_.chance(8)) insert(some_thread(), {{.what = Do::free_block}});
  }

  void add_deadlock() {
    const unsigned one = some_thread();
    const unsigned other = some_child();
    make_.go_to(other);
    switch (rng_.below(4)) {
      case 0:
        insert(one, make_.nested(0, 1));
        insert(other, make_.nested(1, 0));
        break;
      case 1:
        insert(other, {{.what = Do::sem_wait}});
        break;
      case 2:
        insert(other, make_.upgrade());
        break;
      default:  // main waits for a thread that waits for main
        bodies_[other].push_back({{.what = Do::sem_wait}});
        posts_last_ = true;
    }
  }

  void add_exits() {
    const unsigned count = 1 + rng_.below(2);
    for (unsigned i = 0; i < count; ++i) {
      if (make_.chance(40)) continue;
      const unsigned thread = some_child();
      make_.go_to(thread);
      bodies_[thread].push_back(make_.exits());
    }
    for (unsigned quick = 0; quick < 2; ++quick) {
      const unsigned handlers = make_.chance(quick ? 20 : 45) ? 1 + rng_.below(2) : 0;
      for (unsigned i = 0; i < handlers; ++i) {
        make_.go_to(handler_body(quick, i));
        Block body = make_.handler();
        if (heap_ && make_.chance(25)) body = make_.heap_use();
        if (heap_ && make_.chance(10)) body = {{.what = Do::free_block}};
        program_.handlers[quick].push_back(body);
      }
    }
  }

  void add_barriers() {
    program_.barrier = static_cast<std::uint8_t>(bodies_.size() - 1);
    for (unsigned t = 1; t < bodies_.size(); ++t) insert(t, {{.what = Do::barrier}});
  }

  static std::vector<Op> joined(const std::vector<Block>& blocks) {
    std::vector<Op> ops;
    for (const Block& block : blocks) ops.insert(ops.end(), block.begin(), block.end());
    return ops;
  }

  // Creates the others, does its own, joins or detaches them or leaves them alone, and ends.
  void assemble_main() {
    const auto& blocks = bodies_[0];
    std::vector<Op> ops;
    std::vector<Op> later;
    for (std::uint8_t t = 1; t < bodies_.size(); ++t) {
      ops.push_back({.what = Do::create, .object = t});
      const unsigned fate = ends_ ? rng_.below(5) : 0;
      if (fate <= 1) {
        later.push_back({.what = Do::join, .object = t});
      } else if (fate == 2) {
        program_.detached |= static_cast<std::uint8_t>(1u << t);
      } else if (fate == 3) {
        later.push_back({.what = Do::detach, .object = t});
      }
    }
    const std::vector<Op> own = joined(blocks);
    const bool before = make_.chance(10);
    ops.insert(before ? ops.begin() : ops.end(), own.begin(), own.end());
    ops.insert(ops.end(), later.begin(), later.end());
    if (frees_last_) ops.push_back({.what = Do::free_block});
    if (posts_last_) ops.push_back({.what = Do::post});
    const bool by_itself = ends_ && program_.handlers[0].empty() && make_.chance(15);
    if (!by_itself) ops.push_back(make_.end_of_main(ends_));
    program_.threads.push_back(ops);
  }

  Rng rng_;
  ProofBlocks make_;
  Program program_;
  std::vector<std::vector<Block>> bodies_;
  unsigned themes_[2] = {};
  bool heap_ = false;
  bool ends_ = false;
  bool frees_last_ = false;
  bool posts_last_ = false;
};

bool fits(const Program& program) {
  std::size_t all = 0;
  for (unsigned b = 0; b < kBodies; ++b) {
    if (!program.has_body(b)) continue;
    if (program.body(b).size() > kOps) return false;
    all += program.body(b).size();
  }
  return all <= 26;
}

}  // namespace

Program generate_proof(std::uint64_t seed) {
  for (std::uint64_t attempt = seed;; attempt = mix64(attempt + 1)) {
    Program program = Generator(attempt).make();
    program.seed = seed;
    if (fits(program)) return program;
  }
}

}  // namespace raddle::oracle

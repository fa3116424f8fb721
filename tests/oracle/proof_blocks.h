// SPDX-License-Identifier: Apache-2.0
//
// The blocks of which generate_proofs.cc makes programs: a few operations each that belong
// together. Tests only.
#pragma once

#include <array>
#include <type_traits>
#include <vector>

#include "base/rng.h"
#include "oracle/program.h"

namespace raddle::oracle {

using Block = std::vector<Op>;

class ProofBlocks {
 public:
  explicit ProofBlocks(Rng& rng) : rng_(rng) {}

  bool chance(unsigned percent) { return rng_.below(100) < percent; }

  template <class... Choices>
  auto pick(Choices... choices) {
    const std::common_type_t<Choices...> all[] = {choices...};
    return all[rng_.below(sizeof...(choices))];
  }

  // Most accesses of a program go to one variable of each kind: threads should meet.
  void begin_program() { focus_ = pick(0u, 0u, 1u, 2u, 2u, kWord); }
  // What is made next is for this body.
  void go_to(unsigned body) { body_ = body; }

  Block plain_run();                      // some accesses of one variable in a row
  Block section();                        // of a mutex
  Block rw_section(std::uint8_t rwlock);  // of a reader-writer lock
  Block atomics();
  Block semaphore();
  Block message();    // a plain variable and a flag
  Block condition();  // waits or signals
  Block heap_use();
  // That the heap block is not needed any more, and a free by who knows: `how` is 0 for a flag, 1
  // for a flag under a lock, 2 for a count, else there is nothing.
  Block tells(unsigned how, Order order);
  Block frees(unsigned how, Order order);
  Block nested(std::uint8_t outer, std::uint8_t inner);
  Block upgrade();
  Block exits();
  Block handler();
  Op end_of_main(bool any);
  // The block in a loop, if that makes no difference to what it means.
  Block twice(Block block);

 private:
  std::uint8_t number() { return static_cast<std::uint8_t>(1 + rng_.below(3)); }
  unsigned registers() const { return used_[body_]; }
  std::int8_t fresh();
  std::uint8_t plain_variable();
  Op plain(unsigned variable);
  Op atomic(Do what, unsigned variable);
  Op any_atomic();
  Op maybe_guarded(Op op);
  Order order_of(Do what);

  Rng& rng_;
  unsigned body_ = 0;
  std::array<unsigned, kBodies> used_ = {};  // registers
  unsigned focus_ = 0;
};

}  // namespace raddle::oracle

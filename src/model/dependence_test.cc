// SPDX-License-Identifier: Apache-2.0
//
// The dependence of operations: the full table over all pairs of kinds. Tests only.
#include "model/dependence.h"

#include <gtest/gtest.h>

#include <string>

namespace raddle::model {
namespace {

using wire::OpClass;

constexpr unsigned kKinds = static_cast<unsigned>(OpKind::count);

PendingOp op(OpKind kind, std::uintptr_t address, std::uint16_t size = 4,
             std::uintptr_t second = 0) {
  PendingOp result;
  result.kind = kind;
  result.address = address;
  result.size = wire::is_memory_access(kind) ? size : 0;
  result.second = second;
  return result;
}

// Rows and columns in the order of OpClass; x: dependent when they concern the same place.
// g: always dependent; f: when the memory operation is a free.
//                             sync shared load store rmw read write thread global pause mark
constexpr const char* kTable[] = {
    "xx....f.g..",  // sync
    "x.....f.g..",  // shared: two read locks do not matter to each other
    "...xx.x.g..",  // load
    "..xxxxx.g..",  // store
    "..xxxxx.g..",  // rmw
    "...xx.x.g..",  // read
    "ffxxxxx.g..",  // write
    "........g..",  // thread
    "gggggggggg.",  // global
    "........g..",  // pause
    "...........",  // mark
};

// Every pair of kinds, on one place and on two.
TEST(Dependence, FollowsTheTableForEveryPairOfKinds) {
  for (unsigned i = 0; i < kKinds; ++i)
    for (unsigned j = 0; j < kKinds; ++j) {
      OpKind a = static_cast<OpKind>(i);
      OpKind b = static_cast<OpKind>(j);
      auto row = static_cast<unsigned>(wire::op_class(a));
      auto column = static_cast<unsigned>(wire::op_class(b));
      std::string pair = std::string(wire::op_word(a)) + " and " + wire::op_word(b);
      char entry = kTable[row][column];
      bool mark = wire::op_class(a) == OpClass::mark || wire::op_class(b) == OpClass::mark;
      if (!mark && (concerns_all(a) || concerns_all(b))) entry = 'g';
      bool frees = a == OpKind::memory_free || b == OpKind::memory_free;
      bool here = entry == 'x' || entry == 'g' || (entry == 'f' && frees);
      EXPECT_EQ(dependent(op(a, 0x100), op(b, 0x100)), here) << pair;
      bool io = is_io(a) && is_io(b) && (concerns_all_io(a) || concerns_all_io(b));
      EXPECT_EQ(dependent(op(a, 0x100), op(b, 0x200)), entry == 'g' || io) << pair;
    }
}

TEST(Dependence, IsSymmetric) {
  const std::uintptr_t places[] = {0, 0x100, 0x102, 0x104, 0x200};
  for (unsigned i = 0; i < kKinds; ++i)
    for (unsigned j = 0; j < kKinds; ++j)
      for (std::uintptr_t p : places)
        for (std::uintptr_t q : places) {
          PendingOp a = op(static_cast<OpKind>(i), p, 4, 0x200);
          PendingOp b = op(static_cast<OpKind>(j), q, 2);
          ASSERT_EQ(dependent(a, b), dependent(b, a));
        }
}

TEST(Dependence, MemoryIsComparedByBytes) {
  PendingOp word = op(OpKind::plain_write, 0x100, 4);
  EXPECT_TRUE(dependent(word, op(OpKind::plain_read, 0x103, 1)));
  EXPECT_TRUE(dependent(word, op(OpKind::plain_read, 0xff, 2)));
  EXPECT_FALSE(dependent(word, op(OpKind::plain_read, 0x104, 4)));
  EXPECT_FALSE(dependent(word, op(OpKind::plain_read, 0xfc, 4)));
  EXPECT_TRUE(dependent(word, op(OpKind::atomic_load, 0x0, 0x200)));
}

TEST(Dependence, AFreeIsAWriteOfTheWholeBlock) {
  PendingOp free = op(OpKind::memory_free, 0x1000, 64);
  EXPECT_TRUE(dependent(free, op(OpKind::plain_read, 0x103f, 1)));
  EXPECT_FALSE(dependent(free, op(OpKind::plain_read, 0x1040, 1)));
}

TEST(Dependence, AWaitConcernsItsMutexToo) {
  PendingOp wait = op(OpKind::cond_wait, 0x500, 0, 0x600);
  EXPECT_TRUE(dependent(wait, op(OpKind::mutex_lock, 0x600)));
  EXPECT_TRUE(dependent(wait, op(OpKind::cond_signal, 0x500)));
  EXPECT_TRUE(dependent(wait, op(OpKind::cond_wait, 0x700, 0, 0x600)));
  EXPECT_FALSE(dependent(wait, op(OpKind::mutex_lock, 0x700)));
  EXPECT_FALSE(dependent(wait, op(OpKind::cond_wait, 0x700, 0, 0x800)));
}

// Address 0 is "no object": two operations without a second object do not share one.
TEST(Dependence, NoObjectIsNotAnObject) {
  EXPECT_FALSE(dependent(op(OpKind::mutex_lock, 0x100), op(OpKind::mutex_lock, 0x200)));
  EXPECT_FALSE(dependent(op(OpKind::mutex_lock, 0), op(OpKind::mutex_lock, 0)));
}

}  // namespace
}  // namespace raddle::model

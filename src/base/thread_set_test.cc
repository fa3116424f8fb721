// SPDX-License-Identifier: Apache-2.0
//
// ThreadSet against a reference, and at the edges of its words. Tests only.
#include "base/thread_set.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

#include "base/rng.h"

namespace raddle {
namespace {

std::vector<ThreadId> members(const ThreadSet& set) {
  std::vector<ThreadId> result;
  set.for_each([&](ThreadId t) { result.push_back(t); });
  return result;
}

TEST(ThreadSet, StartsEmpty) {
  ThreadSet set;
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set.size(), 0u);
  EXPECT_EQ(set.first(), kNoThread);
  EXPECT_FALSE(set.contains(0));
  EXPECT_FALSE(set.contains(kMaxThreads - 1));
  EXPECT_FALSE(set.contains(kNoThread));
}

TEST(ThreadSet, HoldsTheLastId) {
  ThreadSet set;
  set.add(kMaxThreads - 1);
  EXPECT_EQ(set.size(), 1u);
  EXPECT_EQ(set.first(), kMaxThreads - 1);
  EXPECT_EQ(set.nth(0), kMaxThreads - 1);
  EXPECT_EQ(set.next_from(kMaxThreads), kNoThread);
}

TEST(ThreadSet, FindsTheNextMember) {
  ThreadSet set;
  for (ThreadId t : {3, 63, 64, 300}) set.add(t);
  EXPECT_EQ(set.next_from(0), 3);
  EXPECT_EQ(set.next_from(3), 3);
  EXPECT_EQ(set.next_from(4), 63);
  EXPECT_EQ(set.next_from(64), 64);
  EXPECT_EQ(set.next_from(65), 300);
  EXPECT_EQ(set.next_from(301), kNoThread);
  // Beyond all ids; volatile, lest the compiler warns of the subscript that is never used.
  volatile unsigned after_no_thread = kNoThread + 1u;
  EXPECT_EQ(set.next_from(after_no_thread), kNoThread);
}

TEST(ThreadSet, RemovingAnAbsentMemberChangesNothing) {
  ThreadSet set;
  set.add(5);
  set.remove(6);
  set.remove(5000);
  EXPECT_EQ(members(set), std::vector<ThreadId>{5});
}

// Words above the mark may hold anything: what was there before clear() must not come back.
TEST(ThreadSet, ClearForgetsHighWords) {
  ThreadSet set;
  for (ThreadId t : {1, 100, 1000}) set.add(t);
  set.clear();
  EXPECT_TRUE(set.empty());
  set.add(1023);
  EXPECT_EQ(members(set), std::vector<ThreadId>{1023});
}

TEST(ThreadSet, CopiesAreIndependent) {
  ThreadSet set;
  set.add(70);
  ThreadSet copy = set;
  copy.remove(70);
  copy.add(2);
  EXPECT_EQ(members(set), std::vector<ThreadId>{70});
  set = copy;
  EXPECT_EQ(members(set), std::vector<ThreadId>{2});
}

// The first word is right in every set, also where no word is in use.
TEST(ThreadSet, FirstWordHoldsTheMembersBelow64) {
  ThreadSet set;
  EXPECT_EQ(set.first_word(), 0u);
  EXPECT_FALSE(set.contains(0));
  for (ThreadId t : {0, 63, 64}) set.add(t);
  EXPECT_EQ(set.first_word(), (std::uint64_t{1} << 63) | 1);
  ThreadSet none, copy = set;
  copy = none;
  set.clear();
  for (const ThreadSet* cleared : {&set, &copy}) {
    EXPECT_EQ(cleared->first_word(), 0u);
    EXPECT_FALSE(cleared->contains(0) || cleared->contains(63) || cleared->contains(64));
  }
}

// Against std::set, over random additions and removals.
TEST(ThreadSet, AgreesWithAReference) {
  Rng rng(9);
  for (std::uint32_t range : {5u, 64u, 200u, 16384u}) {
    auto set = std::make_unique<ThreadSet>();
    std::set<ThreadId> reference;
    for (int i = 0; i < 3000; ++i) {
      auto id = static_cast<ThreadId>(rng.below(range));
      if (rng.below(2) == 0) {
        set->add(id);
        reference.insert(id);
      } else {
        set->remove(id);
        reference.erase(id);
      }
      ASSERT_EQ(set->size(), reference.size());
      ASSERT_EQ(set->empty(), reference.empty());
      ASSERT_EQ(set->contains(id), reference.contains(id));
      auto from = static_cast<ThreadId>(rng.below(range));
      auto next = reference.lower_bound(from);
      ASSERT_EQ(set->next_from(from), next == reference.end() ? kNoThread : *next);
    }
    ASSERT_EQ(members(*set), std::vector<ThreadId>(reference.begin(), reference.end()));
    unsigned rank = 0;
    for (ThreadId id : reference) ASSERT_EQ(set->nth(rank++), id);
  }
}

}  // namespace
}  // namespace raddle

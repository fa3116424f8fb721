// SPDX-License-Identifier: Apache-2.0
//
// Going back to what was mapped, in this process: mapped, unmapped, replaced, cut in pieces and
// protected.
#include "runtime/mapping_list.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <memory>
#include <vector>

namespace raddle::runtime {
namespace {

constexpr std::size_t kPages = 16;

class MappingListTest : public testing::Test {
 protected:
  void SetUp() override {
    area_ = static_cast<char*>(mmap(nullptr, kPages * kPageBytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(area_, MAP_FAILED);
    ASSERT_EQ(mprotect(page(8), 2 * kPageBytes, PROT_READ), 0);
    ASSERT_TRUE(list_->take());
  }
  void TearDown() override { munmap(area_, kPages * kPageBytes); }

  char* page(std::size_t index) const { return area_ + index * kPageBytes; }

  bool go_back() {
    auto note = [this](std::uintptr_t begin, std::uintptr_t end) {
      renewed_.push_back({begin, end});
      return true;
    };
    return list_->go_back(Visit<std::uintptr_t, std::uintptr_t>(note)) && list_->protect_again();
  }

  std::uintptr_t at(std::size_t index) const {
    return reinterpret_cast<std::uintptr_t>(page(index));
  }

  using Range = std::pair<std::uintptr_t, std::uintptr_t>;
  char* area_ = nullptr;
  std::unique_ptr<MappingList> list_ = std::make_unique<MappingList>();
  std::vector<Range> renewed_;
};

TEST_F(MappingListTest, NothingHasChanged) {
  EXPECT_TRUE(list_->is_same());
  EXPECT_TRUE(go_back());
  EXPECT_TRUE(renewed_.empty());
}

TEST_F(MappingListTest, WhatWasMappedIsUnmapped) {
  void* fresh = mmap(nullptr, 3 * kPageBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(fresh, MAP_FAILED);
  EXPECT_FALSE(list_->is_same());
  EXPECT_TRUE(go_back());
  EXPECT_TRUE(list_->is_same());
  EXPECT_EQ(msync(fresh, kPageBytes, MS_ASYNC), -1);
}

TEST_F(MappingListTest, WhatWasUnmappedIsMappedAnew) {
  *page(3) = 'x';
  ASSERT_EQ(munmap(page(3), 4 * kPageBytes), 0);
  ASSERT_EQ(munmap(page(9), 2 * kPageBytes), 0);
  EXPECT_FALSE(list_->is_same());
  EXPECT_TRUE(go_back());
  EXPECT_TRUE(list_->is_same());
  std::vector<Range> expected = {{at(3), at(7)}, {at(9), at(10)}, {at(10), at(11)}};
  EXPECT_EQ(renewed_, expected);
  EXPECT_EQ(*page(3), 0);
}

TEST_F(MappingListTest, WhatWasReplacedIsMappedAnew) {
  ASSERT_EQ(mmap(page(5), kPageBytes, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
            page(5));
  EXPECT_FALSE(list_->is_same());
  EXPECT_TRUE(go_back());
  EXPECT_TRUE(list_->is_same());
  EXPECT_EQ(renewed_, (std::vector<Range>{{at(5), at(6)}}));
}

TEST_F(MappingListTest, ProtectionsAreSetAsTheyWere) {
  ASSERT_EQ(mprotect(page(1), kPageBytes, PROT_NONE), 0);
  ASSERT_EQ(mprotect(page(8), kPageBytes, PROT_READ | PROT_WRITE), 0);
  EXPECT_FALSE(list_->is_same());
  EXPECT_TRUE(go_back());
  EXPECT_TRUE(list_->is_same());
  *page(1) = 'x';
}

TEST_F(MappingListTest, WhatIsSharedCannotBeHadBack) {
  void* shared = mmap(nullptr, kPageBytes, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_TRUE(list_->take());
  ASSERT_EQ(munmap(shared, kPageBytes), 0);
  EXPECT_FALSE(list_->is_same());
  EXPECT_FALSE(go_back());
}

}  // namespace
}  // namespace raddle::runtime

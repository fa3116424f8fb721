// SPDX-License-Identifier: Apache-2.0
//
// What the restorer tells the runtime about the variables of this very test program. The runtime
// itself is not here: the test looks at what it would be given.
#include "check/restorer.h"

#include <gtest/gtest.h>
#include <string.h>

#include <filesystem>

#include "check/outside_memory.h"

int g_restored_number = 7;
int g_restored_table[5000] = {1, 2, 3};  // longer than a page
std::vector<int> g_restored_empty;
std::vector<int> g_restored_filled = {1, 2, 3};
int* g_restored_inside = &g_restored_number;

namespace testing {
int g_restored_framework = 1;
}

// Made anew in every run if its guard is put back.
static std::string& restored_static() {
  static std::string text(100, 'x');
  return text;
}

namespace raddle {
static wire::Restore* given;  // raddle's variables do not count
}

void raddle_in_process_restore(raddle::wire::Restore* restore) { raddle::given = restore; }

namespace raddle::check {
namespace {

// The executable alone: enough, and the others need not have debug information.
std::vector<wire::Module> this_program() {
  wire::Module module = {};
  std::string path = std::filesystem::read_symlink("/proc/self/exe").string();
  strncpy(module.path, path.c_str(), sizeof module.path - 1);
  extern const char start __asm__("__executable_start");
  module.base = reinterpret_cast<std::uint64_t>(&start);
  return {module};
}

const wire::RestoredPiece* piece_of(const void* address) {
  const auto* byte = static_cast<const unsigned char*>(address);
  for (std::uint32_t i = 0; i < given->piece_count; ++i) {
    const wire::RestoredPiece& piece = given->pieces[i];
    if (piece.address <= byte && byte < piece.address + piece.size) return &piece;
  }
  return nullptr;
}

bool is_put_back(const void* address, std::size_t size) {
  const auto* byte = static_cast<const unsigned char*>(address);
  for (std::size_t i = 0; i < size; ++i) {
    const wire::RestoredPiece* piece = piece_of(byte + i);
    if (piece == nullptr || piece->mask[byte + i - piece->address] != 0xff) return false;
  }
  return true;
}

bool is_anchored(const void* address) {
  auto at = reinterpret_cast<std::uintptr_t>(address);
  for (std::uint32_t i = 0; i < given->anchored_count; ++i)
    if (given->anchored[i].begin <= at && at < given->anchored[i].end) return true;
  return false;
}

class RestorerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    restorer_ = std::make_unique<Restorer>(this_program());
    ASSERT_NE(given, nullptr) << restorer_->note();
  }
  void learn() { given->learn(*given); }

  std::unique_ptr<Restorer> restorer_;
};

TEST_F(RestorerTest, BeginsWithAllMemoryAndReadsNoDebugInformation) {
  EXPECT_FALSE(given->known);
  const wire::RestoredPiece* piece = piece_of(&g_restored_number);
  ASSERT_NE(piece, nullptr);
  EXPECT_EQ(piece->mask, nullptr);
  EXPECT_EQ(memcmp(piece->address, piece->then, piece->size), 0);
  EXPECT_NE(piece_of(&testing::g_restored_framework), nullptr);
}

TEST_F(RestorerTest, LearnsWhichBytesAreVariablesOfTheProgram) {
  learn();
  EXPECT_TRUE(given->known);
  EXPECT_TRUE(is_put_back(&g_restored_number, sizeof g_restored_number));
  EXPECT_TRUE(is_put_back(&g_restored_empty, sizeof g_restored_empty));
  EXPECT_TRUE(is_put_back(g_restored_table, sizeof g_restored_table));
  EXPECT_FALSE(is_put_back(&testing::g_restored_framework, sizeof(int)));
  EXPECT_EQ(restorer_->note(), "");
}

TEST_F(RestorerTest, NoPieceIsInTwoPages) {
  learn();
  ASSERT_GT(given->piece_count, 0u);
  for (std::uint32_t i = 0; i < given->piece_count; ++i) {
    const wire::RestoredPiece& piece = given->pieces[i];
    auto first = reinterpret_cast<std::uintptr_t>(piece.address);
    EXPECT_EQ(first / 4096, (first + piece.size - 1) / 4096);
    EXPECT_EQ(first % 8, 0u);
    EXPECT_EQ(piece.size % 8, 0u);
    if (i > 0) {
      EXPECT_LE(given->pieces[i - 1].address + given->pieces[i - 1].size, piece.address);
    }
  }
}

TEST_F(RestorerTest, KnowsWhatVariablesWereBeforeAndNotWhenItLearns) {
  g_restored_number = 8;
  g_restored_table[3000] = 5;
  learn();
  const wire::RestoredPiece* piece = piece_of(&g_restored_number);
  int number, element;
  memcpy(&number,
         piece->then + (reinterpret_cast<unsigned char*>(&g_restored_number) - piece->address),
         sizeof number);
  piece = piece_of(&g_restored_table[3000]);
  memcpy(&element,
         piece->then + (reinterpret_cast<unsigned char*>(&g_restored_table[3000]) - piece->address),
         sizeof element);
  g_restored_number = 7;
  g_restored_table[3000] = 0;
  EXPECT_EQ(number, 7);
  EXPECT_EQ(element, 0);
}

TEST_F(RestorerTest, AVariableThatRefersToTheHeapIsAnchored) {
  learn();
  EXPECT_TRUE(is_anchored(&g_restored_filled));
  EXPECT_FALSE(is_anchored(&g_restored_empty));
  EXPECT_FALSE(is_anchored(&g_restored_inside));
  given->end = wire::RestoreEnd::anchored;
  given->end_address = reinterpret_cast<std::uintptr_t>(&g_restored_filled);
  EXPECT_NE(restorer_->note().find("`g_restored_filled` (restorer_test.cc:"), std::string::npos)
      << restorer_->note();
}

TEST_F(RestorerTest, AStaticLocalIsPutBackWithItsGuard) {
  learn();
  const std::string& text = restored_static();
  ASSERT_TRUE(is_put_back(&text, sizeof text));
  // Its making has changed one more variable that is put back: the guard.
  std::uint32_t changed = 0;
  for (std::uint32_t i = 0; i < given->piece_count; ++i) {
    const wire::RestoredPiece& piece = given->pieces[i];
    for (std::uint32_t byte = 0; byte < piece.size; ++byte) {
      bool inside = piece.address + byte >= reinterpret_cast<const unsigned char*>(&text) &&
                    piece.address + byte < reinterpret_cast<const unsigned char*>(&text + 1);
      if (!inside && piece.mask[byte] != 0 && piece.address[byte] != piece.then[byte]) ++changed;
    }
  }
  EXPECT_EQ(changed, 1u);
}

TEST_F(RestorerTest, EndsWithItsLife) {
  restorer_.reset();
  EXPECT_EQ(given, nullptr);
}

TEST(OutsideMemory, IsHeapAndStackAndNoObject) {
  auto block = std::make_unique<int>(1);
  int local = 0;
  OutsideMemory outside;
  auto holds = [&](const void* address) {
    return outside.holds(reinterpret_cast<std::uintptr_t>(address));
  };
  EXPECT_TRUE(holds(block.get()));
  EXPECT_TRUE(holds(&local));
  EXPECT_FALSE(holds(&g_restored_number));
  EXPECT_FALSE(holds("text"));
  EXPECT_FALSE(outside.holds(0));
  EXPECT_FALSE(outside.holds(12345));
}

}  // namespace
}  // namespace raddle::check

// SPDX-License-Identifier: Apache-2.0
//
// Which races are told apart as the C++ library's own. Engine side; pure.
#include "report/library_races.h"

#include <gtest/gtest.h>

namespace raddle::report {
namespace {

RaceAccess reads(std::vector<std::string> functions) { return {std::move(functions), false}; }
RaceAccess writes(std::vector<std::string> functions) { return {std::move(functions), true}; }

const std::string kNarrow = "std::ctype<char>::narrow(char, char) const";
const std::string kLoad = "std::_Sp_atomic<std::shared_ptr<Leaf> >::load(std::memory_order) const";
const std::string kSwap =
    "std::_Sp_atomic<std::shared_ptr<Leaf> >::swap(std::shared_ptr<Leaf>&, std::memory_order)";
const std::string kCas =
    "std::_Sp_atomic<std::shared_ptr<Leaf> >::compare_exchange_strong(std::shared_ptr<Leaf>&, "
    "std::shared_ptr<Leaf>, std::memory_order, std::memory_order)";
const std::string kPlainSwap =
    "std::enable_if<std::is_move_assignable<Leaf*>::value, void>::type std::swap<Leaf*>(Leaf*&, "
    "Leaf*&)";

TEST(LibraryRaces, AreThoseOfTheTableOfNarrowedCharacters) {
  EXPECT_EQ(library_race(writes({kNarrow, "parse()"}), reads({kNarrow}), false),
            "std::ctype<char>::narrow");
  // The other overload writes to its caller's memory.
  const std::string many = "std::ctype<char>::narrow(char const*, char const*, char, char*) const";
  EXPECT_EQ(library_race(writes({many}), writes({many}), false), "");
  EXPECT_EQ(library_race(writes({kNarrow}), reads({"scan()", kNarrow}), false), "");
  EXPECT_EQ(library_race(writes({kNarrow}), reads({}), false), "");
}

TEST(LibraryRaces, AreThoseOfThePointerInAnAtomicSharedPtr) {
  const std::string name = "std::atomic of a smart pointer";
  EXPECT_EQ(library_race(reads({kLoad}), writes({kPlainSwap, kSwap}), true), name);
  EXPECT_EQ(library_race(writes({kCas, "main"}), reads({kLoad, "main"}), true), name);
  EXPECT_EQ(library_race(writes({kCas}), reads({kCas}), true), name);
  // The caller's own shared_ptr.
  EXPECT_EQ(library_race(writes({kCas}), reads({kCas}), false), "");
  // Both have locked for writing, so this is something else.
  EXPECT_EQ(library_race(writes({kCas}), writes({kPlainSwap, kSwap}), true), "");
  // What the pointer points to.
  const std::string end = "std::vector<int>::~vector()";
  EXPECT_EQ(library_race(writes({end, kSwap}), reads({kLoad}), true), "");
  EXPECT_EQ(library_race(writes({kPlainSwap, "mix()"}), reads({kLoad}), true), "");
  const std::string own = "bank::_Sp_atomic<int>::load(std::memory_order) const";
  EXPECT_EQ(library_race(writes({kCas}), reads({own}), true), "");
}

}  // namespace
}  // namespace raddle::report

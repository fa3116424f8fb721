// SPDX-License-Identifier: Apache-2.0
//
// What a divergence says that the expected thread is doing.
#include "cli/replayed.h"

#include <gtest/gtest.h>

namespace raddle::cli {
namespace {

using wire::ThreadState;

TEST(StateWords, AreThoseOfTheState) {
  EXPECT_STREQ(state_words(ThreadState::running), "is about to");
  EXPECT_STREQ(state_words(ThreadState::runnable), "is about to");
  EXPECT_STREQ(state_words(ThreadState::blocked), "is blocked in");
  EXPECT_STREQ(state_words(ThreadState::sleeping), "sleeps in");
  EXPECT_STREQ(state_words(ThreadState::finished), "has finished after");
  EXPECT_STREQ(state_words(ThreadState::paused), "is paused by the event schedule before");
}

}  // namespace
}  // namespace raddle::cli

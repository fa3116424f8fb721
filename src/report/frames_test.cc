// SPDX-License-Identifier: Apache-2.0
//
// The user's frames among the libraries', and how frames are written.
#include "report/frames.h"

#include <gtest/gtest.h>

namespace raddle::report {
namespace {

using facts::Frame;

Frame frame(const std::string& file, int line, const std::string& function,
            const std::string& module = "prog") {
  Frame result;
  result.file = file;
  result.line = line;
  result.function = function;
  result.module = module;
  result.offset = 0x40;
  return result;
}

TEST(Frames, LibrariesAndCompilerHeadersAreNotTheUsers) {
  EXPECT_TRUE(is_user_code(frame("/project/bank.cpp", 3, "f")));
  EXPECT_TRUE(is_user_code(frame("bank.cpp", 3, "f")));
  EXPECT_TRUE(is_user_code(frame("", 0, "f")));
  EXPECT_TRUE(is_user_code(frame("", 0, "")));
  EXPECT_FALSE(is_user_code(frame("/usr/include/c++/12/mutex", 3, "std::mutex::lock")));
  EXPECT_FALSE(is_user_code(frame("/opt/gcc/include/c++/13/bits/std_mutex.h", 3, "lock")));
  EXPECT_FALSE(is_user_code(frame("/usr/lib/gcc/x86_64-linux-gnu/12/include/x.h", 3, "f")));
  EXPECT_FALSE(is_user_code(frame("", 0, "abort", "libc.so.6")));
  EXPECT_FALSE(is_user_code(frame("/src/rt.cc", 5, "hook", "libraddle_rt.so")));
  EXPECT_FALSE(is_user_code(frame("/src/check.cc", 5, "raddle_check", "libraddle_check.so")));
  EXPECT_FALSE(is_user_code(frame("/opt/include/raddle/gtest.h", 5, "run_once", "a.out")));
  EXPECT_FALSE(is_user_code(frame("", 0, "_start")));
  EXPECT_FALSE(is_user_code(Frame{}));
}

TEST(Frames, TheInnermostUserFrameWithALineIsTaken) {
  std::vector<Frame> frames = {frame("/usr/include/c++/12/mutex", 1, "std::mutex::lock"),
                               frame("", 0, "stripped"), frame("a.cpp", 7, "f"),
                               frame("a.cpp", 9, "main")};
  EXPECT_EQ(user_frame(frames)->function, "f");
  EXPECT_EQ(user_frame(std::span(frames).first(2))->function, "stripped");
  EXPECT_EQ(user_frame(std::span(frames).first(1)), nullptr);
  EXPECT_EQ(best_frame(std::span(frames).first(1)).function, "std::mutex::lock");
  EXPECT_EQ(best_frame({}).function, "");
}

TEST(Frames, AreWrittenAsFarAsTheyAreKnown) {
  EXPECT_EQ(place_text(frame("/project/bank.cpp", 3, "f")), "bank.cpp:3");
  EXPECT_EQ(place_text(frame("", 0, "f")), "f");
  EXPECT_EQ(place_text(frame("", 0, "")), "prog+0x40");
  EXPECT_EQ(place_text(Frame{}), "");
  EXPECT_EQ(frame_text(frame("/project/bank.cpp", 3, "f")), "f (bank.cpp:3)");
  EXPECT_EQ(frame_text(frame("", 0, "f")), "f");
  EXPECT_EQ(frame_text(frame("", 0, "")), "prog+0x40");
}

TEST(Frames, PathsBelowTheDirectoryAreRelative) {
  EXPECT_EQ(path_below("/project/src/a.cpp", "/project"), "src/a.cpp");
  EXPECT_EQ(path_below("/project/src/a.cpp", "/project/"), "src/a.cpp");
  EXPECT_EQ(path_below("/project2/a.cpp", "/project"), "/project2/a.cpp");
  EXPECT_EQ(path_below("/a.cpp", "/"), "/a.cpp");
  EXPECT_EQ(path_below("a.cpp", ""), "a.cpp");
}

}  // namespace
}  // namespace raddle::report

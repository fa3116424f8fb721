// SPDX-License-Identifier: Apache-2.0
//
// Every way in which a file is not a program that raddle can run, each with its exit code and the
// part of the message that helps. Real files, made by the compiler where there is one.
#include "launch/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace raddle::launch {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ProgramFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    char path[] = "/tmp/raddle-test-XXXXXX";
    ASSERT_NE(mkdtemp(path), nullptr);
    directory_ = path;
    write("main.c", "int main(void) { return 0; }\n");
  }
  void TearDown() override { fs::remove_all(directory_); }

  void write(const std::string& name, const std::string& text, mode_t mode = 0644) {
    std::ofstream(directory_ + "/" + name) << text;
    chmod((directory_ + "/" + name).c_str(), mode);
  }
  bool compile(const std::string& arguments) {
    std::string command = "cd " + directory_ + " && gcc main.c " + arguments + " 2>/dev/null";
    return system(command.c_str()) == 0;
  }
  void expect_error(const std::string& name, int exit_code, const std::string& part) {
    auto program = load_program({name}, directory_, "");
    ASSERT_FALSE(program) << name;
    EXPECT_EQ(program.error().exit_code, exit_code) << program.error().message;
    EXPECT_THAT(program.error().message, HasSubstr(part));
  }

  std::string directory_;
};

TEST_F(ProgramFiles, AcceptsADynamicProgram) {
  ASSERT_TRUE(compile("-o bank -Wl,--build-id=0xc0ffee01"));
  auto program = load_program({"./bank", "--strategy"}, directory_, "");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->path, directory_ + "/bank");
  EXPECT_EQ(program->argv[0], "./bank");
  EXPECT_EQ(program->elf.build_id, "c0ffee01");
  EXPECT_FALSE(program->elf.instrumented);
}

TEST_F(ProgramFiles, FindsProgramsOnThePath) {
  auto program = load_program({"true"}, directory_, "");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(program->path.ends_with("/true"));
}

TEST_F(ProgramFiles, RecognisesTheRuntimeAmongTheLibraries) {
  ASSERT_TRUE(compile("-shared -fPIC -o libraddle_rt.so"));
  ASSERT_TRUE(compile("-o bank -Wl,--no-as-needed -L. -lraddle_rt"));
  auto program = load_program({"./bank"}, directory_, "");
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_TRUE(program->elf.instrumented);
}

TEST_F(ProgramFiles, MissingProgramsSuggestWhatExists) {
  ASSERT_TRUE(compile("-o bank"));
  expect_error("bank", kExitUsage, "did you mean ./bank?");
  expect_error("build/bank", kExitUsage, "did you mean ./bank?");
  expect_error("./bnak", kExitUsage, "did you mean ./bank?");
  expect_error("./true", kExitUsage, "/true?");
  expect_error("./nothing-like-it", kExitUsage, "no such program: ./nothing-like-it");
  expect_error("", kExitUsage, "empty");
}

TEST_F(ProgramFiles, RejectsWhatIsNoProgram) {
  expect_error("./main.c", kExitUsage, "chmod +x");
  write("garbage", "garbage garbage", 0755);
  expect_error("./garbage", kExitUsage, "not an ELF program");
  write("empty", "", 0755);
  expect_error("./empty", kExitUsage, "not an ELF program");
  write("damaged", std::string("\177ELF\2\1\1\0", 8), 0755);
  expect_error("./damaged", kExitUsage, "damaged");
  expect_error("/tmp", kExitUsage, "is a directory");
  ASSERT_TRUE(compile("-c -o bank.o"));
  chmod((directory_ + "/bank.o").c_str(), 0755);
  expect_error("./bank.o", kExitUsage, "object file");
  ASSERT_TRUE(compile("-shared -fPIC -o bank.so"));
  expect_error("./bank.so", kExitUsage, "shared library");
}

TEST_F(ProgramFiles, SaysWhyASoundProgramCannotBeControlled) {
  write("script", "#!/bin/sh\n", 0755);
  expect_error("./script", kExitCannotRun, "script");
  if (compile("-static -o static")) expect_error("./static", kExitCannotRun, "without -static");
  if (compile("-static-pie -o static-pie"))
    expect_error("./static-pie", kExitCannotRun, "without -static");
  if (compile("-m32 -o narrow")) expect_error("./narrow", kExitCannotRun, "32-bit x86");
  ASSERT_TRUE(compile("-o bank"));
  chmod((directory_ + "/bank").c_str(), 04755);
  expect_error("./bank", kExitCannotRun, "set-uid");
}

TEST_F(ProgramFiles, RecognisesOtherMachines) {
  ASSERT_TRUE(compile("-o bank"));
  std::fstream file(directory_ + "/bank", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(18);  // e_machine
  file.put(static_cast<char>(183));
  file.close();
  expect_error("./bank", kExitCannotRun, "64-bit ARM");
}

TEST_F(ProgramFiles, NamesTheOtherSanitizer) {
  if (compile("-fsanitize=address -o asan"))
    expect_error("./asan", kExitCannotRun, "without -fsanitize=address");
  if (compile("-fsanitize=thread -o tsan"))
    expect_error("./tsan", kExitCannotRun, "without -fsanitize=thread");
  // Linked statically, as clang does: the entry point is defined in the program.
  write("init.c", "void __asan_init(void) {}\n");
  ASSERT_TRUE(compile("init.c -rdynamic -o embedded"));
  expect_error("./embedded", kExitCannotRun, "without -fsanitize=address");
}

TEST_F(ProgramFiles, ChecksTheInputFile) {
  auto program = load_program({"true"}, directory_, "missing.txt");
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().exit_code, kExitUsage);
  EXPECT_THAT(program.error().message, HasSubstr("missing.txt"));
  EXPECT_TRUE(load_program({"true"}, directory_, "main.c"));
}

}  // namespace
}  // namespace raddle::launch

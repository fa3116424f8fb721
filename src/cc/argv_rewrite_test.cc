// SPDX-License-Identifier: Apache-2.0
//
// The wrapper's decisions, one command line at a time. Command lines are written as text; the
// runtime's directory is /opt/lib. $HEAD_LINK and $TAIL_LINK stand for the fixed words of a link.
#include "cc/argv_rewrite.h"

#include <gtest/gtest.h>

#include <utility>

namespace raddle::cc {
namespace {

const std::string kHeadLink =
    "-Xlinker --push-state -Xlinker --no-as-needed -Xlinker /opt/lib/libraddle_rt.so "
    "-Xlinker --pop-state @/opt/lib/raddle_link.options";
const std::string kTailLink =
    "-Xlinker --push-state -Xlinker --as-needed -Xlinker /opt/lib/libraddle_check.so "
    "-Xlinker --pop-state -Xlinker -rpath -Xlinker /opt/lib";
// What makes <raddle/...> known.
const std::string kHeaders = "-isystem /opt/include";

std::vector<Argument> arguments(const std::string& line) {
  std::vector<Argument> args;
  for (const std::string& word : split_words(line)) args.push_back({word, {word}});
  return args;
}

std::string text_of(const Result<Rewrite>& rewrite) {
  if (!rewrite) return "error: " + rewrite.error().message;
  std::string text;
  for (const std::string& arg : rewrite->args) text += (text.empty() ? "" : " ") + arg;
  return text;
}

std::string rewritten(Family family, const std::string& line) {
  return text_of(rewrite_argv(family, arguments(line), "/opt/lib"));
}
std::string gcc(const std::string& line) { return rewritten(Family::kGcc, line); }
std::string clang(const std::string& line) { return rewritten(Family::kClang, line); }
// What clang needs to report a read that a write of the same variable follows.
const std::string kReads = "-mllvm -tsan-instrument-read-before-write=1";

// What gcc must not put into the code itself.
const std::string kCalls = "-Wno-tsan @/opt/lib/raddle_gcc.options";

// "$HEAD_LINK", "$TAIL_LINK", "$GCC" and "$HEADERS" replaced.
std::string link_words(std::string text) {
  for (const auto& [name, value] :
       {std::pair{"$HEAD_LINK", kHeadLink}, std::pair{"$TAIL_LINK", kTailLink},
        std::pair{"$GCC", kCalls}, std::pair{"$HEADERS", kHeaders}}) {
    const size_t at = text.find(name);
    if (at != std::string::npos) text.replace(at, std::string(name).size(), value);
  }
  return text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Compile, IsInstrumentedWithDefaultsFirstAndTheSanitizerLast) {
  EXPECT_EQ(gcc("-O2 -c a.c -o a.o"), "-g -fno-omit-frame-pointer " + kCalls +
                                          " -O2 -c a.c -o a.o " + kHeaders + " -fsanitize=thread");
  EXPECT_EQ(clang("-O2 -c a.c -o a.o"), "-g -fno-omit-frame-pointer " + kReads +
                                            " -O2 -c a.c -o a.o " + kHeaders +
                                            " -fsanitize=thread");
}

TEST(Compile, NeedsNeitherRuntimeNorSpecs) {
  Result<Rewrite> rewrite = rewrite_argv(Family::kGcc, arguments("-c a.c"), "/opt/lib");
  ASSERT_TRUE(rewrite);
  EXPECT_FALSE(rewrite->links_runtime);
  EXPECT_FALSE(rewrite->uses_specs);
  EXPECT_TRUE(rewrite->uses_gcc_options);
}

TEST(Compile, EveryOptionThatStopsBeforeTheLinkCounts) {
  for (const char* option : {"-c", "-S", "-fsyntax-only", "--compile", "--assemble"}) {
    EXPECT_FALSE(contains(gcc(std::string(option) + " a.cc"), "libraddle_rt")) << option;
    EXPECT_TRUE(contains(gcc(std::string(option) + " a.cc"), "-fsanitize=thread")) << option;
  }
}

TEST(Compile, DependencyOptionsOfANormalCompileDoNotChangeIt) {
  EXPECT_EQ(clang("-MD -MF a.d -MT a.o -c a.c"), "-g -fno-omit-frame-pointer " + kReads +
                                                     " -MD -MF a.d -MT a.o -c a.c " + kHeaders +
                                                     " -fsanitize=thread");
}

TEST(Compile, AssemblerOnlyIsLeftAlone) {
  EXPECT_EQ(gcc("-c a.s"), "-c a.s");
  EXPECT_EQ(clang("-c a.S -o a.o"), "-c a.S -o a.o");
  EXPECT_EQ(clang("-x assembler-with-cpp -c a.txt"), "-x assembler-with-cpp -c a.txt");
}

TEST(Compile, LanguageOptionOverridesTheSuffixUntilNone) {
  EXPECT_TRUE(contains(gcc("-xc++ -c a.txt"), "-fsanitize=thread"));
  EXPECT_TRUE(contains(gcc("-x c -c -"), "-fsanitize=thread"));
  EXPECT_TRUE(contains(gcc("--language=c -c a"), "-fsanitize=thread"));
  EXPECT_EQ(gcc("-x c -x none -c a.s"), "-x c -x none -c a.s");
}

TEST(Compile, HeadersAreCompiledNotLinked) {
  EXPECT_EQ(gcc("all.h -Wl,-z,relro"), "-g -fno-omit-frame-pointer " + kCalls +
                                           " all.h -Wl,-z,relro " + kHeaders +
                                           " -fsanitize=thread");
  EXPECT_FALSE(contains(clang("-x c++-header all -o all.pch"), "libraddle_rt"));
}

TEST(Compile, OldDebugFormatsExcludeOurDebugOption) {
  EXPECT_EQ(gcc("-gstabs -c a.c"), "-fno-omit-frame-pointer " + kCalls + " -gstabs -c a.c " +
                                       kHeaders + " -fsanitize=thread");
}

TEST(Compile, OptionsGoBeforeADoubleDash) {
  EXPECT_EQ(clang("-c -- a.c"), "-g -fno-omit-frame-pointer " + kReads + " -c " + kHeaders +
                                    " -fsanitize=thread -- a.c");
}

TEST(Compile, GccCompilesWithoutLinkTimeOptimisation) {
  EXPECT_EQ(gcc("-flto=auto -fwhole-program -c a.c"),
            "-g -fno-omit-frame-pointer " + kCalls + " -c a.c " + kHeaders + " -fsanitize=thread");
  EXPECT_TRUE(contains(gcc("-fwhole-program -c a.c"), "-fwhole-program"));
  EXPECT_TRUE(contains(clang("-flto=thin -c a.c"), "-flto=thin"));
}

TEST(Preprocess, IsToldOfTheSanitizerOnly) {
  EXPECT_EQ(gcc("-E a.c"), "-E a.c " + kHeaders + " -fsanitize=thread");
  EXPECT_EQ(gcc("-x c -E -"), "-x c -E - " + kHeaders + " -fsanitize=thread");
  EXPECT_EQ(clang("-MM a.c"), "-MM a.c " + kHeaders + " -fsanitize=thread");
  EXPECT_EQ(clang("-M -c a.c"), "-M -c a.c " + kHeaders + " -fsanitize=thread");
  EXPECT_EQ(clang("-E a.S"), "-E a.S");
}

TEST(Headers, AreFoundByWhatCompilesAfterTheUsers) {
  EXPECT_TRUE(contains(gcc("-isystem own -c a.cc"), "-isystem own -c a.cc " + kHeaders));
  EXPECT_FALSE(contains(gcc("a.o -o a"), kHeaders));
  EXPECT_TRUE(contains(gcc("-x c++ -c -"), kHeaders));
  for (const char* line : {"-c a.s", "-c a.i", "-c a.ii", "-x c++-cpp-output -c a", "-c a.f90"}) {
    EXPECT_FALSE(contains(gcc(line), kHeaders)) << line;
  }
}

TEST(Headers, InDirectoriesOfTheCompilersAreNotNamedAgain) {
  for (const char* runtime_dir : {"/usr/lib", "/usr/local/lib"}) {
    const std::string text = text_of(rewrite_argv(Family::kGcc, arguments("-c a.cc"), runtime_dir));
    EXPECT_FALSE(contains(text, "-isystem")) << text;
  }
}

TEST(Link, TakesTheLibraryOfChecksAfterTheUsersLibraries) {
  const std::string text = gcc("a.o -lmine -o a");
  EXPECT_LT(text.find("-lmine"), text.find("--as-needed -Xlinker /opt/lib/libraddle_check.so"));
  EXPECT_FALSE(contains(gcc("-r a.o -o b.o"), "libraddle_check"));
}

TEST(Link, PutsTheRuntimeFirstAndItsRunPathLast) {
  EXPECT_EQ(gcc("a.o -lm -o a"), link_words("$HEAD_LINK a.o -lm -o a $TAIL_LINK"));
  EXPECT_EQ(clang("a.o -lm -o a"), link_words("$HEAD_LINK a.o -lm -o a $TAIL_LINK"));
}

TEST(Link, SendsCallsOfMemoryFunctionsToTheRuntime) {
  EXPECT_TRUE(contains(clang("-shared a.o -o a.so"), "@/opt/lib/raddle_link.options"));
  EXPECT_FALSE(contains(gcc("-c a.c"), "raddle_link.options"));
  EXPECT_FALSE(contains(gcc("-r a.o b.o -o c.o"), "raddle_link.options"));
}

TEST(Compile, OnlyGccMustBeKeptFromExpandingMemoryFunctions) {
  EXPECT_FALSE(contains(clang("-O2 -c a.c"), "@"));
  EXPECT_FALSE(contains(gcc("-E a.c"), "@"));
  EXPECT_FALSE(contains(gcc("-fno-sanitize=thread -c a.c"), "@"));
}

TEST(Link, SharedAndBareProgramsTakeTheRuntimeToo) {
  EXPECT_EQ(gcc("-shared a.o -Wl,-z,defs -o a.so"),
            link_words("$HEAD_LINK -shared a.o -Wl,-z,defs -o a.so $TAIL_LINK"));
  EXPECT_EQ(gcc("-nostdlib a.o"), link_words("$HEAD_LINK -nostdlib a.o $TAIL_LINK"));
}

TEST(Link, RelocatableOutputTakesNoLibrary) {
  EXPECT_EQ(gcc("-r a.o b.o -o c.o"), "-r a.o b.o -o c.o");
  EXPECT_EQ(gcc("-Wl,-r a.o b.o -o c.o"), "-Wl,-r a.o b.o -o c.o");
  EXPECT_EQ(gcc("-nostdlib -Xlinker -r a.o"), "-nostdlib -Xlinker -r a.o");
  EXPECT_EQ(clang("-r a.c -o c.o"), "-g -fno-omit-frame-pointer " + kReads + " -r a.c -o c.o " +
                                        kHeaders + " -Xclang -fsanitize=thread");
}

TEST(Link, OfLibrariesAloneIsALink) {
  EXPECT_TRUE(contains(gcc("-lmain -o a"), "libraddle_rt"));
  EXPECT_TRUE(contains(gcc("-Wl,libmain.a -o a"), "libraddle_rt"));
}

TEST(Link, ValuesOfOptionsAreNotInputs) {
  for (const char* line : {"-o a.c", "-include a.h", "-MF a.c", "-T a.ld", "-Xclang a.c", "-D a.c",
                           "--param a.c", "-u main", "-z now", "-isystem a.c"}) {
    EXPECT_EQ(gcc(line), line);
  }
}

TEST(CompileAndLink, HidesTheSanitizerFromTheDriver) {
  EXPECT_EQ(gcc("a.c b.c -o a"),
            link_words("-g -fno-omit-frame-pointer $GCC $HEAD_LINK a.c b.c -o a "
                       "$HEADERS -specs=/opt/lib/raddle_gcc.specs $TAIL_LINK"));
  EXPECT_EQ(clang("a.c b.c -o a"), link_words("-g -fno-omit-frame-pointer " + kReads +
                                              " $HEAD_LINK a.c b.c -o a "
                                              "$HEADERS -Xclang -fsanitize=thread $TAIL_LINK"));
}

TEST(CompileAndLink, SaysWhatFilesItNeeds) {
  Result<Rewrite> gcc_rewrite = rewrite_argv(Family::kGcc, arguments("a.c"), "/opt/lib");
  ASSERT_TRUE(gcc_rewrite);
  EXPECT_TRUE(gcc_rewrite->links_runtime);
  EXPECT_TRUE(gcc_rewrite->uses_specs);
  Result<Rewrite> clang_rewrite = rewrite_argv(Family::kClang, arguments("a.c"), "/opt/lib");
  ASSERT_TRUE(clang_rewrite);
  EXPECT_TRUE(clang_rewrite->links_runtime);
  EXPECT_FALSE(clang_rewrite->uses_specs);
}

TEST(CompileAndLink, OfStandardInput) {
  EXPECT_EQ(clang("-x c++ - -o out"), link_words("-g -fno-omit-frame-pointer " + kReads +
                                                 " $HEAD_LINK -x c++ - -o out "
                                                 "$HEADERS -Xclang -fsanitize=thread $TAIL_LINK"));
}

TEST(CompileAndLink, ForwardsClangsIgnorelists) {
  EXPECT_TRUE(contains(clang("-fsanitize-ignorelist=l a.c"),
                       "-Xclang -fsanitize=thread -Xclang -fsanitize-ignorelist=l"));
}

TEST(Questions, PassThroughUnchanged) {
  for (const char* line :
       {"", "--version", "-v", "-dumpversion", "-dumpmachine", "-dumpspecs", "--help",
        "--help=warnings", "-print-search-dirs", "-print-file-name=libc.so", "--print-prog-name=ld",
        "-Wl,--version", "-fsanitize=thread -v", "-cc1 -fsanitize=address a.c",
        "-fsanitize=address --version"}) {
    EXPECT_EQ(gcc(line), line);
    EXPECT_EQ(clang(line), line);
  }
}

TEST(Sanitizers, TheUsersThreadSanitizerIsReplaced) {
  EXPECT_EQ(gcc("-fsanitize=thread -c a.c"), gcc("-c a.c"));
  EXPECT_EQ(gcc("-fsanitize=thread a.o"), gcc("a.o"));
  EXPECT_EQ(clang("-fsanitize=thread -static-libtsan a.c -ltsan"), clang("a.c"));
  EXPECT_EQ(gcc("a.o -l tsan"), gcc("a.o"));
  EXPECT_EQ(clang("-fno-sanitize-thread-atomics -c a.c"), clang("-c a.c"));
}

TEST(Sanitizers, OthersInTheSameListStay) {
  EXPECT_EQ(gcc("-fsanitize=undefined,thread a.o"), gcc("-fsanitize=undefined a.o"));
  EXPECT_TRUE(contains(clang("-fsanitize=thread,undefined -c a.c"),
                       "-fsanitize=undefined -c a.c " + kHeaders + " -fsanitize=thread"));
}

TEST(Sanitizers, TheUsersLastWordCanSwitchInstrumentationOff) {
  EXPECT_EQ(gcc("-fno-sanitize=thread -c a.c"), "-c a.c " + kHeaders);
  EXPECT_EQ(gcc("-fsanitize=thread -fno-sanitize=all -flto -c a.c"),
            "-fno-sanitize=all -flto -c a.c " + kHeaders);
  EXPECT_EQ(clang("-fno-sanitize=thread a.c"), link_words("$HEAD_LINK a.c $HEADERS $TAIL_LINK"));
  EXPECT_EQ(gcc("-fno-sanitize=thread -fsanitize=thread -c a.c"), gcc("-c a.c"));
}

TEST(Sanitizers, ClashingOnesAreRefusedByName) {
  for (const char* name : {"address", "memory", "hwaddress", "leak", "realtime", "dataflow"}) {
    const std::string flag = std::string("-fsanitize=") + name;
    for (const char* line : {" -c a.c", " a.o -o a", " a.c"}) {
      const std::string text = clang(flag + line);
      EXPECT_TRUE(text.starts_with("error: " + flag + ": ")) << text;
      EXPECT_TRUE(contains(text, "separate configuration")) << text;
    }
  }
  EXPECT_TRUE(contains(gcc("-fsanitize=undefined,address -c a.c"),
                       "-fsanitize=undefined,address: raddle's runtime cannot share a process with "
                       "the address sanitizer"));
}

TEST(Sanitizers, AClashTakenBackIsNone) {
  EXPECT_FALSE(contains(gcc("-fsanitize=address -fno-sanitize=address -c a.c"), "error"));
  EXPECT_FALSE(contains(gcc("-fsanitize=address,leak -fno-sanitize=all a.o"), "error"));
}

TEST(Refusals, StaticProgramsButNotStaticCompilerLibraries) {
  for (const char* flag : {"-static", "--static", "-static-pie"}) {
    const std::string text = gcc(std::string(flag) + " a.c -o a");
    EXPECT_TRUE(text.starts_with(std::string("error: ") + flag + ": ")) << text;
  }
  EXPECT_FALSE(contains(gcc("-static-libgcc -static-libstdc++ a.o"), "error"));
  EXPECT_FALSE(contains(gcc("-static -c a.c"), "error"));
  EXPECT_FALSE(contains(gcc("-static -r a.o"), "error"));
}

TEST(Refusals, ThirtyTwoBitPrograms) {
  EXPECT_TRUE(contains(clang("-m32 -c a.c"), "error: -m32: raddle runs 64-bit programs only"));
  EXPECT_TRUE(contains(gcc("-m32 a.o"), "error: -m32"));
  EXPECT_FALSE(contains(gcc("-m32 -m64 a.o"), "error"));
  EXPECT_FALSE(contains(gcc("-m32 -E a.c"), "error"));
}

TEST(ResponseFiles, DecideButAreHandedOnWhole) {
  const std::vector<Argument> args = {{"@f", {"-c", "a.c"}}, {"-O2", {"-O2"}}, {"@none", {}}};
  EXPECT_EQ(
      text_of(rewrite_argv(Family::kClang, args, "/opt/lib")),
      "-g -fno-omit-frame-pointer " + kReads + " @f -O2 @none " + kHeaders + " -fsanitize=thread");
}

TEST(ResponseFiles, AreTakenApartWhenAWordInThemChanges) {
  const std::vector<Argument> args = {{"@f", {"a.o", "-fsanitize=thread", "b.o"}}, {"-s", {"-s"}}};
  EXPECT_EQ(text_of(rewrite_argv(Family::kGcc, args, "/opt/lib")),
            link_words("$HEAD_LINK a.o b.o -s $TAIL_LINK"));
}

TEST(ResponseFiles, MayHoldTheValueOfTheOptionBeforeThem) {
  const std::vector<Argument> args = {{"-o", {"-o"}}, {"@f", {"out.c", "a.o"}}};
  EXPECT_EQ(text_of(rewrite_argv(Family::kGcc, args, "/opt/lib")),
            link_words("$HEAD_LINK -o @f $TAIL_LINK"));
}

TEST(ResponseFiles, WithADoubleDashAreTakenApartToInsertBeforeIt) {
  const std::vector<Argument> args = {{"@f", {"-c", "--", "a.c"}}};
  EXPECT_EQ(
      text_of(rewrite_argv(Family::kClang, args, "/opt/lib")),
      "-g -fno-omit-frame-pointer " + kReads + " -c " + kHeaders + " -fsanitize=thread -- a.c");
}

}  // namespace
}  // namespace raddle::cc

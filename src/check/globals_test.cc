// SPDX-License-Identifier: Apache-2.0
//
// Changed globals of this very test program, and of libraries that are compiled on the spot, with
// both compilers.
#include "check/globals.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>

// Keeps the line of the declaration above.
#define LINE_OF(name) constexpr int line_of_##name = __LINE__ - 1
int g_check_plain = 1;
LINE_OF(g_check_plain);
const int g_check_const = 5;
const int* g_check_const_use = &g_check_const;
thread_local int g_check_tls = 1;

namespace counted {
struct Padded {
  char initial;
  int number;
  char last[3];
};
struct Flags {
  unsigned low : 3;
  unsigned high : 3;
};
Padded records[3];
LINE_OF(records);
Flags flags;
LINE_OF(flags);
namespace {
std::atomic<long> hidden{0};
LINE_OF(hidden);
}  // namespace
struct Holder {
  static int member;
  static inline std::string text = "short";
  static LINE_OF(text);
};
int Holder::member = 2;
LINE_OF(member);
inline int function() {
  static int calls = 0;
  return ++calls;
}
template <class T>
int instance() {
  static int calls = 10;
  return ++calls;
}
}  // namespace counted

namespace testing {
int g_check_framework = 0;
}
namespace raddle {
int g_check_own = 0;
}

namespace raddle::check {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The objects of this process as the runtime lists them, the executable first.
std::vector<wire::Module> loaded_modules() {
  std::vector<wire::Module> modules;
  auto add = [](dl_phdr_info* info, std::size_t, void* data) {
    auto& list = *static_cast<std::vector<wire::Module>*>(data);
    wire::Module module = {};
    module.base = UINT64_MAX;
    for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
      const ElfW(Phdr)& header = info->dlpi_phdr[i];
      if (header.p_type != PT_LOAD) continue;
      std::uint64_t begin = (info->dlpi_addr + header.p_vaddr) & ~std::uint64_t{0xfff};
      module.base = std::min(module.base, begin);
    }
    std::string path = info->dlpi_name;
    if (list.empty()) path = fs::read_symlink("/proc/self/exe").string();
    strncpy(module.path, path.c_str(), sizeof module.path - 1);
    list.push_back(module);
    return 0;
  };
  dl_iterate_phdr(add, &modules);
  return modules;
}

std::vector<std::string> texts(const std::vector<ChangedGlobal>& changed) {
  std::vector<std::string> result;
  for (const ChangedGlobal& global : changed) result.push_back(global.text());
  return result;
}

std::string differs(const std::string& name, int line) {
  return "global `" + name + "` (globals_test.cc:" + std::to_string(line) +
         ") differs between runs";
}

class GlobalsTest : public ::testing::Test {
 protected:
  GlobalsSnapshot take(const std::vector<std::string>& ignored = {}) {
    auto snapshot = GlobalsSnapshot::take(loaded_modules(), ignored);
    EXPECT_TRUE(snapshot) << snapshot.error().message;
    return std::move(*snapshot);
  }
};

TEST_F(GlobalsTest, NothingDiffersWhenNothingWasDone) {
  GlobalsSnapshot snapshot = take();
  EXPECT_THAT(texts(snapshot.differences()), IsEmpty());
}

TEST_F(GlobalsTest, AChangedGlobalIsNamedWithItsPlace) {
  GlobalsSnapshot snapshot = take();
  ++g_check_plain;
  auto changed = snapshot.differences();
  EXPECT_THAT(texts(changed), ElementsAre(differs("g_check_plain", line_of_g_check_plain)));
  ASSERT_FALSE(changed.empty());
  EXPECT_TRUE(changed[0].file.ends_with("check/globals_test.cc")) << changed[0].file;
  EXPECT_EQ(changed[0].part, "g_check_plain");
  --g_check_plain;
  EXPECT_THAT(texts(snapshot.differences()), IsEmpty()) << "it is again what it was";
}

TEST_F(GlobalsTest, RefreshBeginsAnew) {
  GlobalsSnapshot snapshot = take();
  ++g_check_plain;
  snapshot.refresh();
  EXPECT_THAT(texts(snapshot.differences()), IsEmpty());
  ++g_check_plain;
  EXPECT_THAT(snapshot.differences(), ::testing::SizeIs(1));
}

TEST_F(GlobalsTest, NamespacesMembersAndStaticLocals) {
  using namespace counted;
  function();
  instance<int>();
  GlobalsSnapshot snapshot = take();
  hidden = 7;
  Holder::member = 9;
  Holder::text = "other";
  function();
  instance<int>();
  instance<char>();
  auto names = texts(snapshot.differences());
  EXPECT_THAT(names, ::testing::Contains(differs("counted::hidden", line_of_hidden)));
  EXPECT_THAT(names, ::testing::Contains(differs("counted::Holder::member", line_of_member)));
  EXPECT_THAT(names, ::testing::Contains(differs("counted::Holder::text", Holder::line_of_text)));
  EXPECT_THAT(names, ::testing::Contains(HasSubstr("`counted::function()::calls` (globals_test")));
  EXPECT_THAT(names, ::testing::Contains(HasSubstr("`counted::instance<int>()::calls` (globals")));
  EXPECT_THAT(names, ::testing::Contains(HasSubstr("`counted::instance<char>()::calls` (global")));
  EXPECT_EQ(names.size(), 6u) << ::testing::PrintToString(names);
}

TEST_F(GlobalsTest, ThePartThatDiffersIsKnown) {
  GlobalsSnapshot snapshot = take();
  counted::records[1].number ^= 256;
  auto changed = snapshot.differences();
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0].name, "counted::records");
  EXPECT_EQ(changed[0].part, "counted::records[1].number+1");
  EXPECT_EQ(changed[0].line, counted::line_of_records);
}

TEST_F(GlobalsTest, PaddingIsNotLookedAt) {
  GlobalsSnapshot snapshot = take();
  auto* bytes = reinterpret_cast<unsigned char*>(&counted::records[2]);
  for (std::size_t at : {1, 2, 3, 11}) bytes[at] ^= 0xff;
  EXPECT_THAT(texts(snapshot.differences()), IsEmpty());
  bytes[10] ^= 0xff;
  EXPECT_THAT(texts(snapshot.differences()),
              ElementsAre(differs("counted::records", counted::line_of_records)));
  for (std::size_t at : {1, 2, 3, 10, 11}) bytes[at] ^= 0xff;
}

TEST_F(GlobalsTest, BitFieldsCount) {
  GlobalsSnapshot snapshot = take();
  counted::flags.high ^= 1;
  EXPECT_THAT(texts(snapshot.differences()),
              ElementsAre(differs("counted::flags", counted::line_of_flags)));
  counted::flags.high ^= 1;
}

TEST_F(GlobalsTest, ThreadLocalsAndFrameworksDoNotCount) {
  GlobalsSnapshot snapshot = take();
  ++g_check_tls;
  ++::testing::g_check_framework;
  ++raddle::g_check_own;
  EXPECT_EQ(*g_check_const_use, 5);
  EXPECT_THAT(texts(snapshot.differences()), IsEmpty());
}

TEST_F(GlobalsTest, TheUserExcludesByTheWholeNameOrItsEnd) {
  using namespace counted;
  GlobalsSnapshot snapshot = take({"g_check_plain", "counted::Holder::member", "hidden", "ords"});
  ++g_check_plain;
  ++Holder::member;
  hidden = hidden + 1;
  ++records[0].number;
  EXPECT_THAT(texts(snapshot.differences()),
              ElementsAre(differs("counted::records", line_of_records)))
      << "`ords` is the end of its name, but not of a part of it";
}

TEST_F(GlobalsTest, TheEnvironmentExcludesToo) {
  setenv(kIgnoreVariable, " other,, counted::records ,g_check_plain", 1);
  auto snapshot = GlobalsSnapshot::take(loaded_modules());
  unsetenv(kIgnoreVariable);
  ASSERT_TRUE(snapshot);
  ++g_check_plain;
  ++counted::records[0].number;
  EXPECT_THAT(texts(snapshot->differences()), IsEmpty());
  EXPECT_THAT(ignored_globals(" other,, counted::records ,"),
              ElementsAre("other", "counted::records"));
  EXPECT_THAT(ignored_globals(""), IsEmpty());
}

TEST_F(GlobalsTest, AFileThatIsGoneIsAnError) {
  std::vector<wire::Module> modules = loaded_modules();
  strcpy(modules[0].path, "/nowhere/test");
  auto snapshot = GlobalsSnapshot::take(modules, {});
  ASSERT_FALSE(snapshot);
  EXPECT_THAT(snapshot.error().message, HasSubstr("cannot read /nowhere/test"));
}

// -- libraries
// -------------------------------------------------------------------------------------

constexpr const char* kLibrary = R"(int exported = 3;
static int local;
const char* const fixed[] = {"a", "b"};
int change(void) {
  static int calls;
  return ++calls + ++local + ++exported + fixed[0][0];
}
)";

class GlobalsOfLibraries : public GlobalsTest {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "raddle-globals-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    std::ofstream(folder_ / "library.c") << kLibrary;
  }
  void TearDown() override {
    if (library_ != nullptr) dlclose(library_);
    fs::remove_all(folder_);
  }
  // Changes its variables when called.
  int (*load(const std::string& compiler, const std::string& name))() {
    std::string file = (folder_ / name).string();
    std::string command = "cd " + folder_.string() + " && " + compiler +
                          " -shared -fPIC library.c -o " + name + " 2>&1";
    EXPECT_EQ(system(command.c_str()), 0) << command;
    library_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(library_, nullptr) << dlerror();
    return library_ == nullptr ? nullptr : reinterpret_cast<int (*)()>(dlsym(library_, "change"));
  }

  fs::path folder_;
  void* library_ = nullptr;
};

TEST_F(GlobalsOfLibraries, CountIfTheyAreTheProgramsOwn) {
  for (const char* compiler : {"gcc -g -O0", "clang -g -O0", "gcc -g -O2 -gdwarf-4"}) {
    auto* change = load(compiler, "library.so");
    ASSERT_NE(change, nullptr);
    GlobalsSnapshot snapshot = take();
    EXPECT_THAT(texts(snapshot.differences()), IsEmpty());
    change();
    EXPECT_THAT(texts(snapshot.differences()),
                ::testing::UnorderedElementsAre(
                    "global `exported` (library.c:1) differs between runs",
                    "global `local` (library.c:2) differs between runs",
                    "static `calls` of change (library.c:5) differs between runs"))
        << compiler;
    EXPECT_THAT(snapshot.unknown_modules(), IsEmpty());
    dlclose(library_);
    library_ = nullptr;
  }
}

TEST_F(GlobalsOfLibraries, WithoutDebugInformationAreUnknown) {
  auto* change = load("gcc", "library.so");
  ASSERT_NE(change, nullptr);
  GlobalsSnapshot snapshot = take();
  change();
  EXPECT_THAT(texts(snapshot.differences()), IsEmpty());
  EXPECT_THAT(snapshot.unknown_modules(), ElementsAre(HasSubstr("library.so")));
}

TEST_F(GlobalsOfLibraries, OfRaddleDoNotCount) {
  auto* change = load("gcc -g", "libraddle_any.so");
  ASSERT_NE(change, nullptr);
  GlobalsSnapshot snapshot = take();
  change();
  EXPECT_THAT(texts(snapshot.differences()), IsEmpty());
  EXPECT_THAT(snapshot.unknown_modules(), IsEmpty());
}

// As those of a library that its executable uses: that has a copy, which everybody uses.
TEST_F(GlobalsOfLibraries, MayLieInTheExecutable) {
  auto* change = load("gcc -g", "library.so");
  ASSERT_NE(change, nullptr);
  // The library plays the executable's part: it offers a variable that another object has too.
  std::vector<wire::Module> modules = loaded_modules();
  auto is_first = [&](const wire::Module& m) { return strstr(m.path, "library.so") != nullptr; };
  auto first = std::find_if(modules.begin(), modules.end(), is_first);
  ASSERT_NE(first, modules.end());
  std::vector<wire::Module> pair = {*first};
  void* copied = library_;
  ASSERT_NE(load("gcc -g -O1", "second.so"), nullptr);
  for (const wire::Module& module : loaded_modules())
    if (strstr(module.path, "second.so") != nullptr) pair.push_back(module);
  ASSERT_EQ(pair.size(), 2u);
  auto snapshot = GlobalsSnapshot::take(pair, {});
  ASSERT_TRUE(snapshot);
  ++*static_cast<int*>(dlsym(library_, "exported"));
  EXPECT_THAT(texts(snapshot->differences()), IsEmpty()) << "nobody uses that one";
  ++*static_cast<int*>(dlsym(copied, "exported"));
  EXPECT_THAT(texts(snapshot->differences()),
              ElementsAre("global `exported` (library.c:1) differs between runs"));
  dlclose(copied);
}

TEST_F(GlobalsOfLibraries, ThatAreGoneAreLeftOut) {
  ASSERT_NE(load("gcc -g", "library.so"), nullptr);
  std::vector<wire::Module> modules = loaded_modules();
  dlclose(library_);
  library_ = nullptr;
  fs::remove(folder_ / "library.so");
  auto snapshot = GlobalsSnapshot::take(modules, {});
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  EXPECT_THAT(texts(snapshot->differences()), IsEmpty());
}

}  // namespace
}  // namespace raddle::check

// SPDX-License-Identifier: Apache-2.0
//
// What `raddle show` prints for hand-made runs, compared with approved texts in tests/golden. Set
// RADDLE_BLESS=1 to approve what is printed now, and read the diff.
#include "report/text_show.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "report/fake_names.h"
#include "report/file_io.h"
#include "report/text_columns.h"

namespace raddle::report {
namespace {

namespace fs = std::filesystem;
using facts::Finding;
using facts::FindingKind;
using facts::ThreadSnapshot;
using wire::Event;
using wire::OpKind;

constexpr const char* kSource = R"(#include <atomic>
std::atomic<int> checking = 100, savings = 0;
std::mutex a, b;
void transfer(int amount) {
  if (checking >= amount) {
    checking -= amount;
    savings += amount;
  }
}
void one() { std::scoped_lock first(a); std::scoped_lock second(b); }
void two() { std::scoped_lock first(b); std::scoped_lock second(a); }
int main() {
  std::thread rent(transfer, 80);
  std::thread holiday(transfer, 60);
  rent.join();
  holiday.join();
  assert(checking >= 0);
}
)";

constexpr std::uint32_t kChecking = 0x10, kSavings = 0x20, kLockA = 0x40, kLockB = 0x80;

class TextShowTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "raddle-show-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    std::ofstream(folder_ / "bank.cpp") << kSource;
    for (int line = 1; line <= 20; ++line)
      names_.site(static_cast<SiteId>(line), folder_ / "bank.cpp", line,
                  line < 10 ? "transfer" : "main");
    names_.site(100, "/usr/include/c++/12/bits/std_mutex.h", 100, "std::mutex::lock");
    names_.variable(kChecking, "checking").variable(kSavings, "savings");
    names_.variable(kLockA, "a").variable(kLockB, "b");
    options_.directory = folder_;
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Appends a step; switches and choices are worked out from the threads.
  Event& step(ThreadId thread, OpKind kind, SiteId site, std::uint32_t where = 0,
              std::uint64_t value = 0) {
    Event event{};
    event.thread = thread;
    event.kind = kind;
    event.site = site;
    event.value = value;
    event.step = static_cast<StepIndex>(events_.size());
    event.flags = wire::kEventStep | wire::kEventChoice;
    if (!events_.empty() && events_.back().thread != thread) event.flags |= wire::kEventSwitched;
    if (where != 0) event.where = FakeNames::global(where);
    if (wire::is_memory_access(kind)) event.size = 4;
    events_.push_back(event);
    return events_.back();
  }

  ThreadSnapshot snapshot(ThreadId id, const std::string& state, std::vector<SiteId> sites) {
    ThreadSnapshot thread;
    thread.id = id;
    thread.name = "bank";
    thread.state = state;
    for (SiteId site : sites)
      for (facts::Frame& frame : names_.frames(site)) {
        if (frame.file.starts_with(folder_.string())) frame.file = "bank.cpp";
        thread.stack.push_back(frame);
      }
    return thread;
  }

  std::string shown() { return text_show(finding_, {events_, {}, {}}, names_, options_); }

  void expect_golden(const std::string& name, const std::string& text) {
    fs::path path = fs::path(__FILE__).parent_path() / "../../tests/golden" / name;
    if (getenv("RADDLE_BLESS") != nullptr) {
      fs::create_directories(path.parent_path());
      std::ofstream(path) << text;
    }
    Result<std::string> approved = read_file(path);
    ASSERT_TRUE(approved) << approved.error().message;
    EXPECT_EQ(text, *approved);
    if (!options_.colour) expect_tidy(text);
  }

  // The table keeps to the width, and no line ends in blanks.
  void expect_tidy(const std::string& text) {
    bool table = true;
    for (std::size_t begin = 0; begin < text.size();) {
      std::size_t end = text.find('\n', begin);
      std::string line = text.substr(begin, end - begin);
      table = table && !line.empty();
      std::size_t width_max = table ? static_cast<std::size_t>(options_.width) : ~std::size_t{0};
      EXPECT_LE(display_width(line), width_max) << line;
      EXPECT_FALSE(line.ends_with(' ')) << "'" << line << "'";
      begin = end + 1;
    }
  }

  // Both transfers look before either takes.
  void bank_run() {
    step(0, OpKind::thread_create, 13, 0, 1);
    step(0, OpKind::thread_create, 14, 0, 2);
    step(1, OpKind::thread_start, 0, 0, 1);
    step(1, OpKind::atomic_load, 5, kChecking, 100);
    step(2, OpKind::thread_start, 0, 0, 2);
    step(2, OpKind::atomic_load, 5, kChecking, 100);
    step(2, OpKind::atomic_rmw, 6, kChecking, 100);
    step(2, OpKind::atomic_rmw, 7, kSavings, 0);
    step(2, OpKind::thread_exit, 0);
    step(1, OpKind::atomic_rmw, 6, kChecking, 40);
    step(1, OpKind::atomic_rmw, 7, kSavings, 60);
    step(1, OpKind::thread_exit, 0);
    step(0, OpKind::thread_join, 15, 0, 1);
    step(0, OpKind::thread_join, 16, 0, 2);
    step(0, OpKind::atomic_load, 17, kChecking, 0xffffffd8);
    finding_.kind = FindingKind::assertion;
    finding_.message = "Assertion `checking >= 0' failed.";
    finding_.schedule_index = 37;
    finding_.preemptions = 1;
    finding_.steps = 15;
    finding_.threads = {snapshot(0, "running, ended the run here", {17})};
    finding_.site = finding_.threads[0].stack[0];
  }

  void deadlock_run() {
    step(0, OpKind::thread_create, 13, 0, 1);
    step(0, OpKind::thread_create, 14, 0, 2);
    step(1, OpKind::mutex_lock, 100, kLockA, wire::pack_caller(10));
    step(2, OpKind::mutex_lock, 100, kLockB, wire::pack_caller(11));
    finding_.kind = FindingKind::deadlock;
    finding_.message =
        "T1 waits for `b` (bank.cpp:10), held by T2 since bank.cpp:11; "
        "T2 waits for `a` (bank.cpp:11), held by T1 since bank.cpp:10";
    finding_.thread = 1;
    finding_.steps = 4;
    finding_.preemptions = 1;
    ThreadSnapshot one = snapshot(1, "blocked in lock of `b`, held by T2", {100, 10, 100});
    ThreadSnapshot two = snapshot(2, "blocked in lock of `a`, held by T1", {100, 11});
    one.in_cycle = two.in_cycle = true;
    two.name = "holiday";
    one.held = {{"a", names_.frames(10)[0]}};
    two.held = {{"b", names_.frames(11)[0]}};
    finding_.threads = {snapshot(0, "waits for T1 to end", {15}), one, two};
    finding_.site = one.stack[1];
  }

  fs::path folder_;
  FakeNames names_;
  std::vector<Event> events_;
  Finding finding_;
  ShowOptions options_;
};

TEST_F(TextShowTest, AnAtomicityBugReadsDownTheColumns) {
  bank_run();
  expect_golden("show_bank.txt", shown());
}

TEST_F(TextShowTest, ColoursAreUsedOnlyWhenAskedFor) {
  bank_run();
  EXPECT_EQ(shown().find('\x1b'), std::string::npos);
  options_.colour = true;
  EXPECT_NE(shown().find('\x1b'), std::string::npos);
  expect_golden("show_bank_colour.txt", shown());
}

TEST_F(TextShowTest, ADeadlockShowsWhoWaitsForWhatAndTheCallersOfLibraryFunctions) {
  deadlock_run();
  expect_golden("show_deadlock.txt", shown());
}

TEST_F(TextShowTest, ANarrowTerminalGetsOneColumn) {
  deadlock_run();
  options_.width = 60;
  expect_golden("show_deadlock_narrow.txt", shown());
}

TEST_F(TextShowTest, ManyThreadsShareOneColumn) {
  for (ThreadId id = 1; id <= 6; ++id) step(0, OpKind::thread_create, 13, 0, id);
  for (ThreadId id = 1; id <= 6; ++id) step(id, OpKind::atomic_rmw, 6, kChecking, 100 - id);
  for (ThreadId id = 1; id <= 6; ++id) step(id, OpKind::thread_exit, 0);
  for (ThreadId id = 1; id <= 6; ++id) step(0, OpKind::thread_join, 15, 0, id);
  finding_.kind = FindingKind::exit_code;
  finding_.message = "exit code 3, expected 0";
  finding_.steps = 24;
  expect_golden("show_many_threads.txt", shown());
}

TEST_F(TextShowTest, PrivateStepsAreCountedAndLoopsAreFolded) {
  step(0, OpKind::thread_create, 13, 0, 1);
  for (std::uint32_t i = 0; i < 12; ++i) step(0, OpKind::mutex_lock, 14, 0x1000 + 64 * i);
  for (int i = 0; i < 500; ++i) {
    step(1, OpKind::atomic_load, 5, kChecking, 0);
    step(1, OpKind::yield, 5);
  }
  step(0, OpKind::atomic_store, 17, kChecking, 0);
  step(1, OpKind::atomic_load, 5, kChecking, 1);
  Event& earlier = step(0, OpKind::plain_write, 6, kSavings);
  earlier.flags = wire::kEventRemembered;
  step(1, OpKind::plain_read, 7, kSavings, 5);
  step(1, OpKind::atomic_cas, 7, kChecking, 3).flags |= wire::kEventFailed;
  finding_.kind = FindingKind::crash;
  finding_.message = "SIGSEGV at address 0x0 (null pointer) in transfer (bank.cpp:7)";
  finding_.thread = 1;
  finding_.steps = 1017;
  finding_.threads = {snapshot(0, "could run, next: read of `x`", {17}),
                      snapshot(1, "running, ended the run here", {7})};
  finding_.site = finding_.threads[1].stack[0];
  expect_golden("show_loop.txt", shown());
}

TEST_F(TextShowTest, LongStoriesLoseTheirMiddle) {
  for (int i = 0; i < 3000; ++i)
    step(static_cast<ThreadId>(i % 2), OpKind::atomic_rmw, 6, kChecking, i);
  finding_.kind = FindingKind::hang;
  finding_.message = "the run did not end in time";
  options_.steps_max = 20;
  std::string text = shown();
  EXPECT_NE(text.find("… 2980 steps"), std::string::npos) << text;
  EXPECT_NE(text.find("(was 2999)"), std::string::npos);
  EXPECT_NE(text.find("(was 0)"), std::string::npos);
  EXPECT_EQ(text.find("(was 1000)"), std::string::npos);
}

TEST_F(TextShowTest, WithoutEventsTheVerdictRemains) {
  finding_.kind = FindingKind::exit_code;
  finding_.message = "exit code 3, expected 0";
  EXPECT_EQ(shown(), "exit-code: exit code 3, expected 0\n  after 0 steps with 0 preemptions\n\n");
}

TEST_F(TextShowTest, UnknownPlacesAndUnreadableSourcesAreLeftOut) {
  bank_run();
  fs::remove(folder_ / "bank.cpp");
  for (Event& event : events_)
    if (event.kind == OpKind::atomic_rmw) event.site = 9999;
  std::string text = shown();
  EXPECT_EQ(text.find("std::thread rent"), std::string::npos);
  EXPECT_NE(text.find("atomic-rmw checking (was 100)"), std::string::npos);
}

TEST(TextColumns, WidthsCountCharactersNotBytes) {
  EXPECT_EQ(display_width("a…ü"), 3u);
  EXPECT_EQ(clipped("größer", 6), "größer");
  EXPECT_EQ(clipped("größer", 5), "größ…");
  EXPECT_EQ(clipped("ab cd", 4), "ab…");
  EXPECT_EQ(clipped("abc", 0), "");
  EXPECT_EQ(padded("ü", 3), "ü  ");
}

TEST(ShowWidth, ComesFromTheEnvironmentIfSensible) {
  const char* old = getenv("COLUMNS");
  std::string saved = old == nullptr ? "" : old;
  for (auto [text, width] : {std::pair("80", 80), std::pair("7", 100), std::pair("x", 100)}) {
    setenv("COLUMNS", text, 1);
    EXPECT_EQ(show_width(), width) << text;
  }
  if (old == nullptr)
    unsetenv("COLUMNS");
  else
    setenv("COLUMNS", saved.c_str(), 1);
}

}  // namespace
}  // namespace raddle::report

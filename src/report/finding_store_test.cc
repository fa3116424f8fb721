// SPDX-License-Identifier: Apache-2.0
//
// Findings on disk: whole or not at all, found again by number, folder or schedule, and errors that
// name the damaged file.
#include "report/finding_store.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "report/file_io.h"

namespace raddle::report {
namespace {

namespace fs = std::filesystem;

class FindingStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "raddle-store-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    directory_ = root_ + "/out";
  }
  void TearDown() override { fs::remove_all(root_); }

  static StoredFinding sample() {
    StoredFinding stored;
    stored.finding.kind = facts::FindingKind::deadlock;
    stored.finding.message = "deadlock";
    stored.schedule.program = {"./bank"};
    stored.schedule.choices = {{3, 1, wire::OpKind::mutex_lock, 2}};
    stored.schedule.sites = {{"bank", 0x10}};
    stored.recording.events.resize(1000);
    for (wire::Event& event : stored.recording.events) event = {};
    stored.recording.modules = facts::ModuleTable({{"/bin/bank", 1, 2, 3}});
    stored.stacks = "T0 main\n";
    stored.output = std::string("out\0put", 7);
    stored.error_output = "err";
    stored.site_comments = [](const facts::SitePlace&) { return "bank.cpp:3"; };
    return stored;
  }
  int saved() {
    Result<facts::Finding> result = FindingStore(directory_).save(sample());
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? result->id : 0;
  }
  std::string load_error(const std::string& reference) {
    Result<StoredFinding> result = FindingStore(directory_).load(reference);
    if (result) return "no error";
    EXPECT_EQ(result.error().exit_code, kExitUsage);
    return result.error().message;
  }
  // Names of everything in DIR/findings, hidden ones included.
  std::vector<std::string> entries() {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(directory_ + "/findings", error))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  std::string root_, directory_;
};

TEST_F(FindingStoreTest, WhatIsSavedIsLoadedByNumberFolderAndSchedule) {
  EXPECT_EQ(saved(), 1);
  std::string folder = directory_ + "/findings/1";
  for (const std::string& reference :
       {std::string("1"), folder, folder + "/", folder + "/schedule.raddle"}) {
    Result<StoredFinding> loaded = FindingStore(directory_).load(reference);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->finding.id, 1);
    EXPECT_EQ(loaded->finding.message, "deadlock");
    EXPECT_EQ(loaded->schedule, sample().schedule);
    EXPECT_EQ(loaded->recording.events.size(), 1000u);
    EXPECT_EQ(loaded->recording.modules.modules(), sample().recording.modules.modules());
    EXPECT_EQ(loaded->output, sample().output);
    EXPECT_EQ(loaded->error_output, "err");
    EXPECT_EQ(loaded->stacks, "T0 main\n");
  }
  Result<std::string> text = read_file(folder + "/schedule.raddle");
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("site bank+0x10  # bank.cpp:3"), std::string::npos);
}

TEST_F(FindingStoreTest, NumbersGoOnAfterTheLargest) {
  EXPECT_EQ(saved(), 1);
  EXPECT_EQ(saved(), 2);
  fs::create_directories(directory_ + "/findings/10");
  fs::create_directories(directory_ + "/findings/notes");
  EXPECT_EQ(saved(), 11);
  fs::remove_all(directory_ + "/findings/1");
  EXPECT_EQ(FindingStore(directory_).list(), (std::vector<int>{2, 10, 11}));
}

TEST_F(FindingStoreTest, CampaignsInOneFolderDoNotTakeEachOthersNumbers) {
  constexpr int kProcesses = 4, kEach = 5;
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    pid_t child = fork();
    if (child == 0) {
      bool good = true;
      for (int n = 0; n < kEach; ++n) good = FindingStore(directory_).save(sample()) && good;
      _exit(good ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  std::vector<int> numbers = FindingStore(directory_).list();
  ASSERT_EQ(numbers.size(), static_cast<std::size_t>(kProcesses * kEach));
  for (int number : numbers) {
    Result<StoredFinding> loaded = FindingStore(directory_).load(std::to_string(number));
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->finding.id, number);
  }
}

// Goal: a disk that fills up at any file leaves an error and nothing else. A limit on file sizes
// stands in for the full disk: the write in question fails the same way.
TEST_F(FindingStoreTest, AFullDiskLeavesNothingHalfWritten) {
  EXPECT_EQ(saved(), 1);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    Result<facts::Finding> result = FindingStore(directory_).save(sample());
    bool named = !result && result.error().message.find("events.bin") != std::string::npos;
    _exit(named ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(entries(), std::vector<std::string>{"1"});
}

TEST_F(FindingStoreTest, WhatAKilledProcessLeftIsIgnoredAndSwept) {
  EXPECT_EQ(saved(), 1);
  pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  fs::create_directories(directory_ + "/findings/.new-" + std::to_string(child) + "/x");
  EXPECT_EQ(FindingStore(directory_).list(), std::vector<int>{1});
  EXPECT_EQ(saved(), 2);
  EXPECT_EQ(entries(), (std::vector<std::string>{"1", "2"}));
}

TEST_F(FindingStoreTest, AnUnwritableFolderIsAnError) {
  std::ofstream(root_ + "/file") << "x";
  Result<facts::Finding> result = FindingStore(root_ + "/file").save(sample());
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find(root_ + "/file"), std::string::npos);
}

TEST_F(FindingStoreTest, UnknownReferencesSayWhatThereIs) {
  EXPECT_EQ(load_error("1"), "no finding 1 in " + directory_ + "/findings: there are none yet");
  saved();
  saved();
  EXPECT_EQ(load_error("7"), "no finding 7 in " + directory_ + "/findings: there are 1, 2");
  EXPECT_EQ(load_error("nothing"),
            "nothing: neither a finding's number, nor its folder, nor a schedule file");
}

TEST_F(FindingStoreTest, AScheduleAloneCanBeReplayedButNotShown) {
  std::string path = root_ + "/mine.raddle";
  std::ofstream(path) << print_schedule(sample().schedule);
  Result<facts::Schedule> schedule = FindingStore(directory_).load_schedule(path);
  ASSERT_TRUE(schedule);
  EXPECT_EQ(*schedule, sample().schedule);
  EXPECT_EQ(load_error(path), path +
                                  ": no finding.json beside it: a schedule alone can be "
                                  "replayed, not shown");
}

TEST_F(FindingStoreTest, MissingAndDamagedFilesAreNamed) {
  for (const char* name : {kScheduleFile, kFindingFile, kEventsFile, kStdoutFile, kStacksFile}) {
    std::string number = std::to_string(saved());
    std::string path = directory_ + "/findings/" + number + "/" + name;
    fs::remove(path);
    EXPECT_NE(load_error(number).find(name), std::string::npos) << name;
  }
  for (const char* name : {kScheduleFile, kFindingFile, kEventsFile}) {
    std::string number = std::to_string(saved());
    std::string path = directory_ + "/findings/" + number + "/" + name;
    fs::resize_file(path, fs::file_size(path) / 2);
    EXPECT_NE(load_error(number).find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace raddle::report

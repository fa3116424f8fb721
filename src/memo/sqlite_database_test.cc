// SPDX-License-Identifier: Apache-2.0
//
// Files that are no memo, are damaged, older, newer, read-only or locked: each gives its error, and
// stays as it is.
#include "memo/sqlite_database.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testing/memo_files.h"

namespace raddle::memo {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr uid_t kNobody = 65534;

bool write_byte(int fd) { return ::write(fd, "", 1) == 1; }

class DatabaseTest : public MemoFiles {
 protected:
  // With some pages, all of them in the file.
  void make(const std::string& name, const MemoOptions& options = {}) {
    std::vector<Record> some;
    for (int i = 0; i < 300; ++i)
      some.push_back(ProgramRecord{"/src/program" + std::to_string(i), std::string(40, 'b')});
    add(*opened(name, options), some);
    EXPECT_FALSE(std::filesystem::exists(path(name) + "-wal"));
  }

  std::string refusal(const std::string& name, const MemoOptions& options = {}) {
    auto memo = open_memo(path(name), options);
    if (memo) return "accepted";
    EXPECT_EQ(memo.error().exit_code, kExitUsage);
    EXPECT_THAT(memo.error().message, HasSubstr(path(name)));
    return memo.error().message;
  }
};

TEST_F(DatabaseTest, WhatIsNoDatabaseIsRefused) {
  write("a.db", std::string(5000, 'x'));
  EXPECT_THAT(refusal("a.db"), AllOf(HasSubstr("not a memory of raddle's"), HasSubstr("left")));
  EXPECT_EQ(contents("a.db"), std::string(5000, 'x'));
  write("short.db", "hello\n");
  EXPECT_THAT(refusal("short.db"), HasSubstr("not a memory"));
  EXPECT_EQ(contents("short.db"), "hello\n");
}

TEST_F(DatabaseTest, AnEmptyFileIsANewOne) {
  write("a.db", "");
  EXPECT_EQ(refusal("a.db"), "accepted");
}

TEST_F(DatabaseTest, AnotherProgramsDatabaseIsRefused) {
  const char* foreign[] = {"CREATE TABLE mail (text TEXT)"};
  MemoOptions options;
  options.schema = foreign;
  {
    Database database(path("a.db"), options);
    ASSERT_TRUE(database.open());
    ASSERT_TRUE(database.script("PRAGMA application_id = 77"));
  }
  std::string before = contents("a.db");
  EXPECT_THAT(refusal("a.db"), HasSubstr("another program's database"));
  EXPECT_EQ(contents("a.db"), before);
}

TEST_F(DatabaseTest, TruncatedFilesAreRefusedWhereverTheyWereCut) {
  make("whole.db");
  std::string whole = contents("whole.db");
  ASSERT_GT(whole.size(), 8u * 4096);
  for (std::size_t size : {std::size_t{50}, std::size_t{700}, std::size_t{4096}, std::size_t{9000},
                           whole.size() / 2, whole.size() - 1}) {
    std::string cut = whole.substr(0, size);
    write("cut.db", cut);
    EXPECT_THAT(refusal("cut.db"),
                ::testing::AnyOf(HasSubstr("damaged"), HasSubstr("not a memory")))
        << size;
    EXPECT_EQ(contents("cut.db"), cut) << size;
  }
}

TEST_F(DatabaseTest, OverwrittenPagesAreRefused) {
  make("a.db");
  std::string bytes = contents("a.db");
  for (std::size_t at = 3 * 4096; at < 6 * 4096; ++at) bytes[at] = 'x';
  write("a.db", bytes);
  EXPECT_THAT(refusal("a.db"), HasSubstr("damaged"));
  EXPECT_EQ(contents("a.db"), bytes);
}

TEST_F(DatabaseTest, ANewerVersionIsRefusedAndOlderOnesAreBroughtUp) {
  std::vector<const char*> newer(std::begin(kSchema), std::end(kSchema));
  const std::size_t current = newer.size();
  newer.push_back("ALTER TABLE programs ADD COLUMN note TEXT");
  MemoOptions options;
  options.schema = newer;
  make("new.db", options);
  std::string before = contents("new.db");
  EXPECT_THAT(refusal("new.db"),
              AllOf(HasSubstr("newer raddle"), HasSubstr("version " + std::to_string(current + 1)),
                    HasSubstr("up to " + std::to_string(current))));
  EXPECT_EQ(contents("new.db"), before);

  make("old.db");
  {
    Database database(path("old.db"), options);
    ASSERT_TRUE(database.open()) << database.error().message;
    EXPECT_EQ(database.number("PRAGMA user_version"), current + 1);
    EXPECT_EQ(database.number("SELECT count(*) FROM programs WHERE note IS NULL"), 300);
  }
  EXPECT_THAT(refusal("old.db"), HasSubstr("newer raddle"));
}

TEST_F(DatabaseTest, AMigrationThatFailsLeavesTheOldVersion) {
  make("a.db");
  std::vector<const char*> steps(std::begin(kSchema), std::end(kSchema));
  std::string versions = fmt::format("from version {} to {}", steps.size(), steps.size() + 1);
  steps.push_back("ALTER TABLE programs ADD COLUMN note TEXT; DROP TABLE none");
  MemoOptions options;
  options.schema = steps;
  EXPECT_THAT(refusal("a.db", options), HasSubstr("cannot be brought " + versions));
  EXPECT_EQ(records(*opened("a.db")).size(), 300u);
}

TEST_F(DatabaseTest, WhatIsNotThereIsNotMadeUnlessAsked) {
  MemoOptions options;
  options.create = false;
  EXPECT_THAT(refusal("a.db", options), HasSubstr("there is no"));
  EXPECT_FALSE(std::filesystem::exists(path("a.db")));
  EXPECT_THAT(refusal("no/folder.db"), HasSubstr("cannot use"));
}

// Root may write everywhere, so somebody else tries.
TEST_F(DatabaseTest, AReadOnlyFileIsRefused) {
  make("a.db");
  chmod(path("a.db").c_str(), 0444);
  chmod(directory_.c_str(), 0555);
  pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && setuid(kNobody) != 0) _exit(2);
    auto memo = open_memo(path("a.db"));
    bool good = !memo && memo.error().message.find("read-only") != std::string::npos &&
                memo.error().message.find(path("a.db")) != std::string::npos;
    _exit(good ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  chmod(directory_.c_str(), 0755);
}

TEST_F(DatabaseTest, ALockIsWaitedForAndThenTold) {
  make("a.db");
  int ready[2], go[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(go), 0);
  pid_t child = fork();
  char byte = 0;
  if (child == 0) {
    Database database(path("a.db"), {});
    if (!database.open()) _exit(1);
    Transaction transaction(database, "BEGIN EXCLUSIVE");
    bool told = write_byte(ready[1]) && read(go[0], &byte, 1) == 1;
    _exit(told && transaction.commit() ? 0 : 1);
  }
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  MemoOptions hasty;
  hasty.busy = std::chrono::milliseconds(200);
  auto memo = opened("a.db", hasty);
  Record program = ProgramRecord{"/src/late", "b"};
  auto begun = std::chrono::steady_clock::now();
  Status added = memo->add({&program, 1});
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error().message, HasSubstr("another process has kept it locked for 0.2 s"));
  EXPECT_GE(std::chrono::steady_clock::now() - begun, std::chrono::milliseconds(150));
  ASSERT_TRUE(write_byte(go[1]));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  add(*memo, {program});
  for (int fd : {ready[0], ready[1], go[0], go[1]}) close(fd);
}

// It dies with a transaction that is not committed, and without closing anything.
TEST_F(DatabaseTest, AProcessThatDiesLeavesWhatItHasCommitted) {
  make("a.db");
  pid_t child = fork();
  if (child == 0) {
    auto memo = open_memo(path("a.db"));
    Record program = ProgramRecord{"/src/committed", "b"};
    if (!memo || !(*memo)->add({&program, 1})) _exit(1);
    Database database(path("a.db"), {});
    if (!database.open()) _exit(1);
    Transaction transaction(database, "BEGIN IMMEDIATE");
    database.run("DELETE FROM programs");
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(records(*opened("a.db")).size(), 301u);
}

}  // namespace
}  // namespace raddle::memo

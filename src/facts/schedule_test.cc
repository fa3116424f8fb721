// SPDX-License-Identifier: Apache-2.0
//
// The schedule's text form: parse and print are inverse, bad input is refused with a place, and
// the example of the documentation is true.
#include "facts/schedule.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/rng.h"
#include "facts/schedule_text.h"

namespace raddle::facts {
namespace {

using wire::ChoiceRecord;
using wire::OpKind;

std::string random_text(Rng& rng, std::uint32_t length_max) {
  std::string text;
  for (std::uint32_t n = rng.below(length_max + 1); n > 0; --n)
    text += rng.below(3) == 0 ? static_cast<char>(rng.below(256))
                              : static_cast<char>('a' + rng.below(26));
  return text;
}

ChoiceRecord random_choice(Rng& rng, StepIndex& step) {
  ChoiceRecord choice{};
  if (rng.below(3) != 0) ++step;
  if (rng.below(8) == 0) step += rng.below(1000);
  choice.step = rng.below(20) == 0 ? wire::kAnyStep : step;
  if (rng.below(10) == 0) {
    choice.enabled = static_cast<std::uint8_t>(rng.below(256));
    std::uint32_t bound = choice.enabled == 0 || choice.enabled == 255 ? 65536 : choice.enabled;
    choice.picked = static_cast<std::uint16_t>(rng.below(bound));
    choice.kind = OpKind::value;
    return choice;
  }
  choice.picked =
      static_cast<std::uint16_t>(rng.below(50) == 0 ? rng.below(kMaxThreads) : rng.below(3));
  choice.kind = rng.below(4) == 0 ? static_cast<OpKind>(rng.below(static_cast<int>(OpKind::value)))
                                  : OpKind::mutex_lock;
  choice.enabled = static_cast<std::uint8_t>(rng.below(9) == 0 ? rng.below(256) : 2);
  return choice;
}

Schedule random_schedule(std::uint64_t seed) {
  Rng rng(seed);
  Schedule schedule;
  for (std::uint32_t n = 1 + rng.below(4); n > 0; --n)
    schedule.program.push_back(random_text(rng, 12));
  schedule.directory = random_text(rng, 30);
  schedule.build_id = rng.below(2) == 0 ? "" : "00ff12";
  schedule.test = random_text(rng, 3);
  schedule.stdin_file = random_text(rng, 3);
  schedule.before = random_text(rng, 10);
  schedule.check = random_text(rng, 10);
  schedule.expect_exit = static_cast<int>(rng.below(300)) - 20;
  schedule.points = static_cast<wire::Points>(rng.below(3));
  schedule.timers = static_cast<wire::Timers>(rng.below(2));
  schedule.idle = static_cast<Idle>(rng.below(2));
  schedule.spurious = rng.below(3);
  schedule.max_steps = static_cast<std::uint32_t>(rng.next());
  schedule.seed = rng.next();
  for (std::uint32_t n = rng.below(4); n > 0; --n)
    schedule.sites.push_back({random_text(rng, 12), rng.next() >> rng.below(64)});
  schedule.kind = rng.below(2) == 0 ? "deadlock" : "";
  schedule.message = random_text(rng, 60);
  schedule.steps = rng.below(100000);
  schedule.events_hash = rng.below(4) == 0 ? 0 : rng.next();
  StepIndex step = rng.below(10) == 0 ? 0xfffffff0u : 0;
  for (std::uint32_t n = rng.below(200); n > 0 && step < 0xfffffff8u; --n)
    schedule.choices.push_back(random_choice(rng, step));
  return schedule;
}

Schedule parsed(std::string_view text) {
  Result<Schedule> result = parse_schedule(text, "test");
  EXPECT_TRUE(result) << (result ? "" : result.error().message) << "\n" << text;
  return result ? *result : Schedule{};
}

std::string error_of(std::string_view text) {
  Result<Schedule> result = parse_schedule(text, "s.raddle");
  if (result) return "no error";
  EXPECT_EQ(result.error().exit_code, kExitUsage);
  return result.error().message;
}

std::string with_choices(const std::string& choices) {
  return "raddle-schedule 1\nprogram ./p\nchoices\n" + choices + "\nend\n";
}

TEST(Schedule, PrintAndParseAreInverse) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Schedule schedule = random_schedule(seed);
    std::string text = print_schedule(schedule);
    ASSERT_EQ(parsed(text), schedule) << "seed " << seed << "\n" << text;
    ASSERT_EQ(print_schedule(parsed(text)), text);
  }
}

TEST(Schedule, ChoicesOfOneThreadShareALineAndTurnsOfALoopShareAnItem) {
  Schedule schedule;
  schedule.program = {"./p"};
  for (StepIndex step = 10; step < 1010; ++step)
    schedule.choices.push_back({step, 2, OpKind::atomic_load, 3});
  schedule.choices.push_back({1010, 2, OpKind::mutex_lock, 3});
  schedule.choices.push_back({1012, 1, OpKind::mutex_lock, 2});
  schedule.choices.push_back({1013, 3, OpKind::value, 8});
  std::string text = print_schedule(schedule);
  EXPECT_NE(text.find("\nT2  @10 atomic-load/3 x1000  @1010 lock/3\n"
                      "T1  @1012 lock/2\n@1013 value 3 of 8\nend\n"),
            std::string::npos)
      << text;
}

TEST(Schedule, LongLinesAreWrapped) {
  Schedule schedule;
  schedule.program = {"./p"};
  for (StepIndex step = 0; step < 400; step += 2)
    schedule.choices.push_back({step, 1, OpKind::atomic_load, 3});
  std::istringstream lines(print_schedule(schedule));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u);
}

TEST(Schedule, SitesCanCarryTheirSourcePlaceAsAComment) {
  Schedule schedule;
  schedule.program = {"./p"};
  schedule.sites = {{"p", 0x10}, {"q", 0x20}};
  std::string text = print_schedule(schedule, [](const SitePlace& site) {
    return site.module == "p" ? std::string("a b.cpp:3\nx") : std::string();
  });
  EXPECT_NE(text.find("site p+0x10  # a b.cpp:3 x\nsite q+0x20\n"), std::string::npos) << text;
  EXPECT_EQ(parsed(text), schedule);
}

TEST(Schedule, PeopleMayLeaveFieldsOpenAndAddComments) {
  Schedule schedule = parsed(
      "# mine\nraddle-schedule 1\n\nprogram ./p 'x\t\"a b\"  # quoted\r\nchoices\n"
      "  T2  @- - x2 @7 lock\n@- value 4 # draw\nend\n# bye\n");
  EXPECT_EQ(schedule.program, (std::vector<std::string>{"./p", "'x", "a b"}));
  std::vector<ChoiceRecord> expected = {{wire::kAnyStep, 2, OpKind::none, 0},
                                        {wire::kAnyStep, 2, OpKind::none, 0},
                                        {7, 2, OpKind::mutex_lock, 0},
                                        {wire::kAnyStep, 4, OpKind::value, 0}};
  EXPECT_EQ(schedule.choices, expected);
}

TEST(Schedule, NewerFormatsAreRefusedByNumber) {
  EXPECT_EQ(error_of("raddle-schedule 2\nanything goes \"\n"),
            "s.raddle: schedule format 2 is newer than this raddle understands (1)");
}

TEST(Schedule, TruncationIsSaid) {
  std::string text = print_schedule(random_schedule(3));
  EXPECT_NE(error_of(text.substr(0, text.size() - 5)).find("truncated: expected `end`"),
            std::string::npos);
  EXPECT_EQ(error_of("raddle-schedule 1\nprogram ./p\n"),
            "s.raddle:2: truncated: expected `choices`, found the end of the file");
  EXPECT_EQ(error_of(""), "s.raddle: the file is empty: expected a schedule");
}

TEST(Schedule, ErrorsNameThePlaceWhatWasExpectedAndWhatWasFound) {
  EXPECT_EQ(error_of("ELF"),
            "s.raddle:1: expected `raddle-schedule 1`: this is not a schedule, found `ELF`");
  EXPECT_EQ(error_of("raddle-schedule one"),
            "s.raddle:1: expected the format's number, found `one`");
  EXPECT_EQ(error_of("raddle-schedule 1\nprogam ./p\n"),
            "s.raddle:2: expected a key or `choices`, found `progam`");
  EXPECT_EQ(error_of("raddle-schedule 1\nseed\n"),
            "s.raddle:2: expected a value after `seed`, found the end of the line");
  EXPECT_EQ(error_of("raddle-schedule 1\nseed -1\n"),
            "s.raddle:2: expected a number after `seed`, found `-1`");
  EXPECT_EQ(error_of("raddle-schedule 1\nseed 1\n\nseed 2\n"),
            "s.raddle:4: expected every key once, found `seed` again");
  EXPECT_EQ(error_of("raddle-schedule 1\npoints some\n"),
            "s.raddle:2: expected one of sync, shared, all, found `some`");
  EXPECT_EQ(error_of("raddle-schedule 1\nsite bank+12\n"),
            "s.raddle:2: expected MODULE+0xOFFSET, found `bank+12`");
  EXPECT_EQ(error_of("raddle-schedule 1\nprogram \"./p\n"),
            "s.raddle:2: expected a closing \", found the end of the line");
  EXPECT_EQ(error_of("raddle-schedule 1\nchoices\nend\n"),
            "s.raddle:2: expected a `program` line before `choices`");
  EXPECT_EQ(error_of(with_choices("T1 @2 lok/2")),
            "s.raddle:4: expected an operation such as lock, read or atomic-load, or `-`, found "
            "`lok/2`");
  EXPECT_EQ(error_of(with_choices("T1")),
            "s.raddle:4: expected @STEP or @-, found the end of the line");
  EXPECT_EQ(error_of(with_choices("T99999 @1 lock")),
            "s.raddle:4: expected a thread such as T3, a value choice such as `@12 value 3 of 8`, "
            "or `end`, found `T99999`");
  EXPECT_EQ(error_of(with_choices("@3 value 8 of 8")),
            "s.raddle:4: expected a value below 8, found `8`");
  EXPECT_EQ(error_of(with_choices("T1 @1 lock/2 x4000000000")),
            "s.raddle:4: expected at most 16777216 choices, found more");
  EXPECT_EQ(error_of(with_choices("end\nmore")),
            "s.raddle:5: expected nothing after `end`, "
            "found `more`");
}

// Goal: no input crashes or hangs the parser, and what it accepts it prints and accepts again.
TEST(Schedule, DamagedTextNeverCrashes) {
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Rng rng(seed);
    std::string text = print_schedule(random_schedule(seed % 50));
    for (std::uint32_t n = 1 + rng.below(4); n > 0 && !text.empty(); --n) {
      std::size_t at = rng.below(static_cast<std::uint32_t>(text.size()));
      std::uint32_t what = rng.below(4);
      if (what == 0) text[at] = static_cast<char>(rng.below(256));
      if (what == 1) text.erase(at, rng.below(20));
      if (what == 2) text.insert(at, text.substr(text.size() / 2, rng.below(40)));
      if (what == 3) text.resize(at);
    }
    Result<Schedule> result = parse_schedule(text, "fuzz");
    if (!result) {
      EXPECT_FALSE(result.error().message.empty());
      continue;
    }
    ++accepted;
    ASSERT_EQ(parsed(print_schedule(*result)), *result);
  }
  EXPECT_GT(accepted, 20u);  // the damage is not so bad that nothing is tested beyond refusals
}

std::string documentation() {
  // Tests sit in src/facts; the documentation two levels above.
  auto path = std::filesystem::path(__FILE__).parent_path() / "../../docs/schedule-format.md";
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Schedule, TheExampleOfTheDocumentationIsASchedule) {
  std::string text = documentation();
  std::size_t begin = text.find("```schedule\n");
  ASSERT_NE(begin, std::string::npos);
  begin += sizeof("```schedule\n") - 1;
  std::string example = text.substr(begin, text.find("```", begin) - begin);
  Schedule schedule = parsed(example);
  EXPECT_EQ(schedule.program.size(), 3u);
  EXPECT_EQ(schedule.sites.size(), 2u);
  ASSERT_EQ(schedule.choices.size(), 8u);
  EXPECT_EQ(schedule.choices[3], (ChoiceRecord{8, 1, OpKind::atomic_load, 2}));
  EXPECT_EQ(schedule.choices[5], (ChoiceRecord{12, 3, OpKind::value, 8}));
  // Apart from its comment, it is exactly what print_schedule() writes.
  std::size_t comment = example.find("  # bank.cpp:11");
  ASSERT_NE(comment, std::string::npos);
  EXPECT_EQ(print_schedule(schedule), example.erase(comment, sizeof("  # bank.cpp:11") - 1));
}

}  // namespace
}  // namespace raddle::facts

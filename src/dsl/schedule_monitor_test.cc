// SPDX-License-Identifier: Apache-2.0
//
// What a schedule admits, as truth tables: traces of events against schedules. A trace is a list of
// "event", "event@thread", "+thread" (it blocks) and "-thread" (it goes on); the answer is the list
// of firings that violated an ordering.
#include "dsl/schedule_monitor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "dsl/schedule_checks.h"
#include "dsl/schedule_text.h"

namespace raddle::dsl {
namespace {

class Play {
 public:
  explicit Play(std::string_view text) {
    char message[512];
    TextBuffer error(message, sizeof message);
    EXPECT_TRUE(compile_schedule(text, schedule_, error)) << text << ": " << message;
    monitor_.begin(schedule_);
  }

  // The events of the trace that were not admitted, in the passive manner: they happen all the
  // same.
  std::string violations(const std::string& trace) {
    std::string result;
    std::istringstream words(trace);
    for (std::string word; words >> word;) {
      if (word[0] == '+') {
        blocked_.insert(thread_id(word.substr(1)));
      } else if (word[0] == '-') {
        blocked_.erase(thread_id(word.substr(1)));
      } else {
        Firing firing = firing_of(word);
        if (!monitor_.admits(firing, query())) result += (result.empty() ? "" : " ") + word;
        monitor_.fire(firing);
      }
    }
    return result;
  }

  Firing firing_of(const std::string& word) {
    std::size_t at = word.find('@');
    std::string name = word.substr(0, at);
    std::string thread = at == std::string::npos ? "" : word.substr(at + 1);
    EventKind kind = name == "start" ? EventKind::start
                     : name == "end" ? EventKind::end
                                     : EventKind::named;
    return {kind, monitor_.event_name(kind, name), monitor_.thread_name(thread), thread_id(thread)};
  }
  BlockedQuery query() {
    return {[](void* self, ThreadId thread) {
              return static_cast<Play*>(self)->blocked_.count(thread) > 0;
            },
            this};
  }
  ScheduleMonitor& monitor() { return monitor_; }
  const Schedule& schedule() const { return schedule_; }

 private:
  ThreadId thread_id(const std::string& name) {
    return ids_.emplace(name, static_cast<ThreadId>(ids_.size())).first->second;
  }

  Schedule schedule_;
  ScheduleMonitor monitor_;
  std::map<std::string, ThreadId> ids_;
  std::set<ThreadId> blocked_;
};

struct Row {
  const char* schedule;
  const char* trace;
  const char* violations;
};

TEST(ScheduleMonitor, TruthTable) {
  const Row rows[] = {
      {"a -> b", "a b", ""},
      {"a -> b", "b a", "b"},
      {"a -> b", "b", "b"},
      {"a -> b", "a", ""},  // b never happens: satisfied
      {"a -> b", "x y z", ""},
      {"a -> b", "b a b", "b"},  // every occurrence, and the second comes after a
      {"a -> b", "b b a", "b b"},
      {"a && b -> c", "a b c", ""},
      {"a && b -> c", "b a c", ""},
      {"a && b -> c", "a c b", "c"},
      {"a && b -> c", "c", "c"},
      {"a || b -> c", "a c", ""},
      {"a || b -> c", "b c", ""},
      {"a || b -> c", "c a b", "c"},
      {"a || b && c -> d", "a d", ""},
      {"a || b && c -> d", "b d", "d"},
      {"a || b && c -> d", "b c d", ""},
      {"(a || b) && c -> d", "a d", "d"},
      {"(a || b) && c -> d", "c b d", ""},
      {"a && (b || (c && d)) -> e", "a c e", "e"},
      {"a && (b || (c && d)) -> e", "a c d e", ""},
      {"a -> c, b -> c", "a c b", "c"},
      {"a -> c, b -> c", "b a c", ""},
      {"[a] -> b", "a@t +t b", ""},
      {"[a] -> b", "a@t b", "b"},
      {"[a] -> b", "+t b", "b"},
      {"[a] -> b", "a@t +t -t b", "b"},     // blocked now, not at some time
      {"[a] -> b", "a@t +t b -t b", "b"},   // each b
      {"[a] -> b#1", "a@t +t b -t b", ""},  // only the first
      {"[a] -> b", "a@t a@u +t b", "b"},    // who passed it last
      {"[a] -> b", "a@t a@u +u b", ""},
      {"[a#1] -> b", "a@t a@u +t b", ""},
      {"[a#2] -> b", "a@t +t b", "b"},
      {"[a@t] && [a@u] -> b", "a@t a@u +u +t b", ""},
      {"[a@t] && [a@u] -> b", "a@t a@u +u b", "b"},
      {"[a] || c -> b", "c b", ""},
      {"a@t -> b", "a@u b", "b"},
      {"a@t -> b", "a@t b", ""},
      {"a -> b@t", "b@u a b@t", ""},
      {"a -> b@t", "b@t", "b@t"},
      {"a@t -> a@u", "a@u", "a@u"},
      {"a@t -> a@u", "a@t a@u", ""},
      {"a#2 -> b", "a b", "b"},
      {"a#2 -> b", "a a b", ""},
      {"a -> b#2", "b a b", ""},
      {"a -> b#2", "b b", "b"},
      {"a#2@t -> b", "a@t a@u b", "b"},
      {"a#2@t -> b", "a@t a@u a@t b", ""},
      {"a#2 -> b", "a@t a@u b", ""},
      {"a -> b#2@t", "b@u b@t b@t", "b@t"},
      {"a -> b#2", "b@u b@t", "b@t"},
      {"a#3 -> a#4", "a a a a", ""},
      {"put#1 -> take#1, put#2 -> take#2", "put take take put", "take"},
      {"start@t -> a", "a start@t", "a"},
      {"start@t -> a", "start@t a", ""},
      {"end@t -> a", "start@t end@u a end@t a", "a"},
      {"a -> start@t", "start@t a", "start@t"},
      {"a -> end@t", "start@t end@t", "end@t"},
      {"q.a -> q::b", "q.a q::b", ""},
      {"q.a -> q::b", "a q::b", "q::b"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(Play(row.schedule).violations(row.trace), row.violations)
        << row.schedule << " on " << row.trace;
}

// Of a chain of events in which each waits for the one before, every order but the right one is a
// violation, and reversing a single edge is flagged at exactly the event that came too early.
TEST(ScheduleMonitor, EverySingleReversalIsFlagged) {
  const std::vector<std::string> right = {"a", "b", "c", "d", "e", "f"};
  std::string schedule;
  for (std::size_t i = 0; i + 1 < right.size(); ++i)
    schedule += right[i] + "->" + right[i + 1] + " ";
  auto joined = [](const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += word + " ";
    return text;
  };
  EXPECT_EQ(Play(schedule).violations(joined(right)), "");
  for (std::size_t i = 0; i + 1 < right.size(); ++i) {
    std::vector<std::string> order = right;
    std::swap(order[i], order[i + 1]);
    EXPECT_EQ(Play(schedule).violations(joined(order)), right[i + 1]);
  }
  std::vector<std::string> order = right;
  while (std::next_permutation(order.begin(), order.end()))
    EXPECT_NE(Play(schedule).violations(joined(order)), "") << joined(order);
}

TEST(ScheduleMonitor, BoundedQueueBothSchedules) {
  const char* first = "finishedAdd1 -> startingTake1, [startingTake2] -> startingAdd2";
  EXPECT_EQ(Play(first).violations("finishedAdd1@add startingTake1@main startingTake2@main +main "
                                   "startingAdd2@add -main"),
            "");
  EXPECT_EQ(Play(first).violations("finishedAdd1@add startingTake1@main startingTake2@main "
                                   "startingAdd2@add"),
            "startingAdd2@add");
  EXPECT_EQ(Play(first).violations("startingTake1@main +main finishedAdd1@add"),
            "startingTake1@main");
}

TEST(ScheduleMonitor, SaysWhatIsMissing) {
  Play play("a && ([b] || c) -> d, x -> d, y -> z");
  play.violations("a@t b@u");
  std::uint16_t failing[4];
  ASSERT_EQ(play.monitor().failing(play.firing_of("d@t"), play.query(), failing, 4), 2u);
  EXPECT_EQ(failing[0], 0);
  EXPECT_EQ(failing[1], 1);
  MissingAtom atoms[4];
  ASSERT_EQ(play.monitor().missing(0, play.query(), atoms, 4), 2u);
  EXPECT_TRUE(atoms[0].occurred);  // b, but its thread is not blocked
  EXPECT_EQ(atoms[0].thread, play.firing_of("b@u").thread);
  EXPECT_FALSE(atoms[1].occurred);
  EXPECT_EQ(play.schedule().view(play.schedule().events[atoms[1].event].name), "c");
}

TEST(ScheduleMonitor, RestartForgets) {
  Play play("a -> b");
  EXPECT_EQ(play.violations("a b"), "");
  play.monitor().restart();
  EXPECT_EQ(play.violations("b a"), "b");
}

TEST(ScheduleMonitor, KnowsWhatItMentions) {
  Play play("a@t -> b");
  EXPECT_TRUE(play.monitor().mentions(play.firing_of("a@t")));
  EXPECT_FALSE(play.monitor().mentions(play.firing_of("a@u")));
  EXPECT_TRUE(play.monitor().mentions(play.firing_of("b@u")));
  EXPECT_FALSE(play.monitor().mentions(play.firing_of("c@t")));
  EXPECT_FALSE(play.monitor().has_block_events());
}

}  // namespace
}  // namespace raddle::dsl

// SPDX-License-Identifier: Apache-2.0
//
// Causes in words, from causes made by hand.
#include "outcome/explain_words.h"

#include <gtest/gtest.h>

#include "report/fake_names.h"

namespace raddle::outcome {
namespace {

using analysis::Cause;
using analysis::Dependence;
using analysis::Label;
using analysis::Reason;
using analysis::Side;
using report::FakeNames;
using wire::OpKind;

class ExplainWords : public testing::Test {
 protected:
  ExplainWords() {
    names_.variable(0x10, "x").variable(0x20, "y");
    names_.site(1, "/project/a.cpp", 4, "f").site(2, "/project/a.cpp", 9, "g");
    finding_.threads.resize(1);
    finding_.threads[0].id = 1;
    finding_.threads[0].name = "reader";
    add(OpKind::plain_read, 1, 1, 0x10);
    add(OpKind::plain_write, 2, 2, 0x10);
    add(OpKind::plain_write, 1, 1, 0x10);
    add(OpKind::plain_write, 2, 2, 0x20);
  }

  void add(OpKind kind, ThreadId thread, SiteId site, std::uint32_t offset) {
    wire::Event event{};
    event.kind = kind;
    event.thread = thread;
    event.site = site;
    event.size = 4;
    event.where = FakeNames::global(offset);
    events_.push_back(event);
  }
  facts::ExplainedCause told(const Cause& cause) {
    facts::Run run;
    run.events = events_;
    UserSites sites(names_);
    RecordedRun recorded(run, sites);
    std::string directory = "/project";
    return CauseWords(recorded, names_, finding_, directory).explain(cause);
  }
  static Cause pair(Dependence kind, std::vector<std::size_t> events) {
    Cause cause;
    cause.pair.kind = kind;
    cause.events = std::move(events);
    return cause;
  }

  FakeNames names_;
  facts::Finding finding_;
  std::vector<wire::Event> events_;
};

TEST_F(ExplainWords, AnInterleaving) {
  Cause cause;
  cause.label = Label::atomicity;
  cause.reason = Reason::interleaved;
  cause.number = 6;
  cause.events = {0, 1, 2};
  cause.orders = {{0, 1}, {1, 2}};
  cause.failing = 3;
  facts::ExplainedCause words = told(cause);
  EXPECT_EQ(words.label, "atomicity");
  EXPECT_EQ(words.sentence, "T1 writes `x` by what it read before, and T2 writes it in between");
  ASSERT_EQ(words.operations.size(), 3u);
  EXPECT_EQ(words.operations[0].words, "read x = 0");
  EXPECT_EQ(words.operations[0].thread_name, "reader");
  EXPECT_EQ(words.operations[0].where.file, "a.cpp");
  EXPECT_EQ(words.operations[1].where.line, 9);
  EXPECT_EQ(words.operations[1].variable, "x");
  EXPECT_EQ(words.orders, cause.orders);
  EXPECT_EQ(words.failing, 3u);
  cause.usual_side = Side::after;
  EXPECT_EQ(told(cause).sentence,
            "T2 comes to `x` between two accesses of T1; in passing runs it comes after them");
}

TEST_F(ExplainWords, DefinitionsAndUses) {
  Cause cause = pair(Dependence::initial_use, {0, 1});
  cause.usual = {2};
  EXPECT_EQ(told(cause).sentence,
            "T1 reads `x` before it has been set; in passing runs it reads what was written at "
            "a.cpp:9");
  cause = pair(Dependence::use, {1, 0});
  cause.usual = {0, 1, 2};
  EXPECT_EQ(told(cause).sentence,
            "T1 reads `x` as T2 has left it; in passing runs it reads the initial value or what "
            "was written at a.cpp:4 or a.cpp:9");
  EXPECT_EQ(told(pair(Dependence::use, {1, 0})).sentence,
            "T1 reads `x` as T2 has left it; no passing run reads it there");
  EXPECT_EQ(told(pair(Dependence::use_after_end, {1, 2})).sentence,
            "T1 uses `x` after T2 has freed it");
  EXPECT_EQ(told(pair(Dependence::early_signal, {1, 0})).sentence,
            "T2 notifies `x` before T1 waits for it: nobody hears it");
}

TEST_F(ExplainWords, TwoVariables) {
  Cause cause;
  cause.label = Label::multi_variable;
  cause.reason = Reason::windows;
  cause.events = {0, 1, 3, 3};
  EXPECT_EQ(told(cause).label, "multi-variable");
  EXPECT_EQ(told(cause).sentence,
            "T1 comes to `x` before T2, but to `y` after it; each alone is harmless");
}

}  // namespace
}  // namespace raddle::outcome

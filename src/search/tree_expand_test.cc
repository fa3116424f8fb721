// SPDX-License-Identifier: Apache-2.0
//
// The execution tree as the search grows it, node by node: the figures of Gambit (Coons,
// Burckhardt, Musuvathi, PPoPP 2010) as toy programs, and the order in which priorities visit its
// nodes. Tests only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/tree_search.h"
#include "testing/toy_enumerate.h"
#include "testing/toy_search.h"

namespace raddle::search {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

// The deltas of a plan, in the paper's way: "<0,B><1,A>".
std::string deltas(const toy::Program& program, const facts::Plan& plan) {
  std::string text;
  for (const wire::Deviation& delta : facts::rows_of<facts::Deviations>(plan.steering)) {
    bool value = delta.choice.kind == wire::OpKind::value;
    std::string pick =
        value ? std::to_string(delta.choice.picked) : program.bodies[delta.choice.picked].name;
    text += '<' + std::to_string(delta.choice.step) + ',' + pick + '>';
  }
  return text.empty() ? "root" : text;
}

// "<1,B> A0 B0 B1 A1": every node with its execution, in the order of their runs.
std::vector<std::string> nodes(const char* text, const TreeOptions& options) {
  TreeSearch search(toy_options(), options);
  ToyTarget target(text);
  FakeExecutor executor(std::ref(target));
  std::vector<std::string> result;
  while (auto plan = search.next()) {
    search.observe(*executor.run(*plan));
    std::string line = deltas(target.program(), *plan);
    std::vector<int> counts(target.program().bodies.size());
    for (const toy::Step& step : target.last().steps)
      line += ' ' + target.program().bodies[step.body].name + std::to_string(counts[step.body]++);
    if (target.last().end == toy::End::blocked) line += " blocked";
    result.push_back(line);
  }
  EXPECT_TRUE(search.tree().empty());
  return result;
}

constexpr const char* kFigure1 = "A: store x; store x | B: store y; store y";

TEST(Gambit, Figure1HasSixInterleavingsAndOneTrace) {
  toy::Census census = toy::enumerate(kFigure1);
  EXPECT_EQ(census.runs(), 6u);
  EXPECT_EQ(census.classes.size(), 1u);
  EXPECT_EQ(census.states.size(), 1u);
  EXPECT_EQ(nodes(kFigure1, {}).size(), 6u);
  EXPECT_THAT(nodes(kFigure1, {.ways = Ways::reversals}), ElementsAre("root A0 A1 B0 B1"));
}

// A0 and B0 are independent, but within the bound either disables the other: a bounded search must
// not leave one out for the other's sake, whatever orders it.
TEST(Gambit, Figure2BoundsMakeIndependentStepsDependent) {
  for (const char* priority : {"dpor", "ss", "mdpor", "pb", "rand"}) {
    auto within = [&](std::uint32_t bound) {
      return nodes(kFigure1, {.bound_kind = BoundKind::preemptions,
                              .bound = bound,
                              .priority = *Priority::parse(priority)});
    };
    EXPECT_THAT(within(0), UnorderedElementsAre("root A0 A1 B0 B1", "<0,B> B0 B1 A0 A1"));
    EXPECT_THAT(within(1), UnorderedElementsAre("root A0 A1 B0 B1", "<0,B> B0 B1 A0 A1",
                                                "<1,B> A0 B0 B1 A1", "<0,B><1,A> B0 A0 A1 B1"));
    EXPECT_EQ(within(2).size(), 6u);
  }
}

// Figure 3(b): every node of the execution tree, with the edges that lead to it.
TEST(Gambit, Figure3NodeByNode) {
  EXPECT_THAT(nodes(kFigure1, {}),
              UnorderedElementsAre("root A0 A1 B0 B1",               //
                                   "<0,B> B0 B1 A0 A1",              // below the root
                                   "<1,B> A0 B0 B1 A1",              //
                                   "<0,B><1,A> B0 A0 A1 B1",         // below <0,B>
                                   "<1,B><2,A> A0 B0 A1 B1",         // below <1,B>
                                   "<0,B><1,A><2,B> B0 A0 B1 A1"));  // below <0,B><1,A>
}

// Without a priority the deepest is first, which is depth first.
TEST(Gambit, Figure3DepthFirst) {
  EXPECT_THAT(
      nodes(kFigure1, {}),
      ElementsAre("root A0 A1 B0 B1", "<1,B> A0 B0 B1 A1", "<1,B><2,A> A0 B0 A1 B1",
                  "<0,B> B0 B1 A0 A1", "<0,B><1,A> B0 A0 A1 B1", "<0,B><1,A><2,B> B0 A0 B1 A1"));
}

// None, none, one, one, two, two preemptions; among equals the latest found is first.
TEST(Gambit, Figure3ByPreemptions) {
  EXPECT_THAT(
      nodes(kFigure1, {.priority = *Priority::parse("pb")}),
      ElementsAre("root A0 A1 B0 B1", "<0,B> B0 B1 A0 A1", "<0,B><1,A> B0 A0 A1 B1",
                  "<1,B> A0 B0 B1 A1", "<1,B><2,A> A0 B0 A1 B1", "<0,B><1,A><2,B> B0 A0 B1 A1"));
}

// Nothing races: partial-order reduction asks for none of the others, so they are equals.
TEST(Gambit, Figure3ByReduction) {
  EXPECT_THAT(
      nodes(kFigure1, {.priority = *Priority::parse("dpor")}),
      ElementsAre("root A0 A1 B0 B1", "<1,B> A0 B0 B1 A1", "<1,B><2,A> A0 B0 A1 B1",
                  "<0,B> B0 B1 A0 A1", "<0,B><1,A> B0 A0 A1 B1", "<0,B><1,A><2,B> B0 A0 B1 A1"));
  // Where the first steps race, their reversal comes before whatever else there is.
  auto racing =
      nodes("A: store x; store z | B: store x; store y", {.priority = *Priority::parse("dpor")});
  ASSERT_EQ(racing.size(), 6u);
  EXPECT_EQ(racing[1], "<0,B> B0 B1 A0 A1");
}

TEST(Gambit, Figure3InRandomOrderIsTheSameForASeed) {
  TreeOptions options{.priority = *Priority::parse("rand")};
  EXPECT_EQ(nodes(kFigure1, options), nodes(kFigure1, options));
  EXPECT_EQ(nodes(kFigure1, options).size(), 6u);
}

// Delays: the first thread in turn is free, each one passed over costs one.
TEST(TreeExpand, DelaysAreCountedFromTheDefault) {
  constexpr const char* kThree = "A: step | B: step | C: step";
  auto within = [&](std::uint32_t bound) {
    return nodes(kThree, {.bound_kind = BoundKind::delays, .bound = bound});
  };
  EXPECT_THAT(within(0), ElementsAre("root A0 B0 C0"));
  EXPECT_THAT(within(1), UnorderedElementsAre("root A0 B0 C0", "<0,B> B0 A0 C0", "<1,C> A0 C0 B0"));
  EXPECT_EQ(within(2).size(), 5u);  // all but C B A, which costs 2 + 1
  EXPECT_EQ(within(3).size(), 6u);
}

// A race whose first step an ancestor made: the child is the ancestor's.
TEST(TreeExpand, ReversalsBelongToWhoMadeTheChoice) {
  EXPECT_THAT(nodes("A: inc x | B: inc x | C: inc x", {.ways = Ways::reversals}),
              UnorderedElementsAre("root A0 B0 C0", "<1,C> A0 C0 B0", "<0,B> B0 A0 C0",
                                   "<0,B><1,C> B0 C0 A0", "<0,C> C0 A0 B0", "<0,C><1,B> C0 B0 A0"));
}

TEST(TreeExpand, ValuesAreTriedAll) {
  EXPECT_THAT(nodes("A: choose 3; w x $", {.ways = Ways::reversals}),
              UnorderedElementsAre("root A0 A1", "<0,1> A0 A1", "<0,2> A0 A1"));
  // Two values, each written before or after the read.
  EXPECT_EQ(nodes("A: choose 2; w x $ | B: r x", {.ways = Ways::reversals}).size(), 4u);
}

}  // namespace
}  // namespace raddle::search

// SPDX-License-Identifier: Apache-2.0
//
// Explanations in words and as JSON.
#include "report/explanation_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace raddle::report {
namespace {

facts::Explanation sample() {
  facts::Explanation result;
  result.finding.kind = facts::FindingKind::assertion;
  result.finding.message = "balance >= 0\nmore";
  result.finding.site.file = "bank.cpp";
  result.finding.site.line = 20;
  result.runs = 200;
  result.passing = 3;
  result.failing = 2;
  result.distance = 1;
  facts::ExplainedCause cause;
  cause.label = "order";
  cause.sentence = "T1 reads `x` too early";
  facts::ExplainedOperation read;
  read.thread = 1;
  read.thread_name = "reader";
  read.words = "read x = 0";
  read.variable = "x";
  read.where.file = "bank.cpp";
  read.where.line = 7;
  facts::ExplainedOperation write;
  write.thread = 2;
  write.words = "write x";
  cause.operations = {read, write};
  cause.orders = {{0, 1}};
  cause.failing = 1;
  result.causes = {cause};
  return result;
}

TEST(ExplanationText, TellsCausesInTheirOrder) {
  EXPECT_EQ(explanation_text(sample(), "/nowhere"),
            "assertion: balance >= 0\n"
            "  at bank.cpp:20\n"
            "compared with 200 runs of the same program and input: 3 ways to pass (the nearest "
            "differs in 1 order), 2 other ways to fail like this one\n"
            "\n"
            "1. order: T1 reads `x` too early\n"
            "     T1 reader: read x = 0\n"
            "         bank.cpp:7\n"
            "     T2: write x\n"
            "     1 of the 2 others that fail have this, too\n");
}

TEST(ExplanationText, SaysWhyThereIsNothing) {
  facts::Explanation explanation = sample();
  explanation.causes.clear();
  explanation.passing = 0;
  explanation.others = 4;
  explanation.nothing = "none passes";
  std::string text = explanation_text(explanation, "/nowhere");
  EXPECT_NE(
      text.find("0 pass, 2 other ways to fail like this one, 4 end otherwise\n\nnone passes\n"),
      std::string::npos)
      << text;
}

TEST(ExplanationText, JsonHoldsTheSame) {
  auto json = nlohmann::json::parse(explanation_json(sample()));
  EXPECT_EQ(json["kind"], "assertion");
  EXPECT_EQ(json["passing"], 3);
  EXPECT_EQ(json["causes"][0]["label"], "order");
  EXPECT_EQ(json["causes"][0]["operations"][0]["line"], 7);
  EXPECT_EQ(json["causes"][0]["operations"][0]["name"], "reader");
  EXPECT_EQ(json["causes"][0]["orders"], nlohmann::json::parse("[[0, 1]]"));
  EXPECT_FALSE(json.contains("nothing"));
  facts::Explanation broken = sample();
  broken.causes[0].sentence = "\xff";
  EXPECT_FALSE(explanation_json(broken).empty()) << "what is no UTF-8 is replaced";
}

}  // namespace
}  // namespace raddle::report

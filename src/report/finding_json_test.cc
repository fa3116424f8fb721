// SPDX-License-Identifier: Apache-2.0
//
// The JSON that scripts depend on, and findings read back from it.
#include "report/finding_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace raddle::report {
namespace {

using nlohmann::json;

facts::Finding sample() {
  facts::Finding finding;
  finding.id = 3;
  finding.kind = facts::FindingKind::deadlock;
  finding.message = "deadlock: \"x\"\n";
  finding.schedule_index = 37;
  finding.preemptions = 1;
  finding.steps = 140;
  finding.directory = ".raddle/findings/3";
  finding.thread = 1;
  finding.site = {"bank.cpp", 42, "audit", "bank", 0x1234, false};
  facts::ThreadSnapshot thread;
  thread.id = 1;
  thread.name = "worker";
  thread.state = "blocked in lock of `b`, held by T2";
  thread.in_cycle = true;
  thread.stack = {{"bank.cpp", 42, "audit", "bank", 0x1234, true},
                  {"", 0, "", "libc.so.6", 0xffffffffffull, false}};
  thread.held = {{"a", {"bank.cpp", 40, "audit", "bank", 0x1200, false}}};
  finding.threads = {thread};
  return finding;
}

TEST(FindingJson, SystematicSearchesSayHowLargeTheyWere) {
  facts::CampaignResult result;
  result.size = {.runs = 90,
                 .blocked = 1,
                 .nodes = 2,
                 .peak_nodes = 12,
                 .open = 3,
                 .tree_bytes = 64,
                 .peak_tree_bytes = 384,
                 .set_bytes = 16,
                 .peak_set_bytes = 96};
  json search = json::parse(campaign_json(result))["search"];
  EXPECT_EQ(search["runs"], 90);
  EXPECT_EQ(search["blocked"], 1);
  EXPECT_EQ(search["open"], 3);
  EXPECT_EQ(search["nodes"], 2);
  EXPECT_EQ(search["peak_nodes"], 12);
  EXPECT_EQ(search["bytes"], 64);
  EXPECT_EQ(search["peak_bytes"], 384);
  EXPECT_EQ(search["set_bytes"], 16);
  EXPECT_EQ(search["peak_set_bytes"], 96);
}

TEST(FindingJson, CampaignsHaveTheKeysThatScriptsDependOn) {
  facts::CampaignResult result;
  result.program = {"./bank", "-n"};
  result.strategy = "auto";
  result.seed = 0xffffffffffffffffull;
  result.schedules = 37;
  result.steps = 5180;
  result.seconds = 0.02;
  result.limited = 1;
  result.blocked = 2;
  result.behaviours = 30;
  result.findings = {sample()};
  json parsed = json::parse(campaign_json(result));
  EXPECT_FALSE(parsed.contains("search"));
  EXPECT_EQ(parsed["schema"], 1);
  EXPECT_EQ(parsed["program"], (json{"./bank", "-n"}));
  EXPECT_EQ(parsed["strategy"], "auto");
  EXPECT_EQ(parsed["seed"], 0xffffffffffffffffull);
  EXPECT_EQ(parsed["schedules"], 37);
  EXPECT_EQ(parsed["steps"], 5180);
  EXPECT_EQ(parsed["seconds"], 0.02);
  EXPECT_EQ(parsed["complete"], false);
  EXPECT_EQ(parsed["guarantee"], "");
  EXPECT_EQ(parsed["limited"], 1);
  EXPECT_EQ(parsed["blocked"], 2);
  EXPECT_EQ(parsed["behaviours"], 30);
  const json& finding = parsed["findings"][0];
  EXPECT_EQ(finding["id"], 3);
  EXPECT_EQ(finding["kind"], "deadlock");
  EXPECT_EQ(finding["message"], "deadlock: \"x\"\n");
  EXPECT_EQ(finding["schedule_index"], 37);
  EXPECT_EQ(finding["preemptions"], 1);
  EXPECT_EQ(finding["directory"], ".raddle/findings/3");
  EXPECT_EQ(finding["site"]["file"], "bank.cpp");
  EXPECT_EQ(finding["site"]["line"], 42);
  EXPECT_EQ(finding["site"]["function"], "audit");
  EXPECT_EQ(finding["threads"][0]["id"], 1);
  EXPECT_EQ(finding["threads"][0]["name"], "worker");
  EXPECT_EQ(finding["threads"][0]["state"], "blocked in lock of `b`, held by T2");
  EXPECT_EQ(finding["threads"][0]["stack"][0]["line"], 42);
}

TEST(FindingJson, FindingsAreReadBackWhole) {
  std::string text = finding_json(sample());
  auto result = parse_finding_json(text, "finding.json");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(finding_json(*result), text);
  EXPECT_EQ(result->threads[0].held[0].where.line, 40);
  EXPECT_TRUE(result->threads[0].stack[0].inlined);
  facts::Finding directed = sample();
  directed.directed_run = 2;
  auto read = parse_finding_json(finding_json(directed), "finding.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->directed_run, 2u);
}

TEST(FindingJson, BytesThatAreNotTextDoNotBreakTheOutput) {
  facts::Finding finding = sample();
  finding.message = "bad \xff\xfe byte";
  EXPECT_NE(json::parse(finding_json(finding))["message"].get<std::string>().find("byte"),
            std::string::npos);
}

TEST(FindingJson, DamageIsNamed) {
  EXPECT_EQ(parse_finding_json("{", "f").error().message, "f: not valid JSON");
  EXPECT_NE(parse_finding_json("[]", "f").error().message.find("\"id\" is missing"),
            std::string::npos);
  std::string text = finding_json(sample());
  auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    auto result = parse_finding_json(changed, "f");
    return result ? "" : result.error().message;
  };
  EXPECT_NE(with("\"deadlock\"", "\"bad-luck\"").find("\"kind\""), std::string::npos);
  EXPECT_NE(with("\"line\": 42", "\"line\": \"42\"").find("\"line\""), std::string::npos);
  EXPECT_NE(with("\"thread\": 1", "\"thread\": 70000").find("\"thread\""), std::string::npos);
  EXPECT_NE(with("\"steps\": 140", "\"steps\": -1").find("\"steps\""), std::string::npos);
}

// Goal: no truncation of the file crashes or passes.
TEST(FindingJson, EveryTruncationIsRefused) {
  std::string text = finding_json(sample());
  for (std::size_t length = 0; length + 2 < text.size(); ++length)
    ASSERT_FALSE(parse_finding_json(text.substr(0, length), "f")) << length;
}

}  // namespace
}  // namespace raddle::report

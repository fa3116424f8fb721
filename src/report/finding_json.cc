// SPDX-License-Identifier: Apache-2.0
//
// JSON by nlohmann's library, whose exceptions are kept from arising: text is parsed without them
// and every value is asked for its type before it is read. Engine side.
#include "report/finding_json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace raddle::report {
namespace {

using facts::Finding;
using facts::Frame;
using facts::HeldLock;
using facts::ThreadSnapshot;
using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json frame_json(const Frame& frame) {
  Json json = {{"file", frame.file}, {"line", frame.line}, {"function", frame.function}};
  json["module"] = frame.module;
  json["offset"] = frame.offset;
  if (frame.inlined) json["inlined"] = true;
  return json;
}

Json thread_json(const ThreadSnapshot& thread) {
  Json json = {{"id", thread.id}, {"name", thread.name}, {"state", thread.state}};
  json["in_cycle"] = thread.in_cycle;
  json["stack"] = Json::array();
  for (const Frame& frame : thread.stack) json["stack"].push_back(frame_json(frame));
  json["held"] = Json::array();
  for (const HeldLock& lock : thread.held)
    json["held"].push_back({{"what", lock.what}, {"where", frame_json(lock.where)}});
  return json;
}

Json to_json(const Finding& finding) {
  Json json = {{"id", finding.id},
               {"kind", finding.kind.name},
               {"message", finding.message},
               {"schedule_index", finding.schedule_index},
               {"preemptions", finding.preemptions},
               {"steps", finding.steps},
               {"directory", finding.directory},
               {"thread", finding.thread},
               {"site", frame_json(finding.site)}};
  if (finding.directed_run != 0) json["directed_run"] = finding.directed_run;
  json["threads"] = Json::array();
  for (const ThreadSnapshot& thread : finding.threads)
    json["threads"].push_back(thread_json(thread));
  return json;
}

Json size_json(const facts::SearchSize& size) {
  return {{"runs", size.runs},
          {"blocked", size.blocked},
          {"open", size.open},
          {"nodes", size.nodes},
          {"peak_nodes", size.peak_nodes},
          {"bytes", size.tree_bytes},
          {"peak_bytes", size.peak_tree_bytes},
          {"set_bytes", size.set_bytes},
          {"peak_set_bytes", size.peak_set_bytes},
          {"on_disk", size.on_disk},
          {"peak_on_disk", size.peak_on_disk},
          {"peak_disk_bytes", size.peak_disk_bytes}};
}

// Reads values and remembers the first that is missing or of another type.
class Reader {
 public:
  const Json& member(const Json& json, const char* key) {
    static const Json kNothing;
    if (!json.is_object()) return fail(key), kNothing;
    auto found = json.find(key);
    return found == json.end() ? (fail(key), kNothing) : *found;
  }
  std::string text(const Json& json, const char* key) {
    const Json& value = member(json, key);
    if (value.is_string()) return value.get<std::string>();
    fail(key);
    return "";
  }
  template <class Number>
  Number number(const Json& json, const char* key) {
    const Json& value = member(json, key);
    if (value.is_number_unsigned() || (value.is_number_integer() && std::is_signed_v<Number>)) {
      auto wide =
          value.get<std::conditional_t<std::is_signed_v<Number>, std::int64_t, std::uint64_t>>();
      if (static_cast<decltype(wide)>(static_cast<Number>(wide)) == wide)
        return static_cast<Number>(wide);
    }
    fail(key);
    return 0;
  }
  bool flag(const Json& json, const char* key) {
    const Json& value = member(json, key);
    if (!value.is_boolean()) fail(key);
    return value.is_boolean() && value.get<bool>();
  }
  const Json& list(const Json& json, const char* key) {
    static const Json kEmpty = Json::array();
    const Json& value = member(json, key);
    return value.is_array() ? value : (fail(key), kEmpty);
  }

  void fail(const char* key) {
    if (bad_key_.empty()) bad_key_ = key;
  }
  const std::string& bad_key() const { return bad_key_; }

 private:
  std::string bad_key_;
};

Frame read_frame(Reader& reader, const Json& json) {
  Frame frame;
  frame.file = reader.text(json, "file");
  frame.line = reader.number<int>(json, "line");
  frame.function = reader.text(json, "function");
  frame.module = reader.text(json, "module");
  frame.offset = reader.number<std::uint64_t>(json, "offset");
  frame.inlined = json.is_object() && json.contains("inlined") && reader.flag(json, "inlined");
  return frame;
}

ThreadSnapshot read_thread(Reader& reader, const Json& json) {
  ThreadSnapshot thread;
  thread.id = reader.number<ThreadId>(json, "id");
  thread.name = reader.text(json, "name");
  thread.state = reader.text(json, "state");
  thread.in_cycle = reader.flag(json, "in_cycle");
  for (const Json& frame : reader.list(json, "stack"))
    thread.stack.push_back(read_frame(reader, frame));
  for (const Json& lock : reader.list(json, "held"))
    thread.held.push_back(
        {reader.text(lock, "what"), read_frame(reader, reader.member(lock, "where"))});
  return thread;
}

Finding read_finding(Reader& reader, const Json& json) {
  Finding finding;
  finding.id = reader.number<int>(json, "id");
  auto kind = facts::finding_kind(reader.text(json, "kind"));
  if (!kind) reader.fail("kind");
  finding.kind = kind.value_or(facts::FindingKind::assertion);
  finding.message = reader.text(json, "message");
  finding.schedule_index = reader.number<std::uint64_t>(json, "schedule_index");
  if (json.is_object() && json.contains("directed_run"))
    finding.directed_run = reader.number<std::uint64_t>(json, "directed_run");
  finding.preemptions = reader.number<std::uint32_t>(json, "preemptions");
  finding.steps = reader.number<std::uint32_t>(json, "steps");
  finding.directory = reader.text(json, "directory");
  finding.thread = reader.number<ThreadId>(json, "thread");
  finding.site = read_frame(reader, reader.member(json, "site"));
  for (const Json& thread : reader.list(json, "threads"))
    finding.threads.push_back(read_thread(reader, thread));
  return finding;
}

}  // namespace

std::string campaign_json(const facts::CampaignResult& result) {
  Json json = {{"schema", kJsonSchema},         {"program", result.program},
               {"strategy", result.strategy},   {"seed", result.seed},
               {"schedules", result.schedules}, {"steps", result.steps},
               {"seconds", result.seconds},     {"complete", result.complete},
               {"guarantee", result.guarantee}, {"limited", result.limited},
               {"blocked", result.blocked},     {"behaviours", result.behaviours}};
  if (result.estimate) {
    // JSON has no number for what is beyond all numbers.
    bool countable = std::isfinite(result.estimate->runs);
    json["estimate"] = {{"runs", countable ? Json(result.estimate->runs) : Json(nullptr)},
                        {"done", result.estimate->done}};
  }
  if (result.directed_runs > 0) {
    json["directed_runs"] = result.directed_runs;
    json["confirmed"] = result.confirmed;
  }
  if (!result.library_races.empty()) json["library_races"] = result.library_races;
  if (!result.stopped.empty()) json["stopped"] = result.stopped;
  if (result.resumed) json["resumed"] = true;
  if (!result.state_file.empty()) json["state_file"] = result.state_file;
  if (result.size.peak_nodes > 0) json["search"] = size_json(result.size);
  if (!result.nondeterminism.empty()) json["nondeterminism"] = result.nondeterminism;
  if (!result.forked_because.empty()) json["forked_because"] = result.forked_because;
  if (!result.unused_events.empty()) json["unused_events"] = result.unused_events;
  json["findings"] = Json::array();
  for (const Finding& finding : result.findings) json["findings"].push_back(to_json(finding));
  return dump(json);
}

std::string finding_json(const Finding& finding) { return dump(to_json(finding)); }

Result<Finding> parse_finding_json(std::string_view text, const std::string& name) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return Error{name + ": not valid JSON"};
  Reader reader;
  Finding finding = read_finding(reader, json);
  if (!reader.bad_key().empty())
    return Error{fmt::format("{}: \"{}\" is missing or has a value that raddle does not understand",
                             name, reader.bad_key())};
  return finding;
}

}  // namespace raddle::report

// SPDX-License-Identifier: Apache-2.0
//
// One list of fields for each record, gone through to write and to read. Engine side.
#include "memo/records_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <type_traits>

namespace raddle::memo {
namespace {

using Json = nlohmann::ordered_json;

template <class Visit>
void fields(Visit& visit, ProgramRecord& program) {
  visit("program", program.path);
  visit("build", program.build);
}

template <class Visit>
void fields(Visit& visit, PlaceRecord& place) {
  fields(visit, place.program);
  visit("module", place.module);
  visit("offset", place.offset);
  visit("site", place.site);
  visit("file", place.file);
  visit("line", place.line);
}

template <class Visit>
void fields(Visit& visit, LearnedRecord& learned) {
  fields(visit, learned.program);
  visit("subject", learned.subject);
  visit("set", learned.set);
  visit("module", learned.module);
  visit("offset", learned.offset);
}

template <class Visit>
void fields(Visit& visit, CampaignRecord& campaign) {
  visit("uid", campaign.uid);
  fields(visit, campaign.program);
  visit("arguments", campaign.arguments);
  visit("input", campaign.input);
  visit("strategy", campaign.strategy);
  visit("seed", campaign.seed);
  visit("begun", campaign.begun);
  visit("ended", campaign.ended);
  visit("runs", campaign.runs);
  visit("behaviours", campaign.behaviours);
  visit("seconds", campaign.seconds);
  visit("complete", campaign.complete);
  visit("guarantee", campaign.guarantee);
}

template <class Visit>
void fields(Visit& visit, SightingRecord& sighting) {
  visit("campaign", sighting.campaign);
  visit("kind", sighting.kind);
  visit("signature", sighting.signature);
  visit("message", sighting.message);
  visit("schedule", sighting.schedule);
  visit("first_seen", sighting.first_seen);
  visit("last_seen", sighting.last_seen);
  visit("times", sighting.times);
}

template <class Visit>
void fields(Visit& visit, PropertyRecord& property) {
  fields(visit, property.program);
  visit("criterion", property.criterion);
  visit("hash", property.hash);
  visit("form", property.form);
  visit("accesses", property.accesses);
  visit("variable", property.variable);
}

template <class Visit>
void fields(Visit& visit, CoverageRecord& coverage) {
  visit("campaign", coverage.campaign);
  visit("criterion", coverage.criterion);
  visit("hash", coverage.hash);
  visit("first_run", coverage.first_run);
  visit("first_seen", coverage.first_seen);
  visit("times", coverage.times);
  visit("predicted", coverage.predicted);
  visit("attempts", coverage.attempts);
  visit("failures", coverage.failures);
}

template <class Visit>
void fields(Visit& visit, GrowthRecord& growth) {
  visit("campaign", growth.campaign);
  visit("criterion", growth.criterion);
  visit("runs", growth.runs);
  visit("covered", growth.covered);
  visit("size", growth.size);
  visit("truncated", growth.truncated);
  visit("growth", growth.growth);
}

template <class Visit>
void fields(Visit& visit, TrainingRecord& training) {
  visit("uid", training.uid);
  fields(visit, training.program);
  visit("arguments", training.arguments);
  visit("input", training.input);
  visit("granularity", training.granularity);
  visit("tolerated", training.tolerated);
  visit("begun", training.begun);
  visit("ended", training.ended);
  visit("runs", training.runs);
  visit("failed", training.failed);
  visit("unchanged", training.unchanged);
}

template <class Visit>
void fields(Visit& visit, InvariantRecord& invariant) {
  visit("training", invariant.training);
  visit("site", invariant.site);
  visit("file", invariant.file);
  visit("line", invariant.line);
  visit("runs", invariant.runs);
  visit("violations", invariant.violations);
}

// In the order of Record.
constexpr const char* kTypes[] = {"program",  "place",    "learned", "campaign", "sighting",
                                  "property", "coverage", "growth",  "training", "invariant"};
static_assert(std::size(kTypes) == std::variant_size_v<Record>);

struct Writer {
  Json& json;
  template <class Value>
  void operator()(const char* name, const Value& value) {
    json[name] = value;
  }
};

// Takes what it needs; the first thing that is wrong is kept.
struct Reader {
  const Json& json;
  std::string problem = {};

  template <class Value>
  void operator()(const char* name, Value& value) {
    auto found = json.find(name);
    if (found == json.end()) return complain(name, "is missing");
    if constexpr (std::is_same_v<Value, std::string>) {
      if (!found->is_string()) return complain(name, "must be a string");
    } else if constexpr (std::is_same_v<Value, bool>) {
      if (!found->is_boolean()) return complain(name, "must be true or false");
    } else if constexpr (std::is_same_v<Value, double>) {
      if (!found->is_number()) return complain(name, "must be a number");
    } else if constexpr (std::is_unsigned_v<Value>) {
      if (!found->is_number_unsigned()) return complain(name, "must be a whole number from 0 on");
    } else {
      if (!found->is_number_integer()) return complain(name, "must be a whole number");
    }
    value = found->get<Value>();
  }

  void complain(const char* name, const char* what) {
    if (problem.empty()) problem = fmt::format("`{}` {}", name, what);
  }
};

template <std::size_t index = 0>
Result<Record> read(const Json& json, const std::string& type) {
  if constexpr (index < std::size(kTypes)) {
    if (type != kTypes[index]) return read<index + 1>(json, type);
    std::variant_alternative_t<index, Record> record;
    Reader reader{json};
    fields(reader, record);
    if (!reader.problem.empty())
      return Error{fmt::format("{} in a {}", reader.problem, type), kExitUsage};
    return Record(std::move(record));
  } else {
    return Error{fmt::format("unknown type `{}`: expected {}", type, fmt::join(kTypes, ", ")),
                 kExitUsage};
  }
}

}  // namespace

std::string print_record(const Record& record) {
  Json json;
  json["type"] = kTypes[record.index()];
  Record copy = record;
  Writer writer{json};
  std::visit([&](auto& each) { fields(writer, each); }, copy);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Record> parse_record(std::string_view line) {
  Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded() || !json.is_object()) return Error{"not an object of JSON", kExitUsage};
  auto type = json.find("type");
  if (type == json.end() || !type->is_string())
    return Error{"`type` is missing or no string", kExitUsage};
  return read(json, type->get<std::string>());
}

}  // namespace raddle::memo

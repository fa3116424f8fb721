// SPDX-License-Identifier: Apache-2.0
//
// What is remembered, as plain values. Engine side. A record names what it belongs to by words and
// never by the number of a row, so it means the same in every database: adding the records of one
// to another is their union.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace raddle::memo {

// One build of a program with the user's libraries that it is loaded with.
struct ProgramRecord {
  std::string path;   // absolute
  std::string build;  // what differs when code does
  friend bool operator==(const ProgramRecord&, const ProgramRecord&) = default;
};

// Where a site is in one build.
struct PlaceRecord {
  ProgramRecord program;
  std::string module;  // basename of the object
  std::uint64_t offset = 0;
  std::string site;  // the same in every build in which the code around it is the same
  std::string file;  // empty if unknown
  std::int64_t line = 0;
  friend bool operator==(const PlaceRecord&, const PlaceRecord&) = default;
};

// A place that a search has learned to be of shared data.
struct LearnedRecord {
  ProgramRecord program;
  std::string subject;  // what was run how: the set is the same for the same subject
  std::string set;      // which of the search's sets
  std::string module;
  std::uint64_t offset = 0;
  friend bool operator==(const LearnedRecord&, const LearnedRecord&) = default;
};

// Of two records of one campaign, that of the later state counts.
struct CampaignRecord {
  std::string uid;  // no two campaigns have the same, wherever they were made
  ProgramRecord program;
  std::string arguments;
  std::string input;  // the file of standard input; empty if there was none
  std::string strategy;
  std::uint64_t seed = 0;
  std::int64_t begun = 0;  // seconds since 1970
  bool ended = false;      // false: it is going on, or was killed
  std::uint64_t runs = 0;
  std::uint64_t behaviours = 0;
  double seconds = 0;
  bool complete = false;
  std::string guarantee;
  friend bool operator==(const CampaignRecord&, const CampaignRecord&) = default;
};

// A finding as one campaign has seen it. Of two records, that of the later state counts.
struct SightingRecord {
  std::string campaign;  // its uid
  std::string kind;
  std::string signature;  // equal for two findings that are the same bug
  std::string message;
  std::string schedule;         // the file to replay it by
  std::int64_t first_seen = 0;  // seconds since 1970
  std::int64_t last_seen = 0;
  std::uint64_t times = 0;  // runs that have shown it
  friend bool operator==(const SightingRecord&, const SightingRecord&) = default;
};

using Record =
    std::variant<ProgramRecord, PlaceRecord, LearnedRecord, CampaignRecord, SightingRecord>;

}  // namespace raddle::memo

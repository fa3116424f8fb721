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

// Something about interleavings that a run can show (analysis/coverage.h). Of two records of one
// property, the words that come first in the alphabet count.
struct PropertyRecord {
  ProgramRecord program;
  std::string criterion;
  std::uint64_t hash = 0;  // of the rest, or where that is empty, of an order of accesses
  std::uint64_t form = 0;  // which of several things the criterion says of the accesses
  // A line for each: kind of operation, thread (`-`: any), the how-manieth (0: any), its site; a
  // blank between. Empty if there are too many to tell.
  std::string accesses;
  std::string variable;  // as the user knows it, a line for each if there are several
  friend bool operator==(const PropertyRecord&, const PropertyRecord&) = default;
};

// What one campaign knows about a property. Of two records the larger numbers count, and the first
// sight.
struct CoverageRecord {
  std::string campaign;  // its uid; it knows the input
  std::string criterion;
  std::uint64_t hash = 0;
  std::uint64_t first_run = 0;  // that has shown it, from 1; 0: none has
  std::int64_t first_seen = 0;  // seconds since 1970; 0: never
  std::uint64_t times = 0;      // runs that have shown it
  bool predicted = false;
  std::uint64_t attempts = 0;  // runs that were made to show it
  std::uint64_t failures = 0;  // of these: that did not
  friend bool operator==(const CoverageRecord&, const CoverageRecord&) = default;
};

// What one campaign has covered of a criterion. Of two records, that of the later state counts.
struct GrowthRecord {
  std::string campaign;
  std::string criterion;
  std::uint64_t runs = 0;  // that were observed
  std::uint64_t covered = 0;
  std::string size;        // of the whole set, by formula, for the accesses of a run; may be empty
  bool truncated = false;  // limits hid some: counts are lower bounds
  std::string growth;      // `RUN:COVERED`, a blank between, where it has grown
  friend bool operator==(const GrowthRecord&, const GrowthRecord&) = default;
};

// A training: correct runs from which invariants were learned (analysis/invariants.h). Of two
// records of one training, that of the later state counts.
struct TrainingRecord {
  std::string uid;  // no two trainings have the same, wherever they were made
  ProgramRecord program;
  std::string arguments;
  std::string input;  // the file of standard input; empty if there was none
  std::string granularity;
  std::uint64_t tolerated = 0;  // runs that may violate an invariant
  std::int64_t begun = 0;       // seconds since 1970
  bool ended = false;           // false: it is going on, or was killed
  std::uint64_t runs = 0;       // that ended well
  std::uint64_t failed = 0;     // runs that did not, and were left out
  std::uint64_t unchanged = 0;  // runs at the end that changed nothing
  friend bool operator==(const TrainingRecord&, const TrainingRecord&) = default;
};

// What a training has seen of one place of code: it is an invariant if no training has violated it
// more often than it tolerates. Of two records, that of the later state counts.
struct InvariantRecord {
  std::string training;  // its uid
  std::string site;      // as in a PlaceRecord
  std::string file;      // empty if unknown
  std::int64_t line = 0;
  std::uint64_t runs = 0;        // that could have violated it
  std::uint64_t violations = 0;  // runs that have
  friend bool operator==(const InvariantRecord&, const InvariantRecord&) = default;
};

using Record =
    std::variant<ProgramRecord, PlaceRecord, LearnedRecord, CampaignRecord, SightingRecord,
                 PropertyRecord, CoverageRecord, GrowthRecord, TrainingRecord, InvariantRecord>;

}  // namespace raddle::memo

// SPDX-License-Identifier: Apache-2.0
//
// The tables of the memo, and how older ones become these. Engine side.
//
// Step i leads from version i to i + 1; a new file takes all of them. Steps that were released are
// never changed: a change is a further step.
#pragma once

namespace raddle::memo {

inline constexpr const char* kSchema[] = {
    R"sql(
CREATE TABLE programs (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  build TEXT NOT NULL,
  UNIQUE (path, build));
CREATE TABLE sites (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE);
CREATE TABLE places (
  program INTEGER NOT NULL REFERENCES programs ON DELETE CASCADE,
  module TEXT NOT NULL,
  offset INTEGER NOT NULL,
  site INTEGER NOT NULL REFERENCES sites,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  PRIMARY KEY (program, module, offset, site, file, line)) WITHOUT ROWID;
CREATE INDEX places_by_site ON places (site);
CREATE TABLE learned_sets (
  id INTEGER PRIMARY KEY,
  program INTEGER NOT NULL REFERENCES programs ON DELETE CASCADE,
  subject TEXT NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (program, subject, name));
CREATE TABLE learned_places (
  learned_set INTEGER NOT NULL REFERENCES learned_sets ON DELETE CASCADE,
  module TEXT NOT NULL,
  offset INTEGER NOT NULL,
  PRIMARY KEY (learned_set, module, offset)) WITHOUT ROWID;
CREATE TABLE campaigns (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  program INTEGER NOT NULL REFERENCES programs ON DELETE CASCADE,
  arguments TEXT NOT NULL,
  input TEXT NOT NULL,
  strategy TEXT NOT NULL,
  seed INTEGER NOT NULL,
  begun INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  behaviours INTEGER NOT NULL,
  seconds REAL NOT NULL,
  complete INTEGER NOT NULL,
  guarantee TEXT NOT NULL);
CREATE INDEX campaigns_by_program ON campaigns (program);
CREATE TABLE findings (
  id INTEGER PRIMARY KEY,
  program INTEGER NOT NULL REFERENCES programs ON DELETE CASCADE,
  kind TEXT NOT NULL,
  signature TEXT NOT NULL,
  UNIQUE (program, kind, signature));
CREATE TABLE sightings (
  campaign INTEGER NOT NULL REFERENCES campaigns ON DELETE CASCADE,
  finding INTEGER NOT NULL REFERENCES findings ON DELETE CASCADE,
  message TEXT NOT NULL,
  schedule TEXT NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (campaign, finding)) WITHOUT ROWID;
CREATE INDEX sightings_by_finding ON sightings (finding);
)sql",
    // Coverage.
    R"sql(
CREATE TABLE properties (
  id INTEGER PRIMARY KEY,
  program INTEGER NOT NULL REFERENCES programs ON DELETE CASCADE,
  criterion TEXT NOT NULL,
  hash INTEGER NOT NULL,
  form INTEGER NOT NULL,
  accesses TEXT NOT NULL,
  variable TEXT NOT NULL,
  UNIQUE (program, criterion, hash));
CREATE TABLE coverage (
  campaign INTEGER NOT NULL REFERENCES campaigns ON DELETE CASCADE,
  property INTEGER NOT NULL REFERENCES properties ON DELETE CASCADE,
  first_run INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  times INTEGER NOT NULL,
  predicted INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  PRIMARY KEY (campaign, property)) WITHOUT ROWID;
CREATE INDEX coverage_by_property ON coverage (property);
CREATE TABLE growth (
  campaign INTEGER NOT NULL REFERENCES campaigns ON DELETE CASCADE,
  criterion TEXT NOT NULL,
  runs INTEGER NOT NULL,
  covered INTEGER NOT NULL,
  size TEXT NOT NULL,
  truncated INTEGER NOT NULL,
  growth TEXT NOT NULL,
  PRIMARY KEY (campaign, criterion)) WITHOUT ROWID;
)sql",
    // Invariants.
    R"sql(
CREATE TABLE trainings (
  id INTEGER PRIMARY KEY,
  uid TEXT NOT NULL UNIQUE,
  program INTEGER NOT NULL REFERENCES programs ON DELETE CASCADE,
  arguments TEXT NOT NULL,
  input TEXT NOT NULL,
  granularity TEXT NOT NULL,
  tolerated INTEGER NOT NULL,
  begun INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  unchanged INTEGER NOT NULL);
CREATE INDEX trainings_by_program ON trainings (program);
CREATE TABLE invariants (
  training INTEGER NOT NULL REFERENCES trainings ON DELETE CASCADE,
  site TEXT NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  violations INTEGER NOT NULL,
  PRIMARY KEY (training, site)) WITHOUT ROWID;
)sql",
};

}  // namespace raddle::memo

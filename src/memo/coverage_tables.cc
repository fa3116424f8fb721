// SPDX-License-Identifier: Apache-2.0
//
// See coverage_tables.h. Engine side.
#include "memo/coverage_tables.h"

#include <fmt/core.h>

namespace raddle::memo {

std::optional<std::int64_t> program_id(Database& database, const ProgramRecord& program) {
  if (!database.run("INSERT INTO programs (path, build) VALUES (?, ?) ON CONFLICT DO NOTHING",
                    {program.path, program.build}))
    return std::nullopt;
  return database.number("SELECT id FROM programs WHERE path = ? AND build = ?",
                         {program.path, program.build});
}

std::optional<std::int64_t> campaign_id(Database& database, const std::string& uid,
                                        const std::string& what) {
  auto campaign = database.number("SELECT id FROM campaigns WHERE uid = ?", {uid});
  if (!campaign)
    database.set_error(fmt::format("{}: {} is of the campaign {}, which is not there",
                                   database.path(), what, uid));
  return campaign;
}

bool put(Database& database, const PropertyRecord& p) {
  auto program = program_id(database, p.program);
  return program && database.run(
                        "INSERT INTO properties (program, criterion, hash, form, accesses, "
                        "variable) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (program, criterion, "
                        "hash) DO UPDATE SET form = excluded.form, accesses = excluded.accesses, "
                        "variable = excluded.variable WHERE (excluded.form, excluded.accesses, "
                        "excluded.variable) < (form, accesses, variable)",
                        {*program, p.criterion, p.hash, p.form, p.accesses, p.variable});
}

bool put(Database& database, const CoverageRecord& c) {
  std::string what = fmt::format("coverage of {} {:016x}", c.criterion, c.hash);
  auto campaign = campaign_id(database, c.campaign, what);
  if (!campaign) return false;
  auto property = database.number(
      "SELECT p.id FROM properties p JOIN campaigns c ON c.program = p.program "
      "WHERE c.id = ? AND criterion = ? AND hash = ?",
      {*campaign, c.criterion, c.hash});
  if (!property) {
    database.set_error(
        fmt::format("{}: {} is of a property that is not there", database.path(), what));
    return false;
  }
  // A first sight of 0 is none, and any other is before it.
  return database.run(
      "INSERT INTO coverage VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (campaign, property) "
      "DO UPDATE SET first_run = CASE WHEN min(first_run, excluded.first_run) > 0 "
      "THEN min(first_run, excluded.first_run) ELSE max(first_run, excluded.first_run) END, "
      "first_seen = CASE WHEN min(first_seen, excluded.first_seen) > 0 "
      "THEN min(first_seen, excluded.first_seen) ELSE max(first_seen, excluded.first_seen) END, "
      "times = max(times, excluded.times), predicted = max(predicted, excluded.predicted), "
      "attempts = max(attempts, excluded.attempts), failures = max(failures, excluded.failures)",
      {*campaign, *property, c.first_run, c.first_seen, c.times, c.predicted, c.attempts,
       c.failures});
}

bool put(Database& database, const GrowthRecord& g) {
  auto campaign = campaign_id(database, g.campaign, fmt::format("the growth of {}", g.criterion));
  return campaign &&
         database.run(
             "INSERT INTO growth VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (campaign, criterion) "
             "DO UPDATE SET runs = excluded.runs, covered = excluded.covered, size = "
             "excluded.size, truncated = excluded.truncated, growth = excluded.growth "
             "WHERE (excluded.runs, excluded.covered, excluded.truncated, excluded.size, "
             "excluded.growth) > (runs, covered, truncated, size, growth)",
             {*campaign, g.criterion, g.runs, g.covered, g.size, g.truncated, g.growth});
}

}  // namespace raddle::memo

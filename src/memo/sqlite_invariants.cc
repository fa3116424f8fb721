// SPDX-License-Identifier: Apache-2.0
//
// See sqlite_invariants.h. Engine side.
#include "memo/sqlite_invariants.h"

#include <fmt/core.h>

namespace raddle::memo {

bool put_training(Database& database, std::int64_t program, const TrainingRecord& t) {
  return database.run(
      "INSERT INTO trainings (uid, program, arguments, input, granularity, tolerated, begun, "
      "ended, runs, failed, unchanged) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (uid) "
      "DO UPDATE SET ended = excluded.ended, runs = excluded.runs, failed = excluded.failed, "
      "unchanged = excluded.unchanged WHERE (excluded.ended, excluded.runs, excluded.failed, "
      "excluded.unchanged) > (ended, runs, failed, unchanged)",
      {t.uid, program, t.arguments, t.input, t.granularity, t.tolerated, t.begun, t.ended, t.runs,
       t.failed, t.unchanged});
}

bool put_invariant(Database& database, const InvariantRecord& i) {
  auto training = database.number("SELECT id FROM trainings WHERE uid = ?", {i.training});
  if (!training) {
    database.set_error(
        fmt::format("{}: an invariant at `{}` is of the training {}, which is not there",
                    database.path(), i.site, i.training));
    return false;
  }
  return database.run(
      "INSERT INTO invariants VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (training, site) DO UPDATE "
      "SET file = excluded.file, line = excluded.line, runs = excluded.runs, violations = "
      "excluded.violations WHERE (excluded.runs, excluded.violations, excluded.file, "
      "excluded.line) > (runs, violations, file, line)",
      {*training, i.site, i.file, i.line, i.runs, i.violations});
}

Result<Invariants> read_invariants(Database& database, const std::string& path,
                                   const std::string& granularity) {
  Transaction transaction(database, "BEGIN");
  Invariants learned;
  bool read =
      transaction.begun() &&
      database.query(
          "SELECT granularity FROM trainings t JOIN programs p ON p.id = program WHERE path = ?1 "
          "AND (?2 = '' OR granularity = ?2) ORDER BY begun DESC, t.runs DESC, uid LIMIT 1",
          [&](const Row& row) {
            learned.granularity = row.text(0);
            return true;
          },
          {path, granularity}) &&
      // Bare columns are taken from the row that has the maximum.
      database.query(
          "SELECT site, file, line, sum(i.runs), sum(violations), max(violations > tolerated) FROM "
          "invariants i JOIN trainings t ON t.id = training JOIN programs p ON p.id = t.program "
          "WHERE path = ? AND granularity = ? GROUP BY site ORDER BY site",
          [&](const Row& row) {
            learned.places.push_back({row.text(0), row.text(1), row.integer(2), row.natural(3),
                                      row.natural(4), row.integer(5) == 0});
            return true;
          },
          {path, learned.granularity});
  if (!read) return database.error();
  return learned;
}

bool read_trainings(Database& database, std::vector<TrainingStats>& trainings) {
  return database.query(
             "SELECT path, granularity, count(*), sum(t.runs), sum(failed) FROM trainings t JOIN "
             "programs "
             "p ON p.id = program GROUP BY path, granularity ORDER BY path, granularity",
             [&](const Row& row) {
               trainings.push_back({row.text(0), row.text(1), row.natural(2), row.natural(3),
                                    row.natural(4), 0, 0});
               return true;
             }) &&
         database.query(
             "SELECT path, granularity, sum(broken = 0), sum(broken = 1) FROM (SELECT path, "
             "granularity, site, max(violations > tolerated) broken FROM invariants i JOIN "
             "trainings t ON t.id = training JOIN programs p ON p.id = t.program GROUP BY path, "
             "granularity, site) GROUP BY path, granularity",
             [&](const Row& row) {
               for (TrainingStats& each : trainings) {
                 if (each.path != row.text(0) || each.granularity != row.text(1)) continue;
                 each.invariants = row.natural(2);
                 each.violated = row.natural(3);
               }
               return true;
             });
}

}  // namespace raddle::memo

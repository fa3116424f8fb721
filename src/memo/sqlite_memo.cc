// SPDX-License-Identifier: Apache-2.0
//
// The memo as an SQLite database: its tables (memo/schema.h) read and written as records. Engine
// side.
#include <fmt/core.h>
#include <sys/random.h>

#include <chrono>
#include <filesystem>

#include "memo/coverage_tables.h"
#include "memo/memo.h"
#include "memo/sqlite_database.h"
#include "memo/sqlite_invariants.h"

namespace raddle::memo {
namespace {

bool put(Database& database, const ProgramRecord& program) {
  return program_id(database, program).has_value();
}

bool put(Database& database, const PlaceRecord& place) {
  auto program = program_id(database, place.program);
  return program &&
         database.run("INSERT INTO sites (key) VALUES (?) ON CONFLICT DO NOTHING", {place.site}) &&
         database.run(
             "INSERT INTO places SELECT ?, ?, ?, id, ?, ? FROM sites WHERE key = ? "
             "ON CONFLICT DO NOTHING",
             {*program, place.module, place.offset, place.file, place.line, place.site});
}

bool put(Database& database, const LearnedRecord& learned) {
  auto program = program_id(database, learned.program);
  return program &&
         database.run(
             "INSERT INTO learned_sets (program, subject, name) VALUES (?, ?, ?) "
             "ON CONFLICT DO NOTHING",
             {*program, learned.subject, learned.set}) &&
         database.run(
             "INSERT INTO learned_places SELECT id, ?, ? FROM learned_sets "
             "WHERE program = ? AND subject = ? AND name = ? ON CONFLICT DO NOTHING",
             {learned.module, learned.offset, *program, learned.subject, learned.set});
}

bool put(Database& database, const CampaignRecord& c) {
  auto program = program_id(database, c.program);
  return program && database.run(
                        "INSERT INTO campaigns (uid, program, arguments, input, strategy, seed, "
                        "begun, ended, runs, behaviours, seconds, complete, guarantee) "
                        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (uid) "
                        "DO UPDATE SET ended = excluded.ended, runs = excluded.runs, behaviours = "
                        "excluded.behaviours, seconds = excluded.seconds, complete = "
                        "excluded.complete, guarantee = excluded.guarantee "
                        "WHERE (excluded.ended, excluded.runs, excluded.seconds, "
                        "excluded.behaviours, excluded.complete, excluded.guarantee) > "
                        "(ended, runs, seconds, behaviours, complete, guarantee)",
                        {c.uid, *program, c.arguments, c.input, c.strategy, c.seed, c.begun,
                         c.ended, c.runs, c.behaviours, c.seconds, c.complete, c.guarantee});
}

bool put(Database& database, const SightingRecord& s) {
  auto campaign = campaign_id(database, s.campaign, fmt::format("a sighting of `{}`", s.signature));
  return campaign &&
         database.run(
             "INSERT INTO findings (program, kind, signature) SELECT program, ?, ? FROM campaigns "
             "WHERE id = ? ON CONFLICT DO NOTHING",
             {s.kind, s.signature, *campaign}) &&
         database.run(
             "INSERT INTO sightings SELECT c.id, f.id, ?, ?, ?, ?, ? FROM campaigns c "
             "JOIN findings f ON f.program = c.program WHERE c.id = ? AND f.kind = ? AND "
             "f.signature = ? ON CONFLICT (campaign, finding) DO UPDATE SET message = "
             "excluded.message, schedule = excluded.schedule, first_seen = excluded.first_seen, "
             "last_seen = excluded.last_seen, times = excluded.times "
             "WHERE (excluded.times, excluded.last_seen, excluded.first_seen, excluded.message, "
             "excluded.schedule) > (times, last_seen, first_seen, message, schedule)",
             {s.message, s.schedule, s.first_seen, s.last_seen, s.times, *campaign, s.kind,
              s.signature});
}

bool put(Database& database, const TrainingRecord& training) {
  auto program = program_id(database, training.program);
  return program && put_training(database, *program, training);
}

bool put(Database& database, const InvariantRecord& invariant) {
  return put_invariant(database, invariant);
}

class SqliteMemo final : public Memo {
 public:
  SqliteMemo(const std::string& path, const MemoOptions& options) : database_(path, options) {}
  Status open() {
    if (!database_.open()) return database_.error();
    return Done{};
  }

  Status add(std::span<const Record> records) override {
    Transaction transaction(database_, "BEGIN IMMEDIATE");
    bool good = transaction.begun();
    for (std::size_t i = 0; good && i < records.size(); ++i)
      good = std::visit([this](const auto& record) { return put(database_, record); }, records[i]);
    if (!good || !transaction.commit()) return database_.error();
    return Done{};
  }

  Status each(const std::function<Status(const Record&)>& visit) override;
  Result<Places> learned(const ProgramRecord& program, const std::string& subject,
                         const std::string& set) override;
  Result<Invariants> invariants(const std::string& path, const std::string& granularity) override {
    return read_invariants(database_, path, granularity);
  }
  Result<Stats> stats() override;
  Result<std::uint64_t> forget(const std::string& path) override;

 private:
  Database database_;
};

Status SqliteMemo::each(const std::function<Status(const Record&)>& visit) {
  Transaction transaction(database_, "BEGIN");
  if (!transaction.begun()) return database_.error();
  Status status = Done{};
  auto all = [&](const char* sql, auto&& record) {
    bool read = database_.query(sql, [&](const Row& row) {
      status = visit(record(row));
      return bool(status);
    });
    if (!read) status = database_.error();
    return bool(status);
  };
  auto program = [](const Row& row) { return ProgramRecord{row.text(0), row.text(1)}; };
  bool good =
      all("SELECT path, build FROM programs ORDER BY 1, 2", program) &&
      all("SELECT path, build, module, offset, key, file, line FROM places "
          "JOIN programs p ON p.id = program JOIN sites s ON s.id = site "
          "ORDER BY 1, 2, 3, 4, 5, 6, 7",
          [&](const Row& row) {
            return PlaceRecord{program(row), row.text(2), row.natural(3),
                               row.text(4),  row.text(5), row.integer(6)};
          }) &&
      all("SELECT path, build, subject, name, module, offset FROM learned_places "
          "JOIN learned_sets l ON l.id = learned_set JOIN programs p ON p.id = l.program "
          "ORDER BY 1, 2, 3, 4, 5, 6",
          [&](const Row& row) {
            return LearnedRecord{program(row), row.text(2), row.text(3), row.text(4),
                                 row.natural(5)};
          }) &&
      all("SELECT path, build, uid, arguments, input, strategy, seed, begun, ended, runs, "
          "behaviours, seconds, complete, guarantee FROM campaigns "
          "JOIN programs p ON p.id = program ORDER BY begun, uid",
          [&](const Row& row) {
            return CampaignRecord{row.text(2),     program(row),        row.text(3),
                                  row.text(4),     row.text(5),         row.natural(6),
                                  row.integer(7),  row.integer(8) != 0, row.natural(9),
                                  row.natural(10), row.real(11),        row.integer(12) != 0,
                                  row.text(13)};
          }) &&
      all("SELECT uid, kind, signature, message, schedule, first_seen, last_seen, times "
          "FROM sightings JOIN campaigns c ON c.id = campaign "
          "JOIN findings f ON f.id = finding ORDER BY 6, 1, 2, 3",
          [](const Row& row) {
            return SightingRecord{row.text(0), row.text(1),    row.text(2),    row.text(3),
                                  row.text(4), row.integer(5), row.integer(6), row.natural(7)};
          }) &&
      each_coverage(all) && each_training(all);
  return good ? Status(Done{}) : status;
}

Result<Memo::Places> SqliteMemo::learned(const ProgramRecord& program, const std::string& subject,
                                         const std::string& set) {
  Places places;
  bool read = database_.query(
      "SELECT module, offset FROM learned_places JOIN learned_sets l ON l.id = learned_set "
      "JOIN programs p ON p.id = l.program WHERE path = ? AND build = ? AND subject = ? AND "
      "name = ? ORDER BY module, offset",
      [&](const Row& row) { return places.emplace_back(row.text(0), row.natural(1)), true; },
      {program.path, program.build, subject, set});
  if (!read) return database_.error();
  return places;
}

Result<Stats> SqliteMemo::stats() {
  Transaction transaction(database_, "BEGIN");
  Stats stats;
  bool read =
      transaction.begun() &&
      database_.query(
          "SELECT path, count(*), (SELECT count(DISTINCT site) FROM places JOIN programs q ON "
          "q.id = program WHERE q.path = p.path), (SELECT count(*) FROM (SELECT DISTINCT "
          "l.program, module, offset FROM learned_places JOIN learned_sets l ON l.id = "
          "learned_set JOIN programs q ON q.id = l.program WHERE q.path = p.path)), (SELECT "
          "count(*) FROM campaigns JOIN programs q ON q.id = program WHERE q.path = p.path), "
          "(SELECT ifnull(sum(runs), 0) FROM campaigns JOIN programs q ON q.id = program WHERE "
          "q.path = p.path), (SELECT count(DISTINCT kind || ' ' || signature) FROM findings JOIN "
          "programs q ON q.id = program WHERE q.path = p.path), (SELECT count(*) FROM (SELECT "
          "DISTINCT criterion, hash FROM properties r JOIN programs q ON q.id = r.program WHERE "
          "q.path = p.path AND EXISTS (SELECT 1 FROM coverage WHERE property = r.id AND times > "
          "0))) FROM programs p GROUP BY path ORDER BY path",
          [&](const Row& row) {
            stats.programs.push_back({row.text(0), row.natural(1), row.natural(2), row.natural(3),
                                      row.natural(4), row.natural(5), row.natural(6),
                                      row.natural(7)});
            return true;
          }) &&
      // Of several messages, that of the first sighting (SQLite takes bare columns from the row
      // that has the minimum).
      database_.query(
          "SELECT path, kind, message, sum(times), count(*), min(first_seen) FROM sightings "
          "JOIN findings f ON f.id = finding JOIN programs p ON p.id = f.program "
          "GROUP BY path, kind, signature ORDER BY path, kind, signature",
          [&](const Row& row) {
            stats.findings.push_back(
                {row.text(0), row.text(1), row.text(2), row.natural(3), row.natural(4)});
            return true;
          });
  read = read && read_trainings(database_, stats.trainings);
  if (read) {
    auto sites = database_.number("SELECT count(*) FROM sites");
    stats.sites = static_cast<std::uint64_t>(sites.value_or(0));
    read = sites.has_value();
  }
  if (!read) return database_.error();
  return stats;
}

Result<std::uint64_t> SqliteMemo::forget(const std::string& path) {
  Transaction transaction(database_, "BEGIN IMMEDIATE");
  bool good = transaction.begun() &&
              database_.run("DELETE FROM programs WHERE ?1 = '' OR path = ?1", {path});
  std::uint64_t builds = database_.changes();
  good = good && database_.run("DELETE FROM sites WHERE id NOT IN (SELECT site FROM places)") &&
         transaction.commit();
  if (!good) return database_.error();
  return builds;
}

}  // namespace

Result<std::unique_ptr<Memo>> open_memo(const std::string& path, const MemoOptions& options) {
  std::error_code ignored;
  if (!options.create && !std::filesystem::exists(path, ignored))
    return Error{fmt::format("there is no {}: nothing has been remembered yet", path), kExitUsage};
  auto memo = std::make_unique<SqliteMemo>(path, options);
  if (Status opened = memo->open(); !opened) return opened.error();
  return std::unique_ptr<Memo>(std::move(memo));
}

std::string new_uid() {
  // 80 random bits behind 48 of the time in microseconds, which wrap after nine years.
  std::uint64_t random[2] = {};
  // Without the kernel's random numbers, time and process would have to do: it always has some.
  RADDLE_CHECK(getrandom(random, sizeof random, 0) == sizeof random);
  auto now = std::chrono::system_clock::now().time_since_epoch();
  auto time = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(now).count());
  return fmt::format("{:012x}{:04x}{:016x}", time & 0xffff'ffff'ffff, random[0] & 0xffff,
                     random[1]);
}

}  // namespace raddle::memo

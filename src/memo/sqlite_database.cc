// SPDX-License-Identifier: Apache-2.0
//
// SQLite behind memo/sqlite_database.h. Engine side; the only file that knows its interface.
//
// The file carries an application id, so that no other program's database is taken for a memo, and
// as its user version the number of steps of memo/schema.h that it has taken.
#include "memo/sqlite_database.h"

#include <fmt/core.h>
#include <sqlite3.h>
#include <time.h>

#include <filesystem>

namespace raddle::memo {
namespace {

constexpr std::int64_t kApplicationId = 0x7261646d;  // "radm"
constexpr const char* kLeftAlone =
    "it was left as it is; move it away (or do without: `raddle test --no-memo`, in unit tests "
    "RADDLE_ATOMICITY=off)";

}  // namespace

std::string Row::text(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  auto bytes = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return data == nullptr ? std::string() : std::string(static_cast<const char*>(data), bytes);
}

std::int64_t Row::integer(int column) const { return sqlite3_column_int64(statement_, column); }
double Row::real(int column) const { return sqlite3_column_double(statement_, column); }

void Value::bind(sqlite3_stmt* statement, int index) const {
  if (auto text = std::get_if<const std::string*>(&value_))
    sqlite3_bind_text(statement, index, (*text)->data(), static_cast<int>((*text)->size()),
                      SQLITE_TRANSIENT);
  else if (auto real = std::get_if<double>(&value_))
    sqlite3_bind_double(statement, index, *real);
  else
    sqlite3_bind_int64(statement, index, std::get<std::int64_t>(value_));
}

Database::~Database() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

bool Database::worked(int code) {
  if (code == SQLITE_OK) return true;
  std::string words = handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      set_error(fmt::format("{} is not a memory of raddle's: {}; {}", path_, words, kLeftAlone));
      break;
    case SQLITE_CORRUPT:
      set_error(fmt::format("{} is damaged: {}; {}", path_, words, kLeftAlone));
      break;
    case SQLITE_BUSY:
      set_error(fmt::format("{}: another process has kept it locked for {:.1f} s", path_,
                            std::chrono::duration<double>(options_.busy).count()));
      break;
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
      if (options_.disk_trouble != nullptr) *options_.disk_trouble = true;
      [[fallthrough]];
    default:
      set_error(fmt::format("cannot use {}: {}", path_, words));
  }
  return false;
}

bool Database::script(const char* sql) {
  return worked(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr));
}

bool Database::query(const char* sql, const std::function<bool(const Row&)>& each, Values values) {
  sqlite3_stmt*& statement = statements_[sql];
  if (statement == nullptr && !worked(sqlite3_prepare_v2(handle_, sql, -1, &statement, nullptr)))
    return false;
  int index = 0;
  for (const Value& value : values) value.bind(statement, ++index);
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW)
    if (!each(Row(statement))) break;
  bool good = code == SQLITE_DONE || code == SQLITE_ROW || worked(code);
  sqlite3_reset(statement);
  return good;
}

bool Database::run(const char* sql, Values values) {
  return query(
      sql, [](const Row&) { return true; }, values);
}

std::optional<std::int64_t> Database::number(const char* sql, Values values) {
  std::optional<std::int64_t> found;
  auto take = [&](const Row& row) {
    found = row.integer(0);
    return false;
  };
  if (!query(sql, take, values)) return std::nullopt;
  return found;
}

std::uint64_t Database::changes() const {
  return static_cast<std::uint64_t>(sqlite3_changes64(handle_));
}

// Whether closing leaves the log alone instead of writing it into the file.
void Database::keep_log(bool keep) {
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep ? 1 : 0, nullptr);
}

// Reads only.
Database::State Database::look() {
  auto id = number("PRAGMA application_id");
  auto version = id ? number("PRAGMA user_version") : std::nullopt;
  auto tables = version ? number("SELECT count(*) FROM sqlite_master") : std::nullopt;
  if (!tables) return State::refused;
  if (*id == 0 && *version == 0 && *tables == 0) return State::empty;
  if (*id != kApplicationId) {
    set_error(fmt::format("{} is not a memory of raddle's, but another program's database; {}",
                          path_, kLeftAlone));
    return State::refused;
  }
  return look_at_contents(*version);
}

// As of one moment: another process may be about to create it.
Database::State Database::look_at_once() {
  Transaction moment(*this, "BEGIN");
  return moment.begun() ? look() : State::refused;
}

Database::State Database::look_at_contents(std::int64_t version) {
  auto ours = static_cast<std::int64_t>(options_.schema.size());
  if (version > ours) {
    set_error(
        fmt::format("{} was written by a newer raddle: it has version {}, this one knows versions "
                    "up to {}; {}",
                    path_, version, ours, kLeftAlone));
    return State::refused;
  }
  std::string found;
  auto take = [&](const Row& row) {
    found = row.text(0);
    return false;
  };
  if (!query("PRAGMA quick_check(1)", take)) return State::refused;
  if (version < 1) found = "its version is missing";
  if (ends_within_page()) found = "its last page is not all there";
  if (found == "ok") return version == ours ? State::current : State::older;
  set_error(fmt::format("{} is damaged: {}; {}", path_, found, kLeftAlone));
  return State::refused;
}

// SQLite takes what is missing of the last page for zeros. While there is a log, the file may be
// about to be written.
bool Database::ends_within_page() {
  std::error_code ignored;
  std::uintmax_t log = std::filesystem::file_size(path_ + "-wal", ignored);
  if (!ignored && log > 0) return false;
  std::uintmax_t size = std::filesystem::file_size(path_, ignored);
  auto page = number("PRAGMA page_size");
  return !ignored && page && size % static_cast<std::uintmax_t>(*page) != 0;
}

bool Database::migrate() {
  Transaction transaction(*this, "BEGIN IMMEDIATE");
  if (!transaction.begun()) return false;
  State state = look();  // another process may have been quicker
  if (state == State::refused) return false;
  auto version = static_cast<std::size_t>(number("PRAGMA user_version").value_or(0));
  for (; version < options_.schema.size(); ++version) {
    if (script(options_.schema[version])) continue;
    set_error(fmt::format("{} cannot be brought from version {} to {}: {}", path_, version,
                          version + 1, error_.message));
    return false;
  }
  std::string versions = fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                     kApplicationId, options_.schema.size());
  return script(versions.c_str()) && transaction.commit();
}

// Changing to a write-ahead log needs the file for itself, and does not wait for it.
bool Database::use_log() {
  // The log survives the death of the process without being forced to the disk at every commit.
  if (!script("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")) return false;
  auto deadline = std::chrono::steady_clock::now() + options_.busy;
  while (!script("PRAGMA journal_mode = WAL")) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    timespec pause{0, 10'000'000};
    nanosleep(&pause, nullptr);
  }
  return true;
}

bool Database::open() {
  int flags = SQLITE_OPEN_READWRITE | (options_.create ? SQLITE_OPEN_CREATE : 0);
  if (!worked(sqlite3_open_v2(path_.c_str(), &handle_, flags, nullptr))) return false;
  sqlite3_busy_timeout(handle_, static_cast<int>(options_.busy.count()));
  keep_log(true);
  if (sqlite3_db_readonly(handle_, "main") != 0) {
    set_error(fmt::format("{} cannot be written: it is read-only", path_));
    return false;
  }
  State state = look_at_once();
  // First the log, for files that are accepted: with it, less is forced to the disk.
  if (state == State::refused || !use_log() || (state != State::current && !migrate()))
    return false;
  keep_log(false);
  return true;
}

Transaction::~Transaction() {
  if (!open_) return;
  Error first = database_.error();
  database_.script("ROLLBACK");  // fails where SQLite has done so already
  database_.set_error(first.message);
}

bool Transaction::commit() {
  if (!database_.script("COMMIT")) return false;
  open_ = false;
  return true;
}

}  // namespace raddle::memo

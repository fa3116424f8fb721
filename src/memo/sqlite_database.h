// SPDX-License-Identifier: Apache-2.0
//
// Database: an SQLite database with a write-ahead log that is known to be a memo, of this version.
// Engine side. Only sqlite_database.cc includes SQLite's header.
//
// Statements say by true or false whether they worked; error() says what the last one that did not
// had met.
#pragma once

#include <concepts>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "memo/memo.h"

struct sqlite3;
struct sqlite3_stmt;

namespace raddle::memo {

// A row of a result.
class Row {
 public:
  explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
  std::string text(int column) const;
  std::int64_t integer(int column) const;
  std::uint64_t natural(int column) const { return static_cast<std::uint64_t>(integer(column)); }
  double real(int column) const;

 private:
  sqlite3_stmt* statement_;
};

// A parameter of a statement.
class Value {
 public:
  Value(const std::string& text) : value_(&text) {}  // NOLINT: implicit on purpose
  Value(double number) : value_(number) {}           // NOLINT: implicit on purpose
  Value(std::integral auto number)                   // NOLINT: implicit on purpose
      : value_(static_cast<std::int64_t>(number)) {}
  void bind(sqlite3_stmt* statement, int index) const;

 private:
  std::variant<const std::string*, double, std::int64_t> value_;
};

using Values = std::initializer_list<Value>;

class Database {
 public:
  Database(std::string path, const MemoOptions& options)
      : path_(std::move(path)), options_(options) {}
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  // Creates the file or accepts it, and brings it to this version. Nothing is written to a file
  // that is not accepted, not even what its own log holds.
  bool open();

  // Several statements without parameters.
  bool script(const char* sql);
  // `sql` is a literal: statements are kept by its address. `each` says whether to go on.
  bool query(const char* sql, const std::function<bool(const Row&)>& each, Values values = {});
  bool run(const char* sql, Values values = {});
  // The number in the first column of the first row, if there is one.
  std::optional<std::int64_t> number(const char* sql, Values values = {});
  // Rows that the last statement has changed.
  std::uint64_t changes() const;

  const Error& error() const { return error_; }
  void set_error(const std::string& what) { error_ = {what, kExitUsage}; }
  const std::string& path() const { return path_; }

 private:
  enum class State { empty, older, current, refused };

  bool worked(int code);
  State look();
  State look_at_once();
  State look_at_contents(std::int64_t version);
  bool ends_within_page();
  bool migrate();
  bool use_log();
  void keep_log(bool keep);

  std::string path_;
  MemoOptions options_;
  sqlite3* handle_ = nullptr;
  std::map<const char*, sqlite3_stmt*> statements_;
  Error error_;
};

// What is undone unless it is committed.
class Transaction {
 public:
  Transaction(Database& database, const char* begin)
      : database_(database), open_(database.script(begin)) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  bool begun() const { return open_; }
  bool commit();

 private:
  Database& database_;
  bool open_;
};

}  // namespace raddle::memo

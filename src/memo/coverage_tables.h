// SPDX-License-Identifier: Apache-2.0
//
// The tables about coverage, read and written as records; and what all tables need. Engine side.
// Adding a record is a union: whichever way and however often records come, the same remains.
#pragma once

#include "memo/sqlite_database.h"

namespace raddle::memo {

// The row of the program, added if it is not there.
std::optional<std::int64_t> program_id(Database& database, const ProgramRecord& program);
// The row of the campaign; if there is none, the error says that `what` belongs to it.
std::optional<std::int64_t> campaign_id(Database& database, const std::string& uid,
                                        const std::string& what);

bool put(Database& database, const PropertyRecord& property);
// The property has to be there.
bool put(Database& database, const CoverageRecord& coverage);
bool put(Database& database, const GrowthRecord& growth);

// The three tables by `all(sql, record)`, which says whether to go on.
template <class All>
bool each_coverage(All&& all) {
  return all("SELECT path, build, criterion, hash, form, accesses, variable FROM properties "
             "JOIN programs p ON p.id = program ORDER BY 1, 2, 3, 4",
             [](const Row& row) {
               return PropertyRecord{{row.text(0), row.text(1)},
                                     row.text(2),
                                     row.natural(3),
                                     row.natural(4),
                                     row.text(5),
                                     row.text(6)};
             }) &&
         all("SELECT uid, criterion, hash, first_run, first_seen, times, predicted, attempts, "
             "failures FROM coverage JOIN campaigns c ON c.id = campaign "
             "JOIN properties p ON p.id = property ORDER BY 1, 2, 3",
             [](const Row& row) {
               return CoverageRecord{row.text(0),         row.text(1),    row.natural(2),
                                     row.natural(3),      row.integer(4), row.natural(5),
                                     row.integer(6) != 0, row.natural(7), row.natural(8)};
             }) &&
         all("SELECT uid, criterion, g.runs, covered, size, truncated, growth FROM growth g "
             "JOIN campaigns c ON c.id = campaign ORDER BY 1, 2",
             [](const Row& row) {
               return GrowthRecord{row.text(0), row.text(1),         row.natural(2), row.natural(3),
                                   row.text(4), row.integer(5) != 0, row.text(6)};
             });
}

}  // namespace raddle::memo

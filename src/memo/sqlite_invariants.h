// SPDX-License-Identifier: Apache-2.0
//
// Trainings and invariants in the tables of the memo (memo/schema.h). Engine side; for
// sqlite_memo.cc.
//
// Every training keeps counts of its own, which only grow: of two states of one training the later
// one counts, and what two trainings say of a place is never added up in the database but when it
// is asked for. So a union of databases is commutative, associative and idempotent, and what one
// training has violated stays violated, whatever others say.
#pragma once

#include "memo/sqlite_database.h"

namespace raddle::memo {

// `program`: the row of the training's program.
bool put_training(Database& database, std::int64_t program, const TrainingRecord& training);
bool put_invariant(Database& database, const InvariantRecord& invariant);

Result<Invariants> read_invariants(Database& database, const std::string& path,
                                   const std::string& granularity);
bool read_trainings(Database& database, std::vector<TrainingStats>& trainings);

// Every training, then every invariant: `all` takes a query and a function from a row to a record,
// and says whether to go on.
template <class All>
bool each_training(All& all) {
  return all("SELECT path, build, uid, arguments, input, granularity, tolerated, begun, ended, "
             "runs, failed, unchanged FROM trainings JOIN programs p ON p.id = program ORDER BY "
             "begun, uid",
             [](const Row& row) {
               TrainingRecord training;
               training.program = {row.text(0), row.text(1)};
               training.uid = row.text(2);
               training.arguments = row.text(3);
               training.input = row.text(4);
               training.granularity = row.text(5);
               training.tolerated = row.natural(6);
               training.begun = row.integer(7);
               training.ended = row.integer(8) != 0;
               training.runs = row.natural(9);
               training.failed = row.natural(10);
               training.unchanged = row.natural(11);
               return training;
             }) &&
         all("SELECT uid, site, file, line, i.runs, violations FROM invariants i JOIN trainings t "
             "ON t.id = training ORDER BY begun, uid, site",
             [](const Row& row) {
               return InvariantRecord{row.text(0),    row.text(1),    row.text(2),
                                      row.integer(3), row.natural(4), row.natural(5)};
             });
}

}  // namespace raddle::memo

// SPDX-License-Identifier: Apache-2.0
// leveldb used by several threads, in the program under test: two writers and a reader share a
// database in memory, and leveldb's own thread compacts it. Batches are atomic: whoever reads the
// two keys of a batch in one snapshot sees the same value in both.
#include <leveldb/db.h>
#include <leveldb/env.h>
#include <leveldb/write_batch.h>
#include <memenv.h>

#include <cassert>
#include <memory>
#include <string>
#include <thread>

namespace {

constexpr int kRounds = 2;

leveldb::DB* db;

void write(int writer) {
  for (int i = 0; i < kRounds; ++i) {
    std::string value = std::to_string(writer * 10 + i);
    leveldb::WriteBatch batch;
    batch.Put("left", value);
    batch.Put("right", value);
    batch.Put("own" + std::to_string(writer), value);
    assert(db->Write(leveldb::WriteOptions(), &batch).ok());
  }
}

void read() {
  for (int i = 0; i < kRounds; ++i) {
    leveldb::ReadOptions options;
    options.snapshot = db->GetSnapshot();
    std::string left, right;
    leveldb::Status first = db->Get(options, "left", &left);
    leveldb::Status second = db->Get(options, "right", &right);
    assert(first.ok() == second.ok() && left == right);
    db->ReleaseSnapshot(options.snapshot);
  }
}

void compact() { db->CompactRange(nullptr, nullptr); }

}  // namespace

int main() {
  std::unique_ptr<leveldb::Env> memory(leveldb::NewMemEnv(leveldb::Env::Default()));
  leveldb::Options options;
  options.create_if_missing = true;
  options.env = memory.get();
  assert(leveldb::DB::Open(options, "/db", &db).ok());
  {
    std::thread a(write, 1), b(write, 2), c(read), d(compact);
    a.join();
    b.join();
    c.join();
    d.join();
  }
  for (int writer = 1; writer <= 2; ++writer) {
    std::string value;
    assert(db->Get(leveldb::ReadOptions(), "own" + std::to_string(writer), &value).ok());
    assert(value == std::to_string(writer * 10 + kRounds - 1));
  }
  delete db;
}

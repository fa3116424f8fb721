// SPDX-License-Identifier: Apache-2.0
//
// Sorted files of open nodes, read in both directions, and what a disk may do to them. Tests only.
#include "search/spilled_nodes.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include "base/rng.h"

namespace raddle::search {
namespace {

using ::testing::HasSubstr;

class SpilledNodesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/raddle-nodes-test-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  SpilledNode random_node(std::uint32_t most_deltas) {
    SpilledNode node{rng_.next(),
                     {rng_.next(), static_cast<float>(rng_.below(1000)) / 7},
                     static_cast<NodeId>(rng_.next()),
                     {}};
    for (std::uint32_t i = 0, count = 1 + rng_.below(most_deltas); i < count; ++i)
      node.deltas.push_back({static_cast<std::uint32_t>(rng_.next()),
                             static_cast<std::uint16_t>(rng_.next()),
                             static_cast<std::uint8_t>(rng_.next()), rng_.below(2) == 0});
    return node;
  }
  Result<SpilledNodes> written(const std::vector<SpilledNode>& nodes) {
    Result<SpilledNodes> file = SpilledNodes::create(directory_);
    for (const SpilledNode& node : nodes) EXPECT_TRUE(file->push(node));
    EXPECT_TRUE(file->finish());
    return file;
  }
  // The descriptor of the one nameless file in our directory.
  int descriptor() {
    for (int fd = 3; fd < 1024; ++fd) {
      char target[4096];
      ssize_t length = readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), target, 4096);
      if (length > 0 && std::string_view(target, static_cast<std::size_t>(length))
                            .starts_with(std::filesystem::canonical(directory_).string()))
        return fd;
    }
    return -1;
  }

  std::string directory_;
  Rng rng_{1};
};

TEST_F(SpilledNodesTest, TheLastWrittenIsOnTop) {
  for (std::uint32_t most_deltas : {1u, 30u, 20000u}) {
    std::vector<SpilledNode> nodes;
    for (int i = 0; i < (most_deltas > 1000 ? 40 : 5000); ++i)
      nodes.push_back(random_node(most_deltas));
    Result<SpilledNodes> file = written(nodes);
    std::uint64_t whole = file->disk_bytes();
    SpilledNodes::Reader reader(*file);
    ASSERT_TRUE(reader.start());
    for (const SpilledNode& node : nodes) {
      ASSERT_EQ(reader.current(), node);
      ASSERT_TRUE(reader.next());
    }
    EXPECT_EQ(reader.left(), 0u);
    EXPECT_EQ(file->size(), nodes.size());
    for (std::size_t i = nodes.size(); i > 0; --i) {
      ASSERT_EQ(file->top(), nodes[i - 1]);
      ASSERT_TRUE(file->pop());
      if (i == nodes.size() / 4) {
        EXPECT_LT(file->disk_bytes(), whole / 2) << "space is given back";
      }
    }
    EXPECT_TRUE(file->empty());
    EXPECT_EQ(file->disk_bytes(), 0u);
  }
}

TEST_F(SpilledNodesTest, APartlyUsedFileIsReadToItsEnd) {
  std::vector<SpilledNode> nodes;
  for (int i = 0; i < 100; ++i) nodes.push_back(random_node(9));
  Result<SpilledNodes> file = written(nodes);
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(file->pop());
  SpilledNodes::Reader reader(*file);
  ASSERT_TRUE(reader.start());
  std::size_t at = 0;
  for (; reader.left() > 0; ++at) {
    ASSERT_EQ(reader.current(), nodes[at]);
    ASSERT_TRUE(reader.next());
  }
  EXPECT_EQ(at, 40u);
}

TEST_F(SpilledNodesTest, ARecordWithAFlippedBitIsNone) {
  for (int round = 0; round < 20; ++round) {
    SpilledNode node = random_node(5), read;
    std::vector<char> record;
    encode(node, record);
    ASSERT_EQ(encoded_size(record.data(), record.size()), record.size());
    ASSERT_TRUE(decode(record.data(), record.size(), read));
    EXPECT_EQ(read, node);
    for (std::size_t bit = 0; bit < record.size() * 8; ++bit) {
      record[bit / 8] = static_cast<char>(record[bit / 8] ^ (1 << bit % 8));
      ASSERT_FALSE(decode(record.data(), record.size(), read)) << "bit " << bit;
      record[bit / 8] = static_cast<char>(record[bit / 8] ^ (1 << bit % 8));
    }
    EXPECT_FALSE(decode(record.data(), record.size() - 8, read));
    EXPECT_FALSE(decode(record.data(), 8, read));
  }
}

TEST_F(SpilledNodesTest, ADiskThatForgetsIsNoticed) {
  std::vector<SpilledNode> nodes;
  for (int i = 0; i < 5000; ++i) nodes.push_back(random_node(3));
  Result<SpilledNodes> file = written(nodes);
  int fd = descriptor();
  ASSERT_GE(fd, 0);
  ASSERT_EQ(pwrite(fd, "damage", 6, 100), 6);
  SpilledNodes::Reader reader(*file);
  Status status = reader.start();
  while (status && reader.left() > 0) status = reader.next();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "a temporary file in " + directory_ +
                                        " no longer holds what was written of the state of the "
                                        "search");
  std::size_t popped = 0;
  for (status = Done{}; status && !file->empty(); ++popped) status = file->pop();
  ASSERT_FALSE(status);
  EXPECT_GT(popped, 4900u);
  EXPECT_THAT(status.error().message, HasSubstr("no longer holds"));

  Result<SpilledNodes> cut = written(nodes);
  file = Error{"closed"};
  ASSERT_EQ(ftruncate(descriptor(), 1000), 0);
  for (status = Done{}; status && !cut->empty();) status = cut->pop();
  EXPECT_FALSE(status);
}

}  // namespace
}  // namespace raddle::search

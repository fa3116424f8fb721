// SPDX-License-Identifier: Apache-2.0
// moodycamel::ConcurrentQueue used as it is meant to be, in the program under test: two producers
// (one with a token, one without) and two consumers; every element arrives once, and those of one
// producer arrive in order at a consumer that reads with a token.
#include <concurrentqueue/concurrentqueue.h>

#include <cassert>
#include <thread>
#include <vector>

namespace {

constexpr int kEach = 5;

struct Item {
  int producer;
  int number;
};

struct SmallBlocks : moodycamel::ConcurrentQueueDefaultTraits {
  static const std::size_t BLOCK_SIZE = 2;  // several blocks come and go within a few elements
};

using Queue = moodycamel::ConcurrentQueue<Item, SmallBlocks>;

void produce_with_token(Queue& queue) {
  moodycamel::ProducerToken token(queue);
  for (int i = 0; i < kEach; ++i) queue.enqueue(token, Item{0, i});
}

void produce_without(Queue& queue) {
  for (int i = 0; i < kEach; ++i) queue.enqueue(Item{1, i});
}

void consume(Queue& queue, std::vector<Item>& seen) {
  moodycamel::ConsumerToken token(queue);
  Item item;
  for (int tries = 0; tries < 2 * kEach; ++tries) {
    if (queue.try_dequeue(token, item)) seen.push_back(item);
  }
}

}  // namespace

int main() {
  Queue queue(4);
  std::vector<Item> seen[2];
  {
    std::thread a(produce_with_token, std::ref(queue)), b(produce_without, std::ref(queue));
    std::thread c(consume, std::ref(queue), std::ref(seen[0]));
    std::thread d(consume, std::ref(queue), std::ref(seen[1]));
    a.join();
    b.join();
    c.join();
    d.join();
  }
  int count[2][kEach] = {};
  for (const auto& list : seen) {
    int last[2] = {-1, -1};
    for (const Item& item : list) {
      assert(item.number > last[item.producer]);
      last[item.producer] = item.number;
      ++count[item.producer][item.number];
    }
  }
  Item item;
  while (queue.try_dequeue(item)) ++count[item.producer][item.number];
  for (const auto& row : count) {
    for (int times : row) assert(times == 1);
  }
}

// SPDX-License-Identifier: Apache-2.0
// A memory-bound kernel: two threads sort their halves of an array by radix, ROUNDS times.
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

static void radix_sort(std::uint32_t* data, std::uint32_t* scratch, std::size_t size) {
  for (int shift = 0; shift < 32; shift += 8) {
    std::size_t count[257] = {};
    for (std::size_t i = 0; i < size; ++i) ++count[((data[i] >> shift) & 255) + 1];
    for (int b = 0; b < 256; ++b) count[b + 1] += count[b];
    for (std::size_t i = 0; i < size; ++i) scratch[count[(data[i] >> shift) & 255]++] = data[i];
    std::uint32_t* swap = data;
    data = scratch;
    scratch = swap;
  }
}

int main(int, char** argv) {
  std::size_t size = static_cast<std::size_t>(atol(argv[1]));
  int rounds = atoi(argv[2]);
  std::vector<std::uint32_t> data(2 * size), scratch(2 * size);
  auto work = [&](std::size_t half) {
    std::uint32_t state = 12345 + static_cast<std::uint32_t>(half);
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < size; ++i)
        data[half * size + i] = state = state * 1664525 + 1013904223;
      radix_sort(&data[half * size], &scratch[half * size], size);
    }
  };
  std::thread first(work, 0), second(work, 1);
  first.join();
  second.join();
  for (std::size_t i = 1; i < size; ++i)
    if (data[i - 1] > data[i]) return 1;
}

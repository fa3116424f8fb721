// SPDX-License-Identifier: Apache-2.0
// A radix-2 FFT of 2^LOG points by THREADS threads that meet at a barrier after every stage: a
// kernel whose accesses are all to data that other threads have written.
#include <pthread.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <thread>
#include <vector>

using Complex = std::complex<double>;

static std::vector<Complex> values, roots;
static pthread_barrier_t stage_done;

static void transform(unsigned me, unsigned threads, unsigned log) {
  std::size_t size = std::size_t{1} << log, half = size / 2;
  for (unsigned stage = 0; stage < log; ++stage) {
    std::size_t span = std::size_t{1} << stage;
    for (std::size_t i = half * me / threads; i < half * (me + 1) / threads; ++i) {
      std::size_t low = (i / span) * 2 * span + i % span;
      Complex turned = values[low + span] * roots[(i % span) * (half / span)];
      values[low + span] = values[low] - turned;
      values[low] += turned;
    }
    pthread_barrier_wait(&stage_done);
  }
}

int main(int, char** argv) {
  auto log = static_cast<unsigned>(atoi(argv[1]));
  auto threads = static_cast<unsigned>(atoi(argv[2]));
  std::size_t size = std::size_t{1} << log;
  for (std::size_t i = 0; i < size; ++i) values.emplace_back(static_cast<double>(i % 17), 0.0);
  for (std::size_t i = 0; i < size / 2; ++i)
    roots.push_back(
        std::polar(1.0, -2 * M_PI * static_cast<double>(i) / static_cast<double>(size)));
  pthread_barrier_init(&stage_done, nullptr, threads);
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t) all.emplace_back(transform, t, threads, log);
  for (auto& thread : all) thread.join();
}

// SPDX-License-Identifier: Apache-2.0
// For training: two threads smooth the rows of an image of floats and count its bytes, in arrays of
// elements of several sizes, and meet at a barrier after every pass. Neighbours read what the other
// has written at the border.
#include <pthread.h>

#include <cstdlib>
#include <thread>
#include <vector>

static constexpr int kWidth = 512;
static std::vector<float> image, smooth;
static std::vector<unsigned char> levels;
static std::vector<double> sums;
static pthread_barrier_t pass_done;

static void work(int me, int rows, int passes) {
  int first = rows / 2 * me, last = first + rows / 2;
  unsigned long histogram[256] = {};
  for (int pass = 0; pass < passes; ++pass) {
    for (int row = first; row < last; ++row)
      for (int column = 0; column < kWidth; ++column) {
        int above = row > 0 ? row - 1 : row, below = row + 1 < rows ? row + 1 : row;
        float around = image[above * kWidth + column] + image[below * kWidth + column];
        smooth[row * kWidth + column] = (image[row * kWidth + column] * 2 + around) / 4;
        levels[row * kWidth + column] = static_cast<unsigned char>(around);
        ++histogram[levels[row * kWidth + column]];
        sums[row] += smooth[row * kWidth + column];
      }
    pthread_barrier_wait(&pass_done);
    for (int row = first; row < last; ++row)
      for (int column = 0; column < kWidth; ++column)
        image[row * kWidth + column] = smooth[row * kWidth + column];
    pthread_barrier_wait(&pass_done);
  }
}

int main(int, char** argv) {
  int rows = atoi(argv[1]), passes = atoi(argv[2]);
  for (int i = 0; i < rows * kWidth; ++i) image.push_back(static_cast<float>(i % 251));
  smooth.resize(image.size());
  levels.resize(image.size());
  sums.resize(rows);
  pthread_barrier_init(&pass_done, nullptr, 2);
  std::thread upper(work, 0, rows, passes), lower(work, 1, rows, passes);
  upper.join();
  lower.join();
}

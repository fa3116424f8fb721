// SPDX-License-Identifier: Apache-2.0
// Races of several shapes, by the first argument: on one number, on an array that is filled in a
// loop, on a number that is written twice.
#include <cstring>
#include <thread>

static int number = 5;
alignas(8) static int array[2];
static volatile int seen, count = 2;

static void store_number() { number = 7; }
static void load_number() { seen = number; }
static void fill_array() {
  for (int i = 0; i < count; ++i) array[i] = i + 1;
}
static void load_array() { seen = array[0]; }
static void store_twice() {
  number = 1;
  number = 2;
}

int main(int argc, char** argv) {
  const char* shape = argc > 1 ? argv[1] : "number";
  bool is_array = strcmp(shape, "array") == 0, is_twice = strcmp(shape, "twice") == 0;
  std::thread writer(is_array ? fill_array : is_twice ? store_twice : store_number);
  std::thread reader(is_array ? load_array : load_number);
  writer.join();
  reader.join();
}

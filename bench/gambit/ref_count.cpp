// SPDX-License-Identifier: Apache-2.0
//
// An object that counts its users in a table of counts. The bug: a count is decremented and then
// looked at, so two threads that let go at a time both see zero, and both free. The fix: the
// decrement itself tells who was last. A test of bench/gambit.
#include <atomic>

#include "gambit.h"

namespace {

struct Blob {
  int value = 42;
};

// The row outlives the object, so that a count can be looked at when the object is gone.
struct Row {
  std::atomic<int> users{0};
  Blob* blob = new Blob;
};

template <bool fixed>
class Pointer {
 public:
  explicit Pointer(Row* row) : row_(row) { row_->users.fetch_add(1); }
  Pointer(const Pointer& from) : row_(from.row_) { row_->users.fetch_add(1); }
  Pointer& operator=(const Pointer&) = delete;
  ~Pointer() {
    const int before = row_->users.fetch_sub(1);
    const bool last = fixed ? before == 1 : row_->users.load() == 0;
    if (last) delete row_->blob;
  }
  int value() const { return row_->blob->value; }

 private:
  Row* row_;
};

// Whoever is last frees, be it the one that made it.
template <bool fixed>
void test() {
  Row row;
  gambit::Thread one, two;
  Pointer<fixed> first(&row);
  auto use = [](const Pointer<fixed>& mine) { RADDLE_ASSERT(mine.value() == 42); };
  one.start([mine = first, use] { use(mine); });
  two.start([mine = first, use] { use(mine); });
  use(Pointer<fixed>(first));
}

}  // namespace

const gambit::Test gambit::ref_count{"ref_count", "double-free",
                                     "the count is looked at after it was decremented", test<false>,
                                     test<true>};

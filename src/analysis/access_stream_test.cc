// SPDX-License-Identifier: Apache-2.0
//
// Which events are accesses, and to which variables.
#include "analysis/access_stream.h"

#include <gtest/gtest.h>

#include <map>

#include "testing/trace_text.h"

namespace raddle::analysis {
namespace {

using trace_text::trace;

// Writes down what it is told: "1r0 2w0 0/1": thread, role, variable; a variable split.
class Notes final : public AccessSink {
 public:
  void on_access(const SharedAccess& access) override {
    add(std::to_string(access.thread) + "rwuLURV"[static_cast<unsigned>(access.role)] +
        std::to_string(access.variable));
    last = access;
  }
  void on_split(std::uint32_t from, std::uint32_t to) override {
    add(std::to_string(from) + "/" + std::to_string(to));
  }
  void on_forget() override { ++forgotten; }

  std::string text;
  SharedAccess last;
  unsigned forgotten = 0;

 private:
  void add(const std::string& word) { text += (text.empty() ? "" : " ") + word; }
};

std::string notes(const std::string& text) {
  AccessStream stream;
  Notes sink;
  stream.begin();
  for (const wire::Event& event : trace(text)) stream.read(event, sink);
  return sink.text;
}

TEST(AccessStream, RolesOfOperations) {
  EXPECT_EQ(notes("1 r x; 1 w x; 2 load x; 2 store x; 1 free x"), "1r0 1w0 2r0 2w0 1w0");
  EXPECT_EQ(notes("1 u x; 1 cas x; 1 cas! x"), "1u0 1u0 1r0");
  EXPECT_EQ(notes("1 lock m; 1 unlock m; 1 try! m; 1 try m; 1 unlock m"), "1L0 1U0 1L0 1U0");
  EXPECT_EQ(notes("1 rd l; 2 rd l; 1 rwunlock l; 2 rwunlock l; 1 wr l; 1 rwunlock l"),
            "1R0 2R0 1V0 2V0 1L0 1U0");
  EXPECT_EQ(notes("1 post s; 1 create 2; 2 exit; 1 join 2"), "");
}

TEST(AccessStream, ALockTakenAgainIsNotTaken) {
  EXPECT_EQ(notes("1 lock m; 1 lock m; 1 unlock m; 1 unlock m; 1 unlock m"), "1L0 1U0");
  EXPECT_EQ(notes("1 lock m; 2 unlock m"), "1L0 2U0") << "libc lets it go";
}

TEST(AccessStream, VariablesAreBytesTouchedTogether) {
  EXPECT_EQ(notes("1 w x+0/1; 1 w x+1/1; 1 w x+0/1"), "1w0 1w1 1w0");
  EXPECT_EQ(notes("1 w x+0/8; 1 r x+0/4; 1 r x+4/4; 1 r x+0/8"), "1w0 0/1 1r1 1r0 1r0 1r1");
  EXPECT_EQ(notes("1 w x+2/4; 1 r x+0/4"), "1w0 0/1 1r1 1r2");
  EXPECT_EQ(notes("1 w x+4/8"), "1w0 1w1") << "words of eight bytes";
  EXPECT_EQ(notes("1 w x; 1 lock x"), "1w0 1L1") << "a lock is not the bytes it is made of";
}

TEST(AccessStream, OperationsAndHeldLocks) {
  AccessStream stream;
  Notes sink;
  stream.begin();
  EXPECT_EQ(stream.ops(1), 1u);
  EXPECT_TRUE(stream.held(1).empty());
  for (const wire::Event& event : trace("1 lock m; 1 post s; 2 r y; 1 w x; 1 r z*"))
    stream.read(event, sink);
  EXPECT_EQ(sink.last.op, 4u) << "when a remembered access was made is not known";
  EXPECT_TRUE(sink.last.remembered);
  EXPECT_EQ(sink.last.index, 4u);
  EXPECT_EQ(stream.ops(1), 4u);
  EXPECT_EQ(stream.ops(2), 2u);
  ASSERT_EQ(stream.held(1).size(), 1u);
  EXPECT_EQ(stream.held(1)[0].site, 1u);
  EXPECT_EQ(stream.held(1)[0].op, 2u);
  for (const wire::Event& event : trace("1 w x+0/64")) stream.read(event, sink);
  EXPECT_TRUE(sink.last.wide);
  for (const wire::Event& event : trace("1 exit")) stream.read(event, sink);
  EXPECT_TRUE(stream.held(1).empty());
}

TEST(AccessStream, ForgetsWhenThereAreTooMany) {
  AccessStream stream;
  Notes sink;
  stream.begin();
  wire::Event event = trace("1 w x")[0];
  for (std::uint32_t i = 0; i < kVariablesMax + 100; ++i) {
    event.where = wire::make_location(wire::Region::heap, i, 0);
    stream.read(event, sink);
    ASSERT_LT(sink.last.variable, kVariablesMax);
    sink.text.clear();
  }
  EXPECT_EQ(sink.forgotten, 1u);
}

}  // namespace
}  // namespace raddle::analysis

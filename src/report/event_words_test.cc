// SPDX-License-Identifier: Apache-2.0
//
// Events in words, and the places they are attributed to.
#include "report/event_words.h"

#include <gtest/gtest.h>
#include <string.h>

#include "report/fake_names.h"
#include "wire/address_step.h"

namespace raddle::report {
namespace {

using wire::Event;
using wire::OpKind;

class EventWordsTest : public testing::Test {
 protected:
  EventWordsTest() {
    names_.variable(8, "x");
    names_.site(1, "a.cpp", 3, "f");
    names_.site(2, "/usr/include/c++/12/bits/std_mutex.h", 100, "std::mutex::lock");
    names_.site(3, "/usr/include/c++/12/bits/atomic_base.h", 5, "std::__atomic_base<int>::load")
        .site(3, "a.cpp", 7, "g");
  }
  Event event(OpKind kind, std::uint64_t value = 0, std::uint8_t flags = 0,
              std::uint16_t size = 4) {
    Event result{};
    result.kind = kind;
    result.value = value;
    result.flags = flags;
    wire::OpClass cls = wire::op_class(kind);
    if (cls != wire::OpClass::thread && cls != wire::OpClass::global && kind != OpKind::yield)
      result.where = FakeNames::global(8);
    result.size = wire::is_memory_access(kind) ? size : std::uint16_t{0};
    return result;
  }
  std::string words(const Event& event, std::vector<ThreadId> others = {}) {
    return event_words(event, others, names_);
  }
  FakeNames names_;
};

TEST_F(EventWordsTest, SayWhatElseAKindStandsFor) {
  EXPECT_EQ(words(event(OpKind::signal_handle)), "is cancelled");
  Event connects = event(OpKind::io_connect);
  EXPECT_EQ(words(connects), "connect x");
  connects.size = static_cast<std::uint16_t>(wire::AddressStep::bind);
  EXPECT_EQ(words(connects), "bind x");
  connects.size = static_cast<std::uint16_t>(wire::AddressStep::listen);
  EXPECT_EQ(words(connects), "listen x");
}

TEST_F(EventWordsTest, SayWhatWasDoneToWhatWithWhichValue) {
  EXPECT_EQ(words(event(OpKind::mutex_lock, 77)), "lock x");
  EXPECT_EQ(words(event(OpKind::mutex_try_lock, 0, wire::kEventFailed)), "try-lock x (failed)");
  EXPECT_EQ(words(event(OpKind::plain_read, 100)), "read x = 100");
  EXPECT_EQ(words(event(OpKind::plain_write, 100)), "write x (was 100)");
  EXPECT_EQ(words(event(OpKind::plain_write, 9, wire::kEventRemembered)), "write x (earlier)");
  EXPECT_EQ(words(event(OpKind::atomic_cas, 3, wire::kEventFailed)),
            "atomic-cas x (failed, was 3)");
  EXPECT_EQ(words(event(OpKind::atomic_cas, 3)), "atomic-cas x (was 3)");
  EXPECT_EQ(words(event(OpKind::memory_free, 0, 0, 64)), "free x");
  EXPECT_EQ(words(event(OpKind::value, 3)), "value 3");
  EXPECT_EQ(words(event(OpKind::yield)), "yield");
  EXPECT_EQ(words(event(OpKind::thread_exit)), "ends");
  EXPECT_EQ(words(event(OpKind::thread_create, 1), {1, 2}), "create T1, T2");
  EXPECT_EQ(words(event(OpKind::thread_create, kNoThread, wire::kEventFailed), {kNoThread}),
            "create (failed)");
}

// The name stands in the events after it, in pieces.
TEST_F(EventWordsTest, NamesOfEvents) {
  auto named = [&](const std::string& name) {
    std::vector<Event> events = {event(OpKind::event)};
    for (std::size_t at = 0; at < name.size(); at += wire::kEventNameChunk) {
      std::string chunk = name.substr(at, wire::kEventNameChunk);
      chunk.resize(wire::kEventNameChunk);
      Event part = event(OpKind::event_name);
      memcpy(&part.where, chunk.data(), sizeof part.where);
      memcpy(&part.value, chunk.data() + sizeof part.where, sizeof part.value);
      events.push_back(part);
    }
    events.push_back(event(OpKind::mutex_lock));
    return event_name(events, 0);
  };
  EXPECT_EQ(words(event(OpKind::event)), "event");
  EXPECT_EQ(named(""), "");
  EXPECT_EQ(named("a"), "a");
  EXPECT_EQ(named("exactly sixteen!"), "exactly sixteen!");
  EXPECT_EQ(named("one more than 16."), "one more than 16.");
  EXPECT_EQ(named(std::string(100, 'x')), std::string(100, 'x'));
  Event other = event(OpKind::event_name);
  other.thread = 3;
  EXPECT_EQ(event_name(std::vector<Event>{event(OpKind::event), other}, 0), "");
  EXPECT_EQ(event_name(std::vector<Event>{event(OpKind::event)}, 0), "");
}

TEST_F(EventWordsTest, ValuesAreSignedNumbersOfTheirSizeOrAddresses) {
  EXPECT_EQ(words(event(OpKind::plain_read, 0xffffffd8)), "read x = -40");
  EXPECT_EQ(words(event(OpKind::plain_read, 0xff, 0, 1)), "read x = -1");
  EXPECT_EQ(words(event(OpKind::plain_read, ~0ull, 0, 8)), "read x = -1");
  EXPECT_EQ(words(event(OpKind::plain_read, 0x7ffff7a00010, 0, 8)), "read x = 0x7ffff7a00010");
  EXPECT_EQ(words(event(OpKind::plain_read, 5, 0, 64)), "read x");
}

TEST_F(EventWordsTest, PlacesAreTheUsers) {
  Event inlined = event(OpKind::atomic_load);
  inlined.site = 3;
  // The caller's site is taken from the value of a synchronisation event.
  Event lock = event(OpKind::mutex_lock, wire::pack_caller(1));
  lock.site = 2;
  // Without it, the last known place of the thread is only a hint.
  Event anonymous = lock;
  anonymous.value = 0;
  Event other = anonymous;
  other.thread = 5;
  // The value of a load is a value, even if it looks like a site.
  Event load = event(OpKind::atomic_load, 1);
  load.site = 2;
  load.thread = 6;
  std::vector<Event> events = {inlined, lock, anonymous, other, load};
  facts::EventStacks none;
  EventPlaces places(names_, events, none);
  ASSERT_NE(places.place(0).frame, nullptr);
  EXPECT_EQ(places.place(0).frame->line, 7);
  EXPECT_EQ(places.place(1).frame->line, 3);
  EXPECT_EQ(places.place(1).library, "");
  EXPECT_EQ(places.place(2).frame->line, 3);
  EXPECT_EQ(places.place(2).library, "std::mutex::lock");
  EXPECT_EQ(places.place(3).frame, nullptr);
  EXPECT_EQ(places.place(4).frame, nullptr);
}

TEST_F(EventWordsTest, CallStacksLeadFromALibraryToTheUser) {
  Event load = event(OpKind::atomic_load);
  load.site = 2;
  std::vector<Event> events = {load, load};
  facts::EventStacks stacks;
  stacks.add({2, 2, 1});  // library, library, user
  stacks.add({2, 2});
  EventPlaces places(names_, events, stacks);
  ASSERT_NE(places.place(0).frame, nullptr);
  EXPECT_EQ(places.place(0).frame->line, 3);
  EXPECT_EQ(places.place(0).library, "");
  EXPECT_EQ(places.place(1).library, "std::mutex::lock");
}

}  // namespace
}  // namespace raddle::report

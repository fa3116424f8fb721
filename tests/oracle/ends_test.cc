// SPDX-License-Identifier: Apache-2.0
//
// How executions end, and numbers of traces, against results derived by hand.
#include "oracle/ends.h"

#include <gtest/gtest.h>

#include "oracle/emit_proofs.h"
#include "oracle/ops.h"
#include "oracle/proofs.h"

namespace raddle::oracle {
namespace {

constexpr std::size_t kMany = 1000000;

std::uint64_t traces(const Program& program) {
  const Traces found = count_traces(program, kMany);
  EXPECT_FALSE(found.cut);
  EXPECT_FALSE(found.broken);
  return found.count;
}

EndsCensus ends_of(const Program& program) {
  EndsCensus census = find_ends(program, kMany);
  EXPECT_FALSE(census.cut);
  return census;
}

using Words = std::set<std::string>;
using Races = std::set<Race>;

const Op leaves = ends(Do::leave);

TEST(OracleTraces, CountsOrdersOfDependentStepsOnly) {
  // A write comes before, between or after the reads.
  EXPECT_EQ(traces(program({load(p2, 0), load(p2, 1)}, {{store(p2, 1)}})), 3u);
  EXPECT_EQ(traces(program({load(p2, 0), load(p2, 1), load(p2, 2), load(p2, 3)}, {{store(p2, 1)}})),
            5u);
  EXPECT_EQ(traces(program({load(p2, 0), load(p2, 1)}, {{load(p2, 0)}})), 1u);
  EXPECT_EQ(traces(program({store(p0, 1)}, {{store(p1, 1)}})), 1u);
  // 4! / (2! 2!) orders of writes.
  EXPECT_EQ(traces(program({store(p2, 1), store(p2, 2)}, {{store(p2, 3), store(p2, 4)}})), 6u);
  // Store buffering: each load before or after the other's store, but not both before.
  EXPECT_EQ(traces(program({write(a0, 1), read(a1, 0)}, {{write(a1, 1), read(a0, 0)}})), 3u);
}

TEST(OracleTraces, KnowsBytesOfAWord) {
  EXPECT_EQ(traces(program({store(p01, 0x21)}, {{load(p0, 0)}, {load(p1, 0)}})), 4u);
  EXPECT_EQ(traces(program({store(p01, 0x21)}, {{load(p2, 0)}})), 1u);
  EXPECT_EQ(ends_of(program({store(p01, 0x21), store(p1, 3)}, {{load(p01, 0)}})).possible.finals,
            (Words{"1 3 0 0 0 0 0 -|4 0 0 0 0 0 0|1 0 0 0 0 0 0",
                   "1 3 0 0 0 0 0 -|4 0 0 0 0 0 0|1 33 0 0 0 0 0",
                   "1 3 0 0 0 0 0 -|4 0 0 0 0 0 0|1 49 0 0 0 0 0"}));
}

TEST(OracleTraces, CountsUpdatesOfDetachedThreads) {
  // 12! / (4! 4! 4!).
  const Ops adds(4, add(a0, -1));
  EXPECT_EQ(traces(left_alone({}, leaves, {adds, adds, adds})), 34650u);
  EXPECT_EQ(traces(left_alone({}, leaves, {{add(a0, -1)}})), 1u);
  EXPECT_EQ(ends_of(left_alone({}, leaves, {{add(a0, 0)}})).possible.finals,
            (Words{"0 0 0 1 0 0 0 exit 0|2 0 0 0 0 0 0|1 0 0 0 0 0 0"}));
}

TEST(OracleTraces, LetsReadersOfALockPassEachOther) {
  const auto under = [](Do how, Op op) { return Ops{does(how), op, does(Do::rw_unlock)}; };
  const Ops reader = under(Do::read_lock, load(p2, 0));
  const Ops writer = under(Do::write_lock, store(p2, 1));
  // Each reader before or after the writer.
  EXPECT_EQ(traces(program(reader, {reader, writer})), 4u);
  EXPECT_EQ(traces(program(reader, {reader})), 1u);
  EXPECT_EQ(traces(program(writer, {writer, writer})), 6u);
}

TEST(OracleTraces, CountsLocksAndWaits) {
  const Ops section = {does(Do::lock), does(Do::unlock)};
  EXPECT_EQ(traces(program(section, {section, section})), 6u);
  // The first section is over before the try, has not begun, or makes it fail.
  const Ops tries = {does(Do::try_lock, m0, 0), only_if(0, 1, does(Do::unlock))};
  EXPECT_EQ(traces(program(section, {tries})), 3u);
  // Lost, or wakes the waiter.
  const Ops waits = {does(Do::lock), does(Do::wait), does(Do::unlock)};
  EXPECT_EQ(traces(program(waits, {{does(Do::signal)}})), 2u);
  // In either order of the two: nobody waits yet; one does, and takes the mutex back before or
  // after the other has it; both do, and one of them is woken.
  EXPECT_EQ(traces(program(waits, {waits, {does(Do::signal)}})), 2u * (1 + 2 + 2));
  EXPECT_EQ(traces(program({does(Do::post)}, {{does(Do::sem_wait)}})), 1u);
}

TEST(OracleEnds, HasTwoTracesOfTwoExits) {
  const Program two = left_alone({}, leaves, {{ends(Do::exit, 1)}, {ends(Do::exit, 2)}});
  Program joined = two;
  joined.threads[0] = {does(Do::create, 1), does(Do::create, 2), does(Do::join, 1), leaves};
  EXPECT_EQ(traces(joined), 2u);
  EXPECT_EQ(ends_of(joined).possible.finals,
            (Words{"0 0 0 0 0 0 0 exit 1|2 0 0 0 0 0 0|1 0 0 0 0 0 0|0 0 0 0 0 0 0",
                   "0 0 0 0 0 0 0 exit 2|2 0 0 0 0 0 0|0 0 0 0 0 0 0|1 0 0 0 0 0 0"}));
  EXPECT_EQ(ends_of(joined).possible.failures, Words{});
  EXPECT_EQ(traces(two), 3u);
}

TEST(OracleEnds, RunsHandlersInReverseBesideTheOthers) {
  Program handled = left_alone({}, leaves, {{load(p2, 0)}});
  handled.handlers[0] = {{store(p2, 1)}, {store(p2, 2)}};
  handled.handlers[1] = {{store(p2, 3)}};
  EXPECT_EQ(traces(handled), 3u);
  EXPECT_EQ(ends_of(handled).possible.finals.size(), 3u);
  EXPECT_EQ(ends_of(handled).possible.races, (Races{{101, 401}, {101, 501}}));
  handled.threads[0].back().what = Do::quick_exit;
  EXPECT_EQ(ends_of(handled).possible.finals.size(), 2u);
  EXPECT_EQ(ends_of(handled).possible.races, (Races{{101, 601}}));
  // A handler needs what a thread holds that has ended.
  handled.handlers[1] = {{does(Do::lock)}};
  handled.threads[1] = {does(Do::lock)};
  EXPECT_EQ(ends_of(handled).possible.failures, Words{"deadlock"});
  EXPECT_TRUE(ends_of(handled).stuck);
}

TEST(OracleEnds, EndsWithThreadsThatWait) {
  const Program waits = left_alone({}, leaves, {{does(Do::sem_wait), store(p2, 1)}});
  EXPECT_EQ(ends_of(waits).possible.failures, Words{});
  EXPECT_EQ(ends_of(waits).possible.finals.size(), 1u);
  Program never = waits;  // main ends by pthread_exit
  never.threads[0].pop_back();
  EXPECT_EQ(ends_of(never).possible.failures, Words{"deadlock"});
  EXPECT_EQ(ends_of(never).possible.finals, Words{});
  // Two who wait for each other are a deadlock for those who look at circles.
  const Program circle = left_alone(
      {}, leaves,
      {{does(Do::lock, m0), does(Do::lock, m1)}, {does(Do::lock, m1), does(Do::lock, m0)}});
  EXPECT_TRUE(ends_of(circle).early);
  EXPECT_EQ(ends_of(circle).possible.failures, Words{"deadlock"});
  EXPECT_EQ(ends_of(circle).certain.failures, Words{});
  EXPECT_EQ(ends_of(circle).certain.finals.size(), 2u);
}

TEST(OracleEnds, StopsAtUsesOfAFreedBlock) {
  const Op frees = does(Do::free_block);
  EXPECT_EQ(ends_of(program({frees}, {{load(h0, 0)}})).possible.failures,
            Words{"use-after-free 101"});
  EXPECT_EQ(ends_of(program({frees}, {{load(h0, 0)}})).possible.races, (Races{{2, 101}}));
  EXPECT_EQ(ends_of(program({frees}, {{read(h1, 0)}})).possible.races, (Races{{2, 101}}));
  const EndsCensus locked = ends_of(program({frees}, {{does(Do::lock, mh), does(Do::unlock, mh)}}));
  EXPECT_EQ(locked.possible.failures, (Words{"use-after-free 101", "use-after-free 102"}));
  EXPECT_EQ(locked.possible.races, Races{});
  EXPECT_EQ(ends_of(program({frees}, {{frees}})).possible.failures,
            (Words{"double-free 101", "double-free 2"}));
  EXPECT_EQ(ends_of(program({frees}, {{frees}})).possible.finals, Words{});
  // Ordered by a flag: two traces, no failure, and no race if the flag releases and acquires.
  for (Order order : {Order::relaxed, Order::seq_cst}) {
    const Program flag =
        program({read(a0, 0, order), only_if(0, 1, frees)}, {{load(h0, 0), write(a0, 1, order)}});
    EXPECT_EQ(ends_of(flag).possible.failures, Words{});
    EXPECT_EQ(ends_of(flag).possible.races.size(), order == Order::relaxed ? 1u : 0u);
    EXPECT_EQ(traces(flag), 2u);
  }
}

TEST(OracleEnds, RepeatsOperations) {
  Op twice = does(Do::repeat, 1);
  EXPECT_EQ(traces(program({load(p2, 0), twice}, {{store(p2, 1)}})), 3u);
  EXPECT_EQ(traces(program({add(a0, 0), twice}, {{add(a0, 0), twice}})), 6u);
}

TEST(OracleProofs, ChoosesTheSameProgramForTheSameNumbers) {
  for (unsigned number = 0; number < 20; ++number) {
    const Proof proof = choose_proof(1, number);
    EXPECT_EQ(json(number, proof), json(number, choose_proof(1, number)));
    EXPECT_FALSE(proof.ends.possible.finals.empty() && proof.ends.possible.failures.empty());
    EXPECT_GE(proof.ends.executions, proof.traces.count);
    EXPECT_GE(proof.traces.count, proof.ends.possible.finals.size());
  }
}

TEST(OracleProofs, EmitsEachOperationOnTheLineOfItsSite) {
  Program handled = left_alone({load(p01, 0)}, ends(Do::exit, 3), {{only_if(0, 0, load(h0, 1))}});
  handled.handlers[0] = {{store(p2, 1), does(Do::repeat, 1)}};
  const std::string c = emit_proofs({{7, handled}});
  EXPECT_NE(c.find("#line 2\n  { unsigned short w = p7_v.p01; r0 = (w & 15) | (w >> 4 & 240); "
                   "BARRIER; keep(0, r0, r1, r2, r3, r4, r5); }\n"),
            std::string::npos)
      << c;
  EXPECT_NE(c.find("#line 3\n  { asks(0, 3); exit(3); }\n"), std::string::npos);
  EXPECT_NE(c.find("#line 101\n  if (r0 == 0) { r1 = block()->h0; BARRIER; keep(1, "),
            std::string::npos);
  EXPECT_NE(c.find("#line 401\n  for (int n = 0; n < 2; ++n) { { p7_v.p2 = 1; BARRIER; keep(4, "),
            std::string::npos);
  EXPECT_NE(c.find("pthread_create(&h1, &detached, p7_t1, 0)"), std::string::npos);
  EXPECT_NE(c.find("if (atexit(p7_t4)) abort();\n  if (atexit(ends) || at_quick_exit(ends))"),
            std::string::npos);
}

TEST(OracleEnds, HasTheChecksumOfZlib) { EXPECT_EQ(crc32("123456789"), 0xcbf43926u); }

}  // namespace
}  // namespace raddle::oracle

// SPDX-License-Identifier: Apache-2.0
//
// The meaning of every synchronisation object, transition by transition, and what SyncObject says
// for them. How they behave together is tested on toy programs (tests/testing).
#include "model/sync_object.h"

#include <gtest/gtest.h>

namespace raddle::model {
namespace {

constexpr ThreadId kA = 1;
constexpr ThreadId kB = 2;
constexpr SiteId kSite = 77;

TEST(Mutex, NormalLetsNobodyInWhileHeld) {
  Mutex m;
  EXPECT_TRUE(m.grants(kA));
  EXPECT_EQ(m.lock(kA, kSite), 0);
  EXPECT_EQ(m.owner, kA);
  EXPECT_EQ(m.acquired_at, kSite);
  EXPECT_FALSE(m.grants(kA));
  EXPECT_FALSE(m.grants(kB));
  EXPECT_EQ(m.try_lock(kA, kSite), EBUSY);
  EXPECT_EQ(m.try_lock(kB, kSite), EBUSY);
  EXPECT_EQ(m.unlock(kA), 0);
  EXPECT_EQ(m.owner, kNoThread);
  EXPECT_EQ(m.depth, 0u);
  EXPECT_TRUE(m.grants(kB));
}

TEST(Mutex, NormalCanBeUnlockedByAnybody) {
  Mutex m;
  EXPECT_EQ(m.unlock(kA), 0);
  EXPECT_EQ(m.depth, 0u);
  m.lock(kA, kSite);
  EXPECT_EQ(m.unlock(kB), 0);
  EXPECT_EQ(m.owner, kNoThread);
}

TEST(Mutex, RecursiveCountsItsOwner) {
  Mutex m;
  m.type = MutexType::recursive;
  EXPECT_EQ(m.lock(kA, kSite), 0);
  EXPECT_TRUE(m.grants(kA));
  EXPECT_FALSE(m.grants(kB));
  EXPECT_EQ(m.lock(kA, kSite + 1), 0);
  EXPECT_EQ(m.try_lock(kA, kSite + 2), 0);
  EXPECT_EQ(m.depth, 3u);
  EXPECT_EQ(m.acquired_at, kSite);
  EXPECT_EQ(m.try_lock(kB, kSite), EBUSY);
  EXPECT_EQ(m.unlock(kB), EPERM);
  EXPECT_EQ(m.unlock(kA), 0);
  EXPECT_EQ(m.unlock(kA), 0);
  EXPECT_EQ(m.owner, kA);
  EXPECT_EQ(m.unlock(kA), 0);
  EXPECT_EQ(m.owner, kNoThread);
  EXPECT_EQ(m.unlock(kA), EPERM);
}

TEST(Mutex, ErrorCheckRefusesItsOwner) {
  Mutex m;
  m.type = MutexType::error_check;
  EXPECT_EQ(m.lock(kA, kSite), 0);
  EXPECT_TRUE(m.grants(kA));  // returns at once, with an error
  EXPECT_EQ(m.lock(kA, kSite), EDEADLK);
  EXPECT_EQ(m.try_lock(kA, kSite), EBUSY);
  EXPECT_EQ(m.depth, 1u);
  EXPECT_EQ(m.unlock(kB), EPERM);
  EXPECT_EQ(m.unlock(kA), 0);
  EXPECT_EQ(m.unlock(kA), EPERM);
}

TEST(RwLock, ReadersShareAWriterDoesNot) {
  RwLock l;
  EXPECT_EQ(l.lock_read(kA), 0);
  EXPECT_TRUE(l.grants_read(kB));
  EXPECT_FALSE(l.grants_write(kB));
  EXPECT_FALSE(l.grants_write(kA));
  EXPECT_EQ(l.lock_read(kB), 0);
  EXPECT_EQ(l.try_lock_write(kA, kSite), EBUSY);
  EXPECT_EQ(l.unlock(kA), 0);
  EXPECT_FALSE(l.grants_write(kA));
  EXPECT_EQ(l.unlock(kB), 0);
  EXPECT_TRUE(l.grants_write(kA));
  EXPECT_EQ(l.lock_write(kA, kSite), 0);
  EXPECT_FALSE(l.grants_read(kB));
  EXPECT_FALSE(l.grants_write(kB));
  EXPECT_EQ(l.try_lock_read(kB), EBUSY);
  EXPECT_EQ(l.try_lock_write(kB, kSite), EBUSY);
  EXPECT_EQ(l.unlock(kA), 0);
  EXPECT_EQ(l.try_lock_read(kB), 0);
}

TEST(RwLock, OneThatPrefersWritersKeepsReadersOutWhileAWriterWaits) {
  RwLock l;
  l.prefers_writers = true;
  EXPECT_EQ(l.lock_read(1), 0);
  l.waiting_writers = 1;
  EXPECT_FALSE(l.grants_read(2));
  EXPECT_EQ(l.try_lock_read(2), EBUSY);
  EXPECT_FALSE(l.grants_write(3));
  l.unlock(1);
  EXPECT_FALSE(l.grants_read(2));
  EXPECT_TRUE(l.grants_write(3));
  l.waiting_writers = 0;
  EXPECT_EQ(l.lock_write(3, 5), 0);
  EXPECT_EQ(l.lock_read(3), EDEADLK);
  l.unlock(3);
  EXPECT_TRUE(l.grants_read(2));
}

TEST(RwLock, AWriterThatLocksAgainGetsAnError) {
  RwLock l;
  l.lock_write(kA, kSite);
  EXPECT_TRUE(l.grants_read(kA));
  EXPECT_TRUE(l.grants_write(kA));
  EXPECT_EQ(l.lock_read(kA), EDEADLK);
  EXPECT_EQ(l.lock_write(kA, kSite), EDEADLK);
  EXPECT_EQ(l.try_lock_read(kA), EBUSY);
  EXPECT_EQ(l.try_lock_write(kA, kSite), EBUSY);
  EXPECT_EQ(l.readers, 0u);
  EXPECT_EQ(l.unlock(kA), 0);
  EXPECT_TRUE(l.grants_write(kB));
}

TEST(Semaphore, CountsDownToZeroAndUpToItsLimit) {
  Semaphore s{1};
  EXPECT_TRUE(s.grants());
  s.take();
  EXPECT_FALSE(s.grants());
  EXPECT_EQ(s.try_take(), EAGAIN);
  EXPECT_EQ(s.post(), 0);
  EXPECT_EQ(s.try_take(), 0);
  s.value = Semaphore::kValueMax;
  EXPECT_EQ(s.post(), EOVERFLOW);
  EXPECT_EQ(s.value, Semaphore::kValueMax);
}

TEST(Barrier, LeavingWaitsForTheLastArrivalOfItsRound) {
  Barrier b{3, 0, 0};
  Barrier::Ticket first = b.arrive();
  Barrier::Ticket second = b.arrive();
  EXPECT_FALSE(first.last);
  EXPECT_FALSE(b.grants_leave(first.round));
  Barrier::Ticket third = b.arrive();
  EXPECT_FALSE(second.last);
  EXPECT_TRUE(third.last);
  EXPECT_TRUE(b.grants_leave(first.round));
  EXPECT_TRUE(b.grants_leave(third.round));
  // The next round begins at once; who has not yet left the old one still may.
  Barrier::Ticket next = b.arrive();
  EXPECT_FALSE(b.grants_leave(next.round));
  EXPECT_TRUE(b.grants_leave(second.round));
}

TEST(Barrier, OfOneNeverWaits) {
  Barrier b;
  Barrier::Ticket ticket = b.arrive();
  EXPECT_TRUE(ticket.last);
  EXPECT_TRUE(b.grants_leave(ticket.round));
}

TEST(Once, OneRunsOthersWaitAndAFailureIsTriedAgain) {
  Once once;
  EXPECT_TRUE(once.grants());
  EXPECT_TRUE(once.enter(kA, kSite));
  EXPECT_FALSE(once.grants());
  once.leave(false);
  EXPECT_TRUE(once.grants());
  EXPECT_TRUE(once.enter(kB, kSite));
  once.leave(true);
  EXPECT_TRUE(once.grants());
  EXPECT_FALSE(once.enter(kA, kSite));
  EXPECT_TRUE(once.grants());
}

TEST(Mutex, RobustTellsTheNextOwnerThatItsOwnerDied) {
  Mutex mutex;
  mutex.robust = true;
  EXPECT_EQ(mutex.lock(kA, kSite), 0);
  EXPECT_EQ(mutex.unlock(kB), EPERM);
  mutex.lose_owner();
  EXPECT_TRUE(mutex.grants(kB));
  EXPECT_EQ(mutex.lock(kB, kSite), EOWNERDEAD);
  EXPECT_EQ(mutex.owner, kB);
  EXPECT_EQ(mutex.repair(kA), EINVAL);
  EXPECT_EQ(mutex.repair(kB), 0);
  EXPECT_EQ(mutex.unlock(kB), 0);
  EXPECT_EQ(mutex.lock(kA, kSite), 0);
}

TEST(Mutex, RobustIsLostWhenUnlockedUnrepaired) {
  Mutex mutex;
  mutex.robust = true;
  mutex.lock(kA, kSite);
  mutex.lose_owner();
  EXPECT_EQ(mutex.try_lock(kB, kSite), EOWNERDEAD);
  EXPECT_EQ(mutex.unlock(kB), 0);
  EXPECT_TRUE(mutex.grants(kA));
  EXPECT_EQ(mutex.lock(kA, kSite), ENOTRECOVERABLE);
  EXPECT_EQ(mutex.try_lock(kA, kSite), ENOTRECOVERABLE);
  EXPECT_EQ(mutex.owner, kNoThread);
}

TEST(SyncObject, AsksTheMutexForEveryWayOfTakingIt) {
  SyncObject object;
  object.kind = ObjectKind::mutex;
  for (OpKind kind : {OpKind::mutex_lock, OpKind::mutex_timed_lock, OpKind::cond_wake})
    EXPECT_TRUE(grants(object, kind, kA));
  object.mutex.lock(kA, kSite);
  for (OpKind kind : {OpKind::mutex_lock, OpKind::mutex_timed_lock, OpKind::cond_wake}) {
    EXPECT_FALSE(grants(object, kind, kB));
    EXPECT_EQ(holder(object, kind, kB), kA);
  }
  // These never wait.
  for (OpKind kind : {OpKind::mutex_try_lock, OpKind::mutex_unlock, OpKind::object_destroy}) {
    EXPECT_TRUE(grants(object, kind, kB));
    EXPECT_EQ(holder(object, kind, kB), kNoThread);
  }
  EXPECT_EQ(holder(object, OpKind::mutex_lock, kA), kA);  // waits for itself
}

TEST(SyncObject, NamesAWriterAsHolderButNoReader) {
  SyncObject object;
  object.kind = ObjectKind::rwlock;
  object.rwlock = {};
  object.rwlock.lock_read(kA);
  EXPECT_TRUE(grants(object, OpKind::rwlock_read, kB));
  EXPECT_TRUE(grants(object, OpKind::rwlock_timed_read, kB));
  EXPECT_FALSE(grants(object, OpKind::rwlock_write, kB));
  EXPECT_FALSE(grants(object, OpKind::rwlock_timed_write, kB));
  EXPECT_EQ(holder(object, OpKind::rwlock_write, kB), kNoThread);
  object.rwlock.unlock(kA);
  object.rwlock.lock_write(kA, kSite);
  EXPECT_FALSE(grants(object, OpKind::rwlock_read, kB));
  EXPECT_EQ(holder(object, OpKind::rwlock_read, kB), kA);
  EXPECT_EQ(holder(object, OpKind::rwlock_timed_write, kB), kA);
  EXPECT_TRUE(grants(object, OpKind::rwlock_try_read, kB));
  EXPECT_TRUE(grants(object, OpKind::rwlock_unlock, kA));
}

TEST(SyncObject, AsksSemaphoreBarrierAndOnce) {
  SyncObject object;
  object.kind = ObjectKind::semaphore;
  object.semaphore = {0};
  EXPECT_FALSE(grants(object, OpKind::sem_wait, kA));
  EXPECT_FALSE(grants(object, OpKind::sem_timed_wait, kA));
  EXPECT_TRUE(grants(object, OpKind::sem_try_wait, kA));
  EXPECT_TRUE(grants(object, OpKind::sem_post, kA));
  EXPECT_EQ(holder(object, OpKind::sem_wait, kA), kNoThread);

  object.kind = ObjectKind::barrier;
  object.barrier = {2, 0, 0};
  std::uint32_t round = object.barrier.arrive().round;
  EXPECT_TRUE(grants(object, OpKind::barrier_arrive, kB));
  EXPECT_FALSE(grants(object, OpKind::barrier_leave, kA, round));
  object.barrier.arrive();
  EXPECT_TRUE(grants(object, OpKind::barrier_leave, kA, round));

  object.kind = ObjectKind::once;
  object.once = {};
  EXPECT_TRUE(grants(object, OpKind::once_enter, kA));
  object.once.enter(kA, kSite);
  EXPECT_FALSE(grants(object, OpKind::once_enter, kB));
  EXPECT_EQ(holder(object, OpKind::once_enter, kB), kA);
  EXPECT_TRUE(grants(object, OpKind::once_leave, kA));
}

}  // namespace
}  // namespace raddle::model

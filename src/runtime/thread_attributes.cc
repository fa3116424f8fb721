// SPDX-License-Identifier: Apache-2.0
//
// Attributes of threads. Target side. All fibers run on one kernel thread, so how they are to be
// scheduled is kept and checked, and has no effect.
#include "runtime/thread_attributes.h"

#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/real.h"
#include "runtime/signal_actions.h"

namespace raddle::runtime {
namespace {

// The beginning of what pthread_attr_t is to glibc. There are no functions that ask whether
// something was set.
struct AttributeHead {
  sched_param parameters;
  int policy;
  int flags;
};
constexpr int kDetached = 1, kExplicitSched = 2, kStackGiven = 8, kParametersSet = 32,
              kPolicySet = 64;

// SCHED_RESET_ON_FORK, which may be part of a policy.
constexpr int kResetOnFork = 0x40000000;

bool is_real_time(int policy) { return policy == SCHED_FIFO || policy == SCHED_RR; }

bool may_do_anything() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  if (RADDLE_REAL(syscall)(SYS_capget, &header, data) != 0) return false;
  return (data[0].effective & (1u << CAP_SYS_NICE)) != 0;
}

std::uint64_t limit_of(__rlimit_resource resource) {
  rlimit limit{};
  return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : 0;
}

bool is_permitted(const Fiber& thread, int policy, int priority) {
  int before = thread.sched_policy & ~kResetOnFork;
  if (is_real_time(policy)) {
    std::uint64_t highest = limit_of(RLIMIT_RTPRIO);
    if (policy != before && highest == 0) return false;
    if (priority > thread.sched_priority && static_cast<std::uint64_t>(priority) > highest)
      return false;
  }
  // The kernel counts idle threads as those of the lowest priority.
  return before != SCHED_IDLE || policy == SCHED_IDLE || limit_of(RLIMIT_NICE) >= 20;
}

int read_scheduling(const AttributeHead& head, const Fiber& creator, ThreadAttributes* result) {
  bool given =
      (head.flags & kExplicitSched) != 0 && (head.flags & (kParametersSet | kPolicySet)) != 0;
  if (!given) return 0;
  int policy = (head.flags & kPolicySet) != 0 ? head.policy : creator.sched_policy;
  int priority =
      (head.flags & kParametersSet) != 0 ? head.parameters.sched_priority : creator.sched_priority;
  result->policy = policy;
  result->priority = priority;
  return scheduling_error(creator, policy, priority);
}

int read_given(const pthread_attr_t& attributes, const Fiber& creator, ThreadAttributes* result) {
  AttributeHead head;
  __builtin_memcpy(&head, &attributes, sizeof head);
  result->detached = (head.flags & kDetached) != 0;
  pthread_attr_getstacksize(&attributes, &result->stack.size);
  if ((head.flags & kStackGiven) != 0) {
    void* low = nullptr;
    pthread_attr_getstack(&attributes, &low, &result->stack.size);
    result->stack.given = reinterpret_cast<std::uintptr_t>(low);
  }
  sigset_t mask;
  result->has_mask = pthread_attr_getsigmask_np(&attributes, &mask) == 0;
  if (result->has_mask) result->mask = to_signal_set(mask);
  return read_scheduling(head, creator, result);
}

bool has_defaults;  // the program has set default attributes

}  // namespace

int scheduling_error(const Fiber& thread, int policy, int priority) {
  int plain = policy & ~kResetOnFork;
  bool known =
      is_real_time(plain) || plain == SCHED_OTHER || plain == SCHED_BATCH || plain == SCHED_IDLE;
  bool fits = is_real_time(plain) ? priority >= 1 && priority <= 99 : priority == 0;
  if (policy < 0 || !known || !fits) return EINVAL;
  return is_permitted(thread, plain, priority) || may_do_anything() ? 0 : EPERM;
}

int read_attributes(const pthread_attr_t* attributes, const Fiber& creator,
                    ThreadAttributes* result) {
  bool resets = (creator.sched_policy & kResetOnFork) != 0;
  result->policy = resets ? SCHED_OTHER : creator.sched_policy;
  result->priority = resets ? 0 : creator.sched_priority;
  if (attributes != nullptr) return read_given(*attributes, creator, result);
  if (!has_defaults) return 0;
  pthread_attr_t defaults;
  if (pthread_getattr_default_np(&defaults) != 0) return ENOMEM;
  int error = read_given(defaults, creator, result);
  pthread_attr_destroy(&defaults);
  return error;
}

void apply_attributes(const ThreadAttributes& wanted, const Fiber& creator, Fiber& created) {
  created.sched_policy = wanted.policy;
  created.sched_priority = wanted.priority;
  __builtin_memcpy(created.native_name, creator.native_name, sizeof created.native_name);
  if (!wanted.has_mask) return;
  keep_when_blocked(wanted.mask);
  set_signal_mask(created, wanted.mask);
}

}  // namespace raddle::runtime

using namespace raddle::runtime;

RADDLE_EXPORT int pthread_setattr_default_np(const pthread_attr_t* attributes) noexcept {
  has_defaults = true;
  return RADDLE_REAL(pthread_setattr_default_np)(attributes);
}

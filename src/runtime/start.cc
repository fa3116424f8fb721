// SPDX-License-Identifier: Apache-2.0
//
// How a program comes under control. Target side. The constructor of this library runs before all
// others; if the engine started the program, it maps the shared block and arms the runtime. At
// main, or when a static constructor starts the first thread, the process becomes a fork server
// (or, in the single-run tier, begins its run).
#include "runtime/start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <new>

#include "policy/fairness.h"
#include "policy/registry.h"
#include "runtime/access.h"
#include "runtime/at_fork.h"
#include "runtime/callbacks.h"
#include "runtime/checkpoint.h"
#include "runtime/context.h"
#include "runtime/debugger.h"
#include "runtime/events.h"
#include "runtime/fatal.h"
#include "runtime/heap.h"
#include "runtime/in_process.h"
#include "runtime/libc_hooks.h"
#include "runtime/locate.h"
#include "runtime/order.h"
#include "runtime/point_sites.h"
#include "runtime/process_end.h"
#include "runtime/quick_point.h"
#include "runtime/real.h"
#include "runtime/resident.h"
#include "runtime/runtime.h"
#include "runtime/shadow.h"
#include "runtime/shared_with_others.h"
#include "runtime/sharing.h"
#include "runtime/signal_actions.h"
#include "runtime/step_limit.h"
#include "runtime/thread_values.h"

namespace raddle::runtime {

constinit State g{};

namespace {

int command_fd = -1;
int reply_fd = -1;
std::uint32_t site_version;
policy::PolicyStorage policy_storage;

// Reads "SHM,COMMAND,REPLY". Runs before libc is initialised, so it uses no stdio.
bool parse_control(const char* text, int* shm) {
  int* fields[] = {shm, &command_fd, &reply_fd};
  for (int* field : fields) {
    if (*text < '0' || *text > '9') return false;
    for (*field = 0; *text >= '0' && *text <= '9'; ++text) *field = *field * 10 + (*text - '0');
    if (*text == ',') ++text;
  }
  return *text == '\0';
}

void map_shared(int shm) {
  struct stat info {};
  if (fstat(shm, &info) != 0) refuse("the engine's shared memory is not there");
  void* block = RADDLE_REAL(mmap)(nullptr, static_cast<std::size_t>(info.st_size),
                                  PROT_READ | PROT_WRITE, MAP_SHARED, shm, 0);
  if (block == MAP_FAILED) refuse("cannot map the engine's shared memory");
  auto* shared = static_cast<wire::SharedHeader*>(block);
  if (shared->magic != wire::kMagic || shared->version != wire::kProtocolVersion) {
    g.shared = shared->magic == wire::kMagic ? shared : nullptr;
    refuse(
        "this program's runtime library and the raddle tool are of different versions; "
        "link the program again with this raddle");
  }
  g.shared = shared;
}

// Takes NAME=VALUE out of the environment; null if it is not there. Works on the array itself: libc
// has not looked at it yet.
const char* take_variable(char** environment, const char* name) {
  std::size_t length = strlen(name);
  for (char** entry = environment; *entry != nullptr; ++entry) {
    if (strncmp(*entry, name, length) != 0 || (*entry)[length] != '=') continue;
    const char* value = *entry + length + 1;
    for (; entry[0] != nullptr; ++entry) entry[0] = entry[1];
    return value;
  }
  return nullptr;
}

}  // namespace

const char* objection_to_plan() {
  const wire::SharedHeader& shared = *g.shared;
  const char* reason = wire::unreadable(shared.steering, shared.steering_bytes);
  return reason != nullptr ? reason : policy::objection(shared.plan, shared.steering);
}

bool prepare_runs() {
  wire::SharedHeader& shared = *g.shared;
  const wire::Plan& plan = shared.plan;
  if (const char* reason = objection_to_plan()) {
    refuse_plan(reason);
    return false;
  }
  prepare_step_limit();
  g.policy = policy::make_policy(plan, shared.steering, policy_storage);
  prepare_quick_points(policy_storage);
  g.filters = policy::make_filters(plan, g.filter_storage);
  g.cares.filtered = g.filters.acts_always() ? 1 : 0;
  // A search has to know of accesses that a thread makes when all others have ended, too.
  g.points_from = plan.systematic != 0 ? 1 : 2;
  g.all_points = plan.points == wire::Points::all;
  g.races = plan.races != 0;
  prepare_quick_accesses();
  return true;
}

policy::PlanView plan_view(Locate* locate) {
  wire::SharedHeader& shared = *g.shared;
  return {shared.plan, shared.steering_view(), &shared.interest, shared.weights(), locate};
}

void begin_policy_of_plan(Locate* locate) {
  g.policy->begin(plan_view(locate));
  g.cares.tell_policy = g.policy->counts_steps();
}

void begin_run() {
  wire::SharedHeader& shared = *g.shared;
  const wire::Plan& plan = shared.plan;
  shared.threads = g.thread_count;
  shared.steps = shared.choices = shared.preemptions = shared.fairness_cuts = 0;
  shared.reservations = shared.late_sites[0] = shared.late_sites[1] = 0;
  g.record.choices = 0;
  begin_policy_of_plan(&locate);
  g.cares.spurious_left = plan.spurious;
  g.site_points = plan.points != wire::Points::sync;
  // Without events nobody has to know what is shared: what races shows, and for the rest points at
  // the synchronisation are enough. A search may want that of runs with events as well.
  bool publishes = g.site_points && !((g.record.quiet || plan.racing_only != 0) && g.races);
  g.access_mode = publishes        ? AccessMode::publish
                  : !g.races       ? AccessMode::count_only
                  : g.record.quick ? AccessMode::alone
                                   : AccessMode::check;
  if (publishes) forget_told_reads();
  if (g.races) begin_order();
  reset_events();
  g.access_budget = kAccessesPerTick;
  g.step = 0;
  g.last_thread = g.current->id;
  g.mode = Mode::running;
}

void open_recorder() {
  wire::SharedHeader& shared = *g.shared;
  // In place nobody has to find the process, and asking for its number takes a system call.
  if (!in_place()) shared.run_pid.store(getpid());
  shared.ring_head.store(0);
  shared.verdict.message[0] = '\0';
  shared.verdict.thread_report_count = 0;
  g.record = {.ring = shared.ring(),
              .ring_mask = shared.ring_capacity - 1,
              .ring_head = 0,
              .ring_limit = 0,
              .schedule = shared.schedule(),
              .choices = 0,
              .sets = shared.plan.systematic != 0 ? shared.sets() : nullptr,
              .schedule_limit = 0,
              .stacks = shared.plan.stacks != 0,
              .quiet = false,
              .quick = false};
  g.cares.keep_sets = g.record.sets != nullptr;
}

void update_sites() {
  const wire::Plan& plan = g.shared->plan;
  if (plan.site_version != site_version) {
    site_version = plan.site_version;
    set_point_sites(g.shared->sites(), plan.site_count);
  }
  if (sites_left_out) g.shared->reservations |= wire::kAccessesLost;
}

namespace {

void reply(std::int32_t status, std::int32_t error) {
  wire::Reply answer{status, error};
  if (write(reply_fd, &answer, sizeof answer) != sizeof answer) _exit(0);
}

// The checkpoints have been told to end.
[[noreturn]] void await_all_and_exit() {
  while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
  _exit(0);
}

ResidentChild resident_child;

// See was_inherited().
constexpr int kFilesWatched = 256;
bool inherited[kFilesWatched];

bool is_open(int file) { return fcntl(file, F_GETFD) >= 0; }

// Where runs find the inherited files that have an offset, which all processes share; else -1.
// Standard input is opened anew instead.
off_t first_offset[kFilesWatched];

void note_inherited_files() {
  for (int file = 0; file < kFilesWatched; ++file) {
    inherited[file] = is_open(file);
    struct stat info {};
    bool has_offset =
        inherited[file] && file > STDERR_FILENO && fstat(file, &info) == 0 && S_ISREG(info.st_mode);
    first_offset[file] = has_offset ? lseek(file, 0, SEEK_CUR) : -1;
  }
}

void rewind_inherited_files() {
  for (int file = 0; file < kFilesWatched; ++file)
    if (first_offset[file] >= 0) lseek(file, first_offset[file], SEEK_SET);
}

// Runs of a fork server would share what the program opened before main, and kernel threads do not
// survive a fork: such programs get a fresh process for each run. The engine knows the prefix.
void refuse_to_share() {
  struct stat tasks {};
  bool threads = stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > 3;  // ".", ".." and one
  if (threads) refuse("fork: the program has kernel threads before main");
  for (int file = 0; file < kFilesWatched; ++file)
    if (!inherited[file] && is_open(file))
      refuse("fork: the program has opened a file before main");
}

}  // namespace

bool was_inherited(int file) { return file >= 0 && file < kFilesWatched && inherited[file]; }

void serve(int commands, int replies) {
  command_fd = commands;
  reply_fd = replies;
  // A forked child shares the offset of the server's standard input: every run reads from the
  // start.
  InputPlace input = {input_place().has_offset, 0};
  // What the server looks up after a fork would make pages of its child the child's alone, unseen.
  RADDLE_REAL(read);
  RADDLE_REAL(write);
  RADDLE_REAL(close);
  RADDLE_REAL(waitpid);
  for (;;) {
    wire::Command command;
    if (read(command_fd, &command, 1) != 1) _exit(0);
    if (command == wire::Command::quit) await_all_and_exit();
    if (command == wire::Command::bury) {
      reply(resident_child.bury(), 0);
      continue;
    }
    bool resides = command == wire::Command::reside;
    update_sites();
    resident_child.reap_others(WNOHANG);
    pid_t child = _Fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(command_fd);
      close(reply_fd);
      if (resides) reside();  // from here on as often as there are runs
      rewind_inherited_files();
      reopen_input(input);
      return;
    }
    int status = 0;
    if (child < 0 || resides) {
      resident_child.process = child;
      reply(child, child < 0 ? errno : 0);
      continue;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    g.shared->run_pid.store(0);
    reply(status, 0);
  }
}

namespace {

int (*program_main)(int, char**, char**);
bool in_main;  // constructors are done

}  // namespace

__attribute__((noinline)) void clear_dead_stack() {
  constexpr std::size_t kDeepest = 16 << 10;
  auto* below = static_cast<char*>(__builtin_alloca(kDeepest));
  memset(below, 0, kDeepest);
  __asm__ volatile("" ::"r"(below) : "memory");  // or the compiler leaves it out
}

void enter_run() {
  if (g.mode != Mode::armed) return;
  load_modules();
  ask_program();
  if (g.shared->tier == wire::Tier::fork_server) {
    refuse_to_share();
    // A checkpoint may be left alone by the one that it descends from.
    prctl(PR_SET_CHILD_SUBREAPER, 1);
  }
  install_signal_handlers();
  hook_libc();
  note_what_is_shared();
  g.shared->stage.store(wire::TargetStage::ready);
  if (g.shared->tier == wire::Tier::fork_server) serve(command_fd, reply_fd);
  update_sites();
  open_recorder();
  prepare_runs();
  begin_run();
  begin_checkpoints();
  clear_dead_stack();
  raddle_debug_run_begins(in_main ? reinterpret_cast<const void*>(program_main) : nullptr);
}

const char* divergence_reason(std::uint32_t* choice) {
  if (policy_storage.dfs != nullptr) {
    *choice = policy_storage.dfs->diverged_at();
    return policy_storage.dfs->reason();
  }
  if (policy_storage.tree != nullptr) {
    *choice = policy_storage.tree->diverged_at();
    return policy_storage.tree->reason();
  }
  if (policy_storage.replay == nullptr) return "";
  *choice = policy_storage.replay->diverged_at();
  return policy_storage.replay->reason();
}

void init_runtime() {
  find_exit();
  find_setjmp();
  find_thread_end();
  init_heap();
  init_shadow();
  init_point_sites();
  init_clocks();
  init_contexts();
  adopt_main_fiber();
}

void release_control() {
  g.mode = Mode::off;
  g.access_mode = AccessMode::ignore;
  release_thread_values();
  release_signals();  // those that have come for this process strike now
}

// Runs before every other constructor, even libc's (-z initfirst).
__attribute__((constructor)) static void arm(int, char**, char** environment) {
  watch_forks();
  const char* control = take_variable(environment, wire::kControlVariable);
  if (control == nullptr) return;
  take_variable(environment, "LD_PRELOAD");  // children of the program run uncontrolled
  take_variable(environment, "LD_BIND_NOW");
  int shm = -1;
  if (!parse_control(control, &shm)) return;
  map_shared(shm);
  close(shm);
  note_inherited_files();
  init_runtime();
  g.mode = Mode::armed;
  g.shared->stage.store(wire::TargetStage::loaded);
}

static int controlled_main(int argc, char** argv, char** envp) {
  if (off()) return program_main(argc, argv, envp);
  in_main = true;
  enter_run();
  return run_main(program_main, argc, argv, envp);
}

}  // namespace raddle::runtime

using StartMain = int(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(),
                      void*);

RADDLE_EXPORT int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv,
                                    void (*init)(), void (*fini)(), void (*rtld_fini)(),
                                    void* stack_end) {
  using namespace raddle::runtime;
  auto* real = reinterpret_cast<StartMain*>(resolve_real("__libc_start_main"));
  program_main = main;
  if (!off()) rtld_fini = prepare_process_end(rtld_fini);
  return real(controlled_main, argc, argv, init, fini, rtld_fini, stack_end);
}

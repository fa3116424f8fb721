// SPDX-License-Identifier: Apache-2.0
//
// Starting gdb, and talking with what runs below it. Engine side.
//
// The channel is a socket that keeps messages apart. The process that becomes the program sends
// kReady and waits for kGo; the script in gdb sends kEnded with the wait status when the process
// has ended, which only gdb, its parent, gets to know.
#include "launch/gdb_executor.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

extern char** environ;

namespace raddle::launch {
namespace {

constexpr char kReady = 'r';
constexpr char kGo = 'g';
constexpr char kNo = 'n';
constexpr char kEnded = 'e';

// Above the numbers that the program's own control descriptors will get.
constexpr int kInheritedFdMin = 120;

Error system_error(const char* what) {
  return {fmt::format("cannot {}: {}", what, strerror(errno)), kExitCannotRun};
}

// A Ctrl-C at the terminal is meant for gdb or for the program.
class IgnoreInterrupts {
 public:
  IgnoreInterrupts() {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGINT, &ignore, &before_);
  }
  ~IgnoreInterrupts() { sigaction(SIGINT, &before_, nullptr); }
  IgnoreInterrupts(const IgnoreInterrupts&) = delete;
  IgnoreInterrupts& operator=(const IgnoreInterrupts&) = delete;

 private:
  struct sigaction before_;
};

// Descriptors that gdb and the program below it inherit, under numbers known beforehand.
class Inherited {
 public:
  int add(int fd) {
    copies_.emplace_back(fcntl(fd, F_DUPFD_CLOEXEC, kInheritedFdMin));
    return copies_.back().get();
  }
  bool complete() const {
    for (const UniqueFd& copy : copies_)
      if (!copy.valid()) return false;
    return true;
  }
  const std::vector<UniqueFd>& all() const { return copies_; }

 private:
  std::vector<UniqueFd> copies_;
};

Result<UniqueFd> memory_file(const std::string& content) {
  UniqueFd file(memfd_create("raddle-start", MFD_CLOEXEC));
  if (!file.valid()) return system_error("create a file in memory");
  auto size = static_cast<ssize_t>(content.size());
  if (pwrite(file.get(), content.data(), content.size(), 0) != size)
    return system_error("write a file in memory");
  return file;
}

std::string read_all(int fd) {
  std::string content;
  char buffer[4096];
  ssize_t got;
  while ((got = pread(fd, buffer, sizeof buffer, static_cast<off_t>(content.size()))) > 0)
    content.append(buffer, static_cast<std::size_t>(got));
  return content;
}

// In gdb's own terminal, process group and standard streams.
Result<pid_t> spawn_gdb(std::vector<std::string> words, std::vector<std::string> variables,
                        const Inherited& inherited) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // To itself: that takes the close-on-exec mark away.
  for (const UniqueFd& fd : inherited.all())
    posix_spawn_file_actions_adddup2(&actions, fd.get(), fd.get());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (int number : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&defaults, number);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (strncmp(*variable, "SHELL=", 6) != 0) environment.push_back(*variable);
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);

  pid_t process = 0;
  int code = posix_spawn(&process, argv[0], &actions, &attributes, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (code != 0)
    return Error{fmt::format("cannot start {}: {}", words[0], strerror(code)), kExitUsage};
  return process;
}

Result<std::string> find_gdb() {
  auto path = find_on_path("gdb");
  if (path) return *path;
  return Error{"--gdb needs gdb, which is not on PATH; on Debian: apt-get install gdb", kExitUsage};
}

}  // namespace

Result<std::unique_ptr<GdbExecutor>> GdbExecutor::create(const Program& program,
                                                         const ExecutorOptions& options,
                                                         GdbOptions gdb) {
  if (auto found = find_gdb(); !found) return found.error();
  if (auto script = gdb_script(); !script) return script.error();
  auto area = RunArea::create(options, wire::Tier::single_run);
  if (!area) return area.error();
  UniqueFd idle(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!idle.valid()) return system_error("open /dev/null");
  return std::unique_ptr<GdbExecutor>(
      new GdbExecutor(program, options, std::move(gdb), std::move(*area), std::move(idle)));
}

Result<facts::Run> GdbExecutor::run(const facts::Plan& plan) {
  starts_ = 0;
  auto gdb_path = find_gdb();
  if (!gdb_path) return gdb_path.error();
  auto script = gdb_script();
  if (!script) return script.error();
  int channel[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) != 0)
    return system_error("make a socket pair");
  channel_ = UniqueFd(channel[0]);
  UniqueFd far_end(channel[1]);

  UniqueFd input;
  auto start = make_start(program_, {.bind_now = bind_now_}, input);
  if (!start) return start.error();
  Inherited inherited;
  start->files.shared = inherited.add(area_.memory().fd());
  start->files.command = start->files.reply = inherited.add(idle_.get());
  start->files.output = inherited.add(area_.output().fd());
  start->files.error = inherited.add(area_.error_output().fd());
  start->input = inherited.add(input.get());
  int channel_fd = inherited.add(far_end.get());
  auto record = memory_file(start_record(*start));
  if (!record) return record.error();
  int record_fd = inherited.add(record->get());
  if (!inherited.complete()) return system_error("duplicate a descriptor");

  std::vector<std::string> words = {*gdb_path, "-q", program_.path, "-x", *script};
  words.insert(words.end(), gdb_.arguments.begin(), gdb_.arguments.end());
  IgnoreInterrupts ignore;
  auto gdb =
      spawn_gdb(std::move(words),
                {"SHELL=/bin/sh", fmt::format("RADDLE_GDB_FILES={},{}", record_fd, channel_fd),
                 "RADDLE_GDB_TOOL=" + own_executable()},
                inherited);
  if (!gdb) return gdb.error();
  far_end.reset();
  if (auto status = converse(*gdb, plan); !status) return status.error();

  if (starts_ == 0)
    return Error{"gdb ended without starting the program; it must be a gdb that knows Python",
                 kExitUsage};
  using wire::VerdictKind;
  VerdictKind verdict = area_.memory().header().verdict.kind;
  if (!wait_status_ && verdict != VerdictKind::none && verdict != VerdictKind::exited)
    wait_status_ = 0;  // the verdict is all that counts
  if (!wait_status_) return Error{"gdb was left before the run came to its end", 0};
  if (area_.stage() != wire::TargetStage::ready)
    return failed_before_main(program_, area_, *wait_status_);
  return area_.collect(*wait_status_, false);
}

// Until gdb has ended.
Status GdbExecutor::converse(pid_t gdb, const facts::Plan& plan) {
  UniqueFd watch(static_cast<int>(syscall(SYS_pidfd_open, gdb, 0)));
  if (!watch.valid()) return system_error("watch gdb (pidfd_open)");
  int status = 0;
  bool asked = false;
  while (waitpid(gdb, &status, WNOHANG) != gdb) {
    pollfd entries[] = {{watch.get(), POLLIN, 0}, {channel_.get(), POLLIN, 0}};
    poll(entries, 2, static_cast<int>(area_.drain().count()));
    if ((entries[1].revents & POLLIN) != 0) hear(plan);
    bool ending = options_.interrupts != nullptr && *options_.interrupts > 0;
    if (ending && !asked) kill(gdb, SIGTERM);
    if (ending && *options_.interrupts > 1) kill(gdb, SIGKILL);
    asked = ending;
  }
  // What was said in the last moment.
  pollfd entry = {channel_.get(), POLLIN, 0};
  while (poll(&entry, 1, 0) > 0 && (entry.revents & POLLIN) != 0) hear(plan);
  if (asked) return Error{"interrupted", kExitInterrupted};
  return Done{};
}

void GdbExecutor::hear(const facts::Plan& plan) {
  struct {
    char kind;
    char status[4];
  } message;
  ssize_t got = recv(channel_.get(), &message, sizeof message, MSG_DONTWAIT);
  if (got == sizeof message && message.kind == kEnded) {
    int status;
    memcpy(&status, message.status, sizeof status);
    wait_status_ = status;
  } else if (got == 1 && message.kind == kReady) {
    auto prepared = prepare(plan);
    std::string answer = prepared ? std::string(1, kGo) : kNo + prepared.error().message;
    send(channel_.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
  }
}

Status GdbExecutor::prepare(const facts::Plan& plan) {
  wait_status_.reset();
  if (starts_++ > 0 && gdb_.before_again)
    if (auto status = gdb_.before_again(); !status) return status;
  area_.memory().forget_target();
  return area_.prepare(plan);
}

Error start_below_debugger(int record_fd, int channel_fd) {
  auto start = parse_start_record(read_all(record_fd));
  if (!start) return start.error();
  char answer[1024];
  ssize_t got = -1;
  if (send(channel_fd, &kReady, 1, MSG_NOSIGNAL) == 1) do {
      got = recv(channel_fd, answer, sizeof answer, 0);
    } while (got < 0 && errno == EINTR);
  if (got <= 0)
    return Error{"the raddle that started gdb has ended; start it again", kExitCannotRun};
  if (answer[0] != kGo)
    return Error{std::string(answer + 1, static_cast<std::size_t>(got - 1)), kExitCannotRun};
  // The program must not find them.
  for (int fd : {record_fd, channel_fd, start->files.shared, start->files.command,
                 start->files.output, start->files.error, start->input})
    fcntl(fd, F_SETFD, FD_CLOEXEC);
  StartPointers pointers(*start);
  return start_error(*start, become_target(*start, pointers, 0));
}

}  // namespace raddle::launch

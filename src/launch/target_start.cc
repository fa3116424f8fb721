// SPDX-License-Identifier: Apache-2.0
//
// From a TargetStart to the program. Engine side; become_target() runs after a fork, where only
// system calls are made.
#include "launch/target_start.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>

#include <charconv>

#include "launch/stack_limit.h"
#include "wire/shared_block.h"

extern char** environ;

namespace raddle::launch {
namespace {

constexpr int kControlFdMin = 100;
constexpr std::size_t kControlRoom = 40;  // for three numbers

const char* kSteps[] = {"prepare", "enter the working directory of", "redirect", "start"};
enum Step { kPrepare, kDirectory, kRedirect, kExec };

bool is_ours(const char* variable) {
  return strncmp(variable, "RADDLE_", 7) == 0 || strncmp(variable, "LD_PRELOAD=", 11) == 0;
}

std::vector<std::string> make_environment(const std::string& preload, bool bind_now) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!is_ours(*variable)) variables.emplace_back(*variable);
  const char* inherited = getenv("LD_PRELOAD");
  std::string libraries = preload;
  if (inherited != nullptr && *inherited != '\0')
    libraries += (libraries.empty() ? "" : ":") + std::string(inherited);
  if (!libraries.empty()) variables.push_back("LD_PRELOAD=" + libraries);
  if (bind_now) variables.push_back("LD_BIND_NOW=1");
  // The numbers are only known in the process that becomes the program.
  variables.push_back(std::string(wire::kControlVariable) + "=" + std::string(kControlRoom, '\0'));
  return variables;
}

StartFailure failed(Step step) { return {step, errno}; }

int move_high(int fd) { return fcntl(fd, F_DUPFD, kControlFdMin); }

void reset_signals() {
  struct sigaction plain = {};
  plain.sa_handler = SIG_DFL;
  for (int number = 1; number <= SIGRTMAX; ++number) sigaction(number, &plain, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Records are words, each ended by a zero byte; the control variable's room is not part of them.
class RecordReader {
 public:
  explicit RecordReader(const std::string& record) : record_(record) {}

  std::string word() {
    std::size_t end = record_.find('\0', at_);
    if (end == std::string::npos) {
      intact_ = false;
      return {};
    }
    std::string result = record_.substr(at_, end - at_);
    at_ = end + 1;
    return result;
  }
  int number() {
    std::string text = word();
    int value = -1;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    intact_ = intact_ && error == std::errc() && end == text.data() + text.size() && value >= 0;
    return value;
  }
  std::vector<std::string> words() {
    std::vector<std::string> result;
    for (int left = number(); left > 0 && intact_; --left) result.push_back(word());
    return result;
  }
  bool intact() const { return intact_ && at_ == record_.size(); }

 private:
  const std::string& record_;
  std::size_t at_ = 0;
  bool intact_ = true;
};

void add_word(std::string& record, const std::string& word) {
  record += word;
  record += '\0';
}

void add_words(std::string& record, const std::vector<std::string>& words) {
  add_word(record, std::to_string(words.size()));
  for (const std::string& word : words) add_word(record, word);
}

}  // namespace

Result<TargetStart> make_start(const Program& program, const SpawnFiles& files, UniqueFd& input) {
  TargetStart start;
  std::string preload;
  if (!program.elf.instrumented) {
    auto library = runtime_library();
    if (!library) return library.error();
    preload = *library;
  }
  start.path = program.path;
  start.name = program.argv[0];
  start.directory = program.directory;
  start.argv = program.argv;
  start.environment = make_environment(preload, files.bind_now);
  start.files = files;
  std::string file = program.stdin_file.empty()
                         ? "/dev/null"
                         : resolve_path(program.directory, program.stdin_file);
  input = UniqueFd(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!input.valid())
    return Error{fmt::format("cannot read {}: {}", file, strerror(errno)), kExitUsage};
  start.input = input.get();
  return start;
}

std::string start_record(const TargetStart& start) {
  std::string record;
  for (const std::string* word : {&start.path, &start.name, &start.directory})
    add_word(record, *word);
  add_words(record, start.argv);
  add_words(record, {start.environment.begin(), start.environment.end() - 1});
  const SpawnFiles& files = start.files;
  for (int fd : {files.shared, files.command, files.reply, files.output, files.error, start.input})
    add_word(record, std::to_string(fd));
  return record;
}

Result<TargetStart> parse_start_record(const std::string& record) {
  RecordReader reader(record);
  TargetStart start;
  start.path = reader.word();
  start.name = reader.word();
  start.directory = reader.word();
  start.argv = reader.words();
  start.environment = reader.words();
  SpawnFiles& files = start.files;
  for (int* fd :
       {&files.shared, &files.command, &files.reply, &files.output, &files.error, &start.input})
    *fd = reader.number();
  if (!reader.intact()) return Error{"the record of the program to start is damaged", kExitUsage};
  start.environment.push_back(std::string(wire::kControlVariable) + "=" +
                              std::string(kControlRoom, '\0'));
  return start;
}

StartPointers::StartPointers(TargetStart& start) {
  for (std::string& word : start.argv) argv.push_back(word.data());
  argv.push_back(nullptr);
  for (std::string& variable : start.environment) environment.push_back(variable.data());
  environment.push_back(nullptr);
}

StartFailure become_target(const TargetStart& start, const StartPointers& pointers, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (parent != 0 && getppid() != parent) _exit(127);  // it died before the line above
  reset_signals();
  // May be forbidden (some containers): then addresses differ from run to run, and only programs
  // that depend on them notice.
  int persona = personality(0xffffffff);
  if (persona != -1) personality(static_cast<unsigned long>(persona) | ADDR_NO_RANDOMIZE);
  limit_stack();
  if (chdir(start.directory.c_str()) != 0) return failed(kDirectory);

  int shared = move_high(start.files.shared);
  int command = move_high(start.files.command);
  int reply = move_high(start.files.reply);
  if (shared < 0 || command < 0 || reply < 0) return failed(kPrepare);
  char* control = pointers.environment[pointers.environment.size() - 2];
  char* numbers = control + strlen(wire::kControlVariable) + 1;
  auto result = fmt::format_to_n(numbers, kControlRoom - 1, "{},{},{}", shared, command, reply);
  *result.out = '\0';
  // The sources may themselves be 0, 1 or 2 if the engine was started without them: go through
  // high copies.
  int streams[3] = {move_high(start.input), move_high(start.files.output),
                    move_high(start.files.error)};
  for (int number = 0; number < 3; ++number) {
    if (streams[number] < 0 || dup2(streams[number], number) < 0) return failed(kRedirect);
    close(streams[number]);
  }
  execve(start.path.c_str(), pointers.argv.data(), pointers.environment.data());
  return failed(kExec);
}

Error start_error(const TargetStart& start, const StartFailure& failure) {
  return {
      fmt::format("cannot {} {}: {}", kSteps[failure.step], start.name, strerror(failure.error)),
      kExitCannotRun};
}

}  // namespace raddle::launch

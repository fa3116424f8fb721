// SPDX-License-Identifier: Apache-2.0
//
// Files that appear complete or not at all. Engine side.
#include "cli/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch/unique_fd.h"

namespace raddle::cli {
namespace {

Error cannot(const char* what, const std::string& path, int code) {
  return {fmt::format("cannot {} {}: {}", what, path, strerror(code)), kExitUsage};
}

bool write_all(int fd, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    ssize_t written = write(fd, text.data() + done, text.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

Result<std::string> read_text(const std::string& path) {
  launch::UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return cannot("read", path, errno);
  std::string text;
  char buffer[65536];
  while (true) {
    ssize_t got = read(fd.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot("read", path, errno);
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

Status write_text(const std::string& path, const std::string& text) {
  struct stat info;
  // A pipe or a device has no "complete or not at all", and must not be replaced by a file.
  bool special = stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
  std::string target = special ? path : path + fmt::format(".{}.tmp", getpid());
  launch::UniqueFd fd(open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!fd.valid()) return cannot("write", path, errno);
  bool good = write_all(fd.get(), text);
  int code = errno;
  fd.reset();
  if (good && (special || rename(target.c_str(), path.c_str()) == 0)) return Done{};
  if (good) code = errno;
  if (!special) unlink(target.c_str());
  return cannot("write", path, code);
}

Status check_can_create_in(const std::string& directory) {
  std::string probe = directory + "/.raddle-XXXXXX";
  if (mkdtemp(probe.data()) == nullptr) return cannot("write into", directory, errno);
  rmdir(probe.c_str());
  return Done{};
}

}  // namespace raddle::cli

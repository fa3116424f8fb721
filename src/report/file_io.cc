// SPDX-License-Identifier: Apache-2.0
//
// File input and output on system calls, for their errno and for fsync(2). Engine side.
#include "report/file_io.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace raddle::report {
namespace {

Error failed(const char* what, const std::string& path, int error) {
  return Error{fmt::format("cannot {} {}: {}", what, path, strerror(error))};
}

class OpenFile {
 public:
  OpenFile(const std::string& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (fd_ >= 0) close(fd_);
  }
  int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

Result<std::string> read_file(const std::string& path) {
  OpenFile file(path, O_RDONLY);
  if (file.fd() < 0) return failed("read", path, errno);
  std::string contents;
  char buffer[65536];
  while (true) {
    ssize_t count = read(file.fd(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("read", path, errno);
    if (count == 0) return contents;
    contents.append(buffer, static_cast<std::size_t>(count));
  }
}

Status write_file(const std::string& path, std::string_view contents) {
  OpenFile file(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (file.fd() < 0) return failed("write", path, errno);
  while (!contents.empty()) {
    ssize_t count = write(file.fd(), contents.data(), contents.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("write", path, errno);
    contents.remove_prefix(static_cast<std::size_t>(count));
  }
  if (fsync(file.fd()) != 0) return failed("write", path, errno);
  return Done{};
}

Status sync_folder(const std::string& path) {
  OpenFile folder(path, O_RDONLY | O_DIRECTORY);
  if (folder.fd() < 0) return failed("open", path, errno);
  // Some file systems cannot sync folders; what was written is no worse for it.
  if (fsync(folder.fd()) != 0 && errno != EINVAL) return failed("write", path, errno);
  return Done{};
}

Status make_folders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return failed("create", path, error.value());
  return Done{};
}

}  // namespace raddle::report

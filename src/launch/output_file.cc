// SPDX-License-Identifier: Apache-2.0
//
// Files for the output of runs. Engine side.
#include "launch/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace raddle::launch {

Result<OutputFile> OutputFile::in_memory(const char* name) {
  OutputFile file;
  file.fd_ = UniqueFd(memfd_create(name, MFD_CLOEXEC));
  if (!file.fd_.valid() || fcntl(file.fd_.get(), F_SETFL, O_APPEND) != 0)
    return Error{fmt::format("cannot create a file for the program's output: {}", strerror(errno)),
                 kExitCannotRun};
  return file;
}

Result<OutputFile> OutputFile::on_disk() {
  const char* directory = getenv("TMPDIR");
  std::string path = directory != nullptr && *directory != '\0' ? directory : "/tmp";
  path += "/raddle-stdout-XXXXXX";
  OutputFile file;
  file.fd_ = UniqueFd(mkostemp(path.data(), O_CLOEXEC | O_APPEND));
  if (!file.fd_.valid())
    return Error{fmt::format("cannot create the output file {}: {}", path, strerror(errno)),
                 kExitCannotRun};
  file.path_ = path;
  return file;
}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(path_, other.path_);
  return *this;
}

OutputFile::~OutputFile() {
  if (!path_.empty()) unlink(path_.c_str());
}

void OutputFile::clear() {
  struct stat info;
  // Asking is cheaper than truncating, and most runs print nothing.
  if (fstat(fd_.get(), &info) == 0 && info.st_size == 0) return;
  [[maybe_unused]] int result = ftruncate(fd_.get(), 0);
}

void OutputFile::append(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    ssize_t put = write(fd_.get(), text.data() + done, text.size() - done);
    if (put <= 0) return;
    done += static_cast<std::size_t>(put);
  }
}

std::string OutputFile::first_bytes(std::uint64_t count) const {
  std::string text(std::min<std::uint64_t>(count, kOutputKeptMax), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    ssize_t got =
        pread(fd_.get(), text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

std::string OutputFile::text() const {
  struct stat info;
  if (fstat(fd_.get(), &info) != 0 || info.st_size <= 0) return {};
  std::string text = first_bytes(static_cast<std::uint64_t>(info.st_size));
  std::size_t done = text.size();
  if (static_cast<std::size_t>(info.st_size) > done)
    text += fmt::format("\n[raddle: {} bytes more were printed]\n",
                        static_cast<std::size_t>(info.st_size) - done);
  return text;
}

}  // namespace raddle::launch

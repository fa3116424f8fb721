// SPDX-License-Identifier: Apache-2.0
//
// dlopen and dlclose during a run. Target side.
//
// - The dynamic linker holds a real lock while constructors and destructors run. These are under
//   control, so another thread may be chosen meanwhile; it must not meet that lock. A lock of ours,
//   which the model knows, is taken first: a second dlopen waits there. dlsym asks for it as well
//   (tail_calls_x86_64.S), since the real one takes the same lock.
// - Static TLS of what is loaded is initialised in all fibers by the linker itself, which is shown
//   our fibers as threads for the time of the call.
// - dl_iterate_phdr calls back into the program while it holds another lock that dlopen needs: it
//   takes the same lock of ours, unless nothing in it can make a step.
// - dlopen looks for its caller's RUNPATH; the caller is now this file, so that search is done
// here.
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "runtime/fiber.h"
#include "runtime/locate.h"
#include "runtime/real.h"
#include "runtime/sync_step.h"
#include "runtime/tls.h"

using namespace raddle::runtime;
using raddle::model::MutexType;
using raddle::model::ObjectKind;

extern "C" {
// For tail_calls_x86_64.S.
__attribute__((visibility("hidden"))) void* raddle_real_dlsym;
__attribute__((visibility("hidden"))) void raddle_prepare_dlsym();
}

namespace {

char loader;  // its address stands for the linker's lock

SyncObject& loader_lock() {
  SyncObject& lock = object_at(reinterpret_cast<std::uintptr_t>(&loader), ObjectKind::mutex);
  lock.mutex.type = MutexType::recursive;
  return lock;
}

// Constructors may open further libraries: the fibers stay linked until the outermost call is done.
unsigned calls_inside;

void enter_loader(std::uintptr_t pc) {
  lock_mutex(loader_lock(), OpKind::mutex_lock, 0, pc);
  ++calls_inside;
  set_loader_owner(g.current);
  link_fibers();
}

void leave_loader(std::uintptr_t pc) {
  if (--calls_inside == 0) {
    unlink_fibers();
    set_loader_owner(nullptr);
  }
  load_modules();
  unlock_mutex(loader_lock(), pc);
}

const char* search_path_of(const link_map& caller) {
  const char* strings = nullptr;
  const ElfW(Dyn)* runpath = nullptr;
  for (const ElfW(Dyn)* entry = caller.l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_RUNPATH || (entry->d_tag == DT_RPATH && runpath == nullptr))
      runpath = entry;
  }
  return strings != nullptr && runpath != nullptr ? strings + runpath->d_un.d_val : nullptr;
}

struct Path {
  char text[4096];
  std::size_t length = 0;
  bool fits = true;

  void add(const char* from, std::size_t count) {
    fits = fits && length + count < sizeof text;
    if (!fits) return;
    memcpy(text + length, from, count);
    length += count;
    text[length] = '\0';
  }
};

void add_origin(Path& path, const link_map& caller) {
  char self[2048];
  const char* name = caller.l_name;
  if (name[0] == '\0') {  // the executable
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    name = self;
  }
  const char* slash = strrchr(name, '/');
  path.add(slash != nullptr ? name : ".",
           slash != nullptr ? static_cast<std::size_t>(slash - name) : 1);
}

// One directory of a search path, with $ORIGIN filled in.
void expand(Path& path, const char* from, std::size_t count, const link_map& caller) {
  static constexpr const char* kOrigins[] = {"$ORIGIN", "${ORIGIN}"};
  for (std::size_t i = 0; i < count;) {
    std::size_t skip = 0;
    for (const char* origin : kOrigins)
      if (strncmp(from + i, origin, strlen(origin)) == 0) skip = strlen(origin);
    if (skip != 0)
      add_origin(path, caller);
    else
      path.add(from + i, 1);
    i += skip != 0 ? skip : 1;
  }
}

// The file that the caller's RUNPATH names for a library, or `name` itself.
const char* resolve(const char* name, std::uintptr_t pc, Path& path) {
  Dl_info info{};
  link_map* caller = nullptr;
  if (name == nullptr || name[0] == '\0' || strchr(name, '/') != nullptr) return name;
  if (dladdr1(reinterpret_cast<void*>(pc), &info, reinterpret_cast<void**>(&caller),
              RTLD_DL_LINKMAP) == 0 ||
      caller == nullptr)
    return name;
  const char* directories = search_path_of(*caller);
  while (directories != nullptr && *directories != '\0') {
    std::size_t count = strcspn(directories, ":");
    path.length = 0;
    path.fits = true;
    expand(path, directories, count, *caller);
    path.add("/", 1);
    path.add(name, strlen(name));
    if (path.fits && access(path.text, R_OK) == 0) return path.text;
    directories += count + (directories[count] == ':' ? 1 : 0);
  }
  return name;
}

}  // namespace

void raddle_prepare_dlsym() {
  if (raddle_real_dlsym == nullptr) raddle_real_dlsym = reinterpret_cast<void*>(real_dlsym());
  if (!running() || calls_inside == 0) return;
  SyncObject& lock = loader_lock();
  if (lock.mutex.owner == g.current->id) return;
  lock_mutex(lock, OpKind::mutex_lock, 0, 0);
  unlock_mutex(lock, 0);
}

RADDLE_EXPORT void* dlopen(const char* name, int flags) {
  if (off()) return RADDLE_REAL(dlopen)(name, flags);
  std::uintptr_t pc = RADDLE_PROGRAM_CALLER;
  Path path;
  const char* file = resolve(name, RADDLE_CALLER, path);
  if (name == nullptr) return RADDLE_REAL(dlopen)(name, flags);
  enter_loader(pc);
  void* handle = RADDLE_REAL(dlopen)(file, flags);
  if (g.in_process) drop_kept_tls();
  leave_loader(pc);
  return handle;
}

namespace {

void leave_iteration(void*) { leave_loader(0); }

}  // namespace

RADDLE_EXPORT int dl_iterate_phdr(int (*visit)(dl_phdr_info*, size_t, void*), void* data) {
  if (!running()) return RADDLE_REAL(dl_iterate_phdr)(visit, data);
  std::uintptr_t pc = RADDLE_PROGRAM_CALLER;
  bool free = loader_lock().mutex.owner == raddle::kNoThread;
  if (free && is_system_site(site_of(pc))) return RADDLE_REAL(dl_iterate_phdr)(visit, data);
  enter_loader(pc);
  int result = 0;
  pthread_cleanup_push(leave_iteration, nullptr);
  result = RADDLE_REAL(dl_iterate_phdr)(visit, data);
  pthread_cleanup_pop(1);
  return result;
}

RADDLE_EXPORT int dlclose(void* handle) {
  if (off()) return RADDLE_REAL(dlclose)(handle);
  std::uintptr_t pc = RADDLE_PROGRAM_CALLER;
  enter_loader(pc);
  int result = RADDLE_REAL(dlclose)(handle);
  leave_loader(pc);
  return result;
}

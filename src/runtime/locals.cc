// SPDX-License-Identifier: Apache-2.0
//
// See locals.h. Target side. Instrumented functions tell where they return to and how deep the
// stack is inside of them (ShadowFrame). The frame that holds an address is the outermost one that
// is as deep; where it ends, which is what debug information counts from, is where its return
// address lies. Frames of other functions are not known: an address in them seems to lie beyond the
// end of the next frame, where no variable is.
#include "runtime/locals.h"

#include "runtime/emit.h"
#include "runtime/locate.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

namespace raddle::runtime {
namespace {

// Where the first thread's stack had got to when the process began.
std::uintptr_t process_stack_end() {
  static auto* end = static_cast<std::uintptr_t*>(find_symbol(RTLD_DEFAULT, "__libc_stack_end"));
  return end == nullptr ? 0 : *end;
}

// The end of a frame, where its caller's begins; 0 if it is not found.
std::uintptr_t end_of(const Fiber& fiber, const ShadowFrame* frame) {
  constexpr std::uintptr_t kFrameMax = 64 << 10;
  // Below a frame is what the function calls, of which the first was the hook that noted the frame.
  constexpr std::uintptr_t kOfHook = 2 * sizeof(std::uintptr_t);
  std::uintptr_t begin = frame->stack_pointer + kOfHook;
  std::uintptr_t limit = fiber.stack_high;
  if (fiber.is_main && process_stack_end() < limit) limit = process_stack_end();
  if (frame > fiber.frames) limit = frame[-1].stack_pointer + kOfHook;
  if (limit > begin + kFrameMax) limit = begin + kFrameMax;
  for (std::uintptr_t at = begin; at + sizeof at <= limit; at += sizeof at)
    if (*reinterpret_cast<const std::uintptr_t*>(at) == frame->return_address)
      return at + sizeof at;
  return 0;
}

// Where the innermost instrumented function of the thread is.
SiteId innermost_site(const Fiber& fiber, SiteId current) {
  SiteId site = &fiber == g.current ? current : view_of(fiber).op.site;
  if (fiber.library_frame == 0 || !is_system_site(site)) return site;
  std::uintptr_t pc = nearest_program_pc(fiber, fiber.library_frame);
  return pc != 0 ? site_of(pc) : site;
}

}  // namespace

void emit_local(std::uintptr_t address, SiteId site) {
  const Fiber* fiber = fiber_of_stack(address);
  if (fiber == nullptr || fiber->state != FiberState::alive) return;
  const ShadowFrame* frame = fiber->frames;
  while (frame < fiber->top && frame->stack_pointer > address) ++frame;
  if (frame == fiber->top) return;
  std::uintptr_t end = end_of(*fiber, frame);
  if (end == 0) return;
  bool innermost = frame + 1 == fiber->top;
  SiteId inside = innermost ? innermost_site(*fiber, site) : site_of(frame[1].return_address);
  wire::Event event{};
  event.where = locate(address);
  event.value = address - end;  // negative, for variables
  event.site = inside;
  event.thread = g.current->id;
  event.kind = wire::OpKind::local;
  next_event() = event;
  publish_event();
}

}  // namespace raddle::runtime

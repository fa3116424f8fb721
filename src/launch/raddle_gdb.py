# SPDX-License-Identifier: Apache-2.0
"""Commands for gdb, loaded by `raddle replay --gdb`. Runs inside gdb.

Threads of the program are fibers on one kernel thread, so gdb by itself sees one thread. What it
has to know is read from the memory of the process, at the places that the runtime's table
(raddle_debug_table, src/runtime/debugger.cc) names; no debug information of the runtime is needed.
The program is never changed, except that registers are set for the time of a backtrace.
"""

import contextlib
import os
import re
import shlex
import signal
import struct

import gdb

TABLE_VERSION = 1
NO_THREAD = 0xFFFF
RUNTIME = "libraddle_rt.so"
SHORT_FRAMES = 3  # of a thread in `raddle threads`
FRAMES_MAX = 1000
ENDED_SHOWN_MAX = 16
SYSTEM_HEADERS = ("/usr/include/", "/usr/lib/", "/usr/local/include/")
SYSTEM_LIBRARIES = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/libx32/")
# What raddle's runtime answers itself: gdb passes them on and stops when the verdict is there.
PASSED_ON = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGSYS", "SIG62")
# Commands that let the program run, which it must not do with the registers of another thread. gdb
# takes their beginnings for them, too.
RUNNING = """advance call compile continue detach fg finish jump kill next nexti ni queue-signal
    reverse- run si signal start starti step stepi stop until""".split()
# In the order in which raddle_switch_stack (src/runtime/fiber_x86_64.S) leaves them, from the
# stack pointer upwards.
SAVED = ("control", "r15", "r14", "r13", "r12", "rbx", "rbp", "rip")


# ---- reading the process -------------------------------------------------------------------------


def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def number(address, size):
    return int.from_bytes(read(address, size), "little")


def text(address, limit):
    return read(address, limit).split(b"\0")[0].decode(errors="replace")


def c_string(address):
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string(errors="replace")


class Runtime:
    """The runtime's state, by the names of its table."""

    def __init__(self):
        self.entries = self.read_table()
        if self.entries["version"] != TABLE_VERSION:
            raise gdb.GdbError("the program's runtime and raddle's gdb commands are of different "
                               "versions: link the program again")
        self.state = self.entries["state"]

    @staticmethod
    def read_table():
        try:
            at = int(gdb.parse_and_eval("(unsigned long)&raddle_debug_table"))
            number(at, 8)
        except (gdb.error, gdb.MemoryError):
            raise gdb.GdbError("the program does not run under raddle's control now") from None
        entries = {}
        while True:
            name, address, value = struct.unpack("<QQQ", read(at, 24))
            if name == 0:
                return entries
            entries[c_string(name)] = address or value
            if address:
                entries[c_string(name) + ".number"] = value
            at += 24

    def at(self, name, base=None):
        return (self.state if base is None else base) + self.entries[name]

    def get(self, name, size, base=None):
        return number(self.at(name, base), size)

    def word(self, table, index):
        if index >= self.entries[table + ".number"]:
            return "unknown"
        return c_string(number(self.entries[table] + 8 * index, 8))

    @property
    def step(self):
        return self.get("state.step", 4)

    def threads(self):
        return [Thread(self, i) for i in range(self.get("state.thread_count", 2))]

    def thread(self, word):
        """The thread that the user means by `2` or `T2`; without a word, the current one."""
        if not word:
            return self.current()
        digits = word[1:] if word[:1] in "tT" else word
        if not digits.isdigit() or int(digits) >= self.get("state.thread_count", 2):
            raise gdb.GdbError(f"there is no thread {word}; see `raddle threads`")
        return Thread(self, int(digits))

    def current(self):
        offset = self.get("state.current", 8) - self.at("state.fibers")
        if offset < 0:
            raise gdb.GdbError("the program has not come under raddle's control yet")
        return Thread(self, offset // self.entries["fiber.bytes"])

    def is_enabled(self, thread):
        enabled = self.at("state.enabled")
        if thread // 64 >= number(enabled, 4):
            return False
        words = self.at("set.words", enabled)
        return number(words + 8 * (thread // 64), 8) >> (thread % 64) & 1 == 1

    def verdict(self):
        """(kind, code, message, thread); the kind is `none` while the run lasts."""
        verdict = self.at("verdict", self.get("state.shared", 8))
        message = text(self.at("verdict.message", verdict), self.entries["verdict.message.bytes"])
        code = struct.unpack("<i", read(self.at("verdict.code", verdict), 4))[0]
        kind = self.word("verdict-words", self.get("verdict.kind", 1, verdict))
        return kind, code, message, self.get("verdict.thread", 2, verdict)


class Thread:
    def __init__(self, runtime, index):
        self.runtime, self.index = runtime, index
        self.fiber = runtime.at("state.fibers") + index * runtime.entries["fiber.bytes"]
        view = runtime.at("state.views") + index * runtime.entries["view.bytes"]
        self.op = runtime.at("view.op", view)
        self.alive = self.get("fiber.state", 1) == runtime.entries["fiber.alive"]
        self.is_current = runtime.get("state.current", 8) == self.fiber

    def get(self, name, size):
        return self.runtime.get(name, size, self.fiber)

    @property
    def title(self):
        name = text(self.runtime.at("fiber.name", self.fiber),
                    self.runtime.entries["fiber.name.bytes"])
        # A thread inherits its creator's name; "main" says something about the first one only.
        inherited = self.index != 0 and name == "main"
        return f"T{self.index}" + (f" {name}" if name and not inherited else "")

    @property
    def kind(self):
        return self.runtime.word("op-words", self.runtime.get("op.kind", 1, self.op))

    def saved_registers(self):
        sp = self.get("fiber.stack_pointer", 8)
        values = dict(zip(SAVED, struct.unpack("<8Q", read(sp, 64))))
        del values["control"]
        values["rsp"] = sp + 64
        values["fs_base"] = self.get("fiber.thread_pointer", 8)
        return values

    # -- its state in words ------------------------------------------------------------------------

    def waited_object(self):
        """The address of what the pending operation is about; 0 if of nothing."""
        waited = self.get("fiber.object", 8)
        if waited:
            return self.runtime.get("object.address", 8, waited)
        return self.runtime.get("op.address", 8, self.op)

    def holder(self):
        """Who has to act before this thread can go on, if that is one thread."""
        waited = self.get("fiber.object", 8)
        if not waited or self.get("fiber.on_cond", 1):
            return None
        kind = self.runtime.get("object.kind", 1, waited)
        for name, field in (("mutex", "owner"), ("rwlock", "writer"), ("once", "runner")):
            if kind == self.runtime.entries[f"object.{name}"]:
                owner = self.runtime.get(f"object.{name}.{field}", 2, waited)
                return None if owner == NO_THREAD else owner
        return None

    def held(self):
        first = self.runtime.at("fiber.held", self.fiber)
        size = self.runtime.entries["held.bytes"]
        objects = (self.runtime.get("held.object", 8, first + i * size)
                   for i in range(self.get("fiber.held_count", 1)))
        return [self.runtime.get("object.address", 8, held) for held in objects]

    def blocked(self):
        kind, what = self.kind, place(self.waited_object())
        holder = self.holder()
        owner = ""
        if holder is not None:
            owner = ", which it holds itself" if holder == self.index else f", held by T{holder}"
        if kind == "join":
            return f"waits for T{self.runtime.get('op.other', 2, self.op)} to end"
        return f"waits in {kind}" + (f" of {what}" if what else "") + owner

    def state(self):
        if not self.alive:
            return "has ended"
        enabled = self.runtime.is_enabled(self.index)
        if self.is_current and enabled:
            return "running"
        if not enabled:
            if self.kind == "sleep":
                left = self.get("fiber.deadline_ns", 8) - self.runtime.get("state.now_ns", 8)
                return f"sleeps, {max(left, 0) / 1e9:g} s more"
            return self.blocked()
        what = place(self.waited_object())
        return f"could run, next: {self.kind}" + (f" of {what}" if what else "")


def place(address):
    """What lies at an address, in words."""
    if address == 0:
        return ""
    symbol = gdb.execute(f"info symbol {address:#x}", to_string=True)
    if symbol.startswith("No symbol"):
        return f"{address:#x}"
    return "`" + symbol.split(" in section ")[0].strip() + "`"


# ---- stacks --------------------------------------------------------------------------------------


def get_registers(names):
    gdb.newest_frame().select()
    return {name: int(gdb.parse_and_eval(f"(unsigned long)${name}")) for name in names}


def set_registers(values):
    for name, value in values.items():
        # Every change may leave another frame selected; only the newest one has real registers.
        gdb.newest_frame().select()
        # As unsigned long: 64 bits do not fit into gdb's int.
        gdb.execute(f"set ${name} = {value}UL", to_string=True)


@contextlib.contextmanager
def inside(thread):
    """Within, gdb sees the stack of the thread. Everything is as it was afterwards."""
    if thread.is_current:
        yield
        return
    if not thread.alive:
        raise gdb.GdbError(f"T{thread.index} has ended, it has no stack")
    wanted = thread.saved_registers()
    level = gdb.selected_frame().level()
    before = get_registers(wanted)
    try:
        set_registers(wanted)
        yield
    finally:
        set_registers(before)
        if get_registers(before) != before:
            raise gdb.GdbError("the registers could not be set back; `run` begins again")
        # Frames do not outlive a change of registers: find the selected one by its number.
        next(frame for frame in frames() if frame.level() == level).select()


def frames():
    """From the innermost outwards; stops where the stack cannot be read."""
    frame = gdb.newest_frame()
    for _ in range(FRAMES_MAX):
        yield frame
        try:
            frame = frame.older()
        except gdb.error:
            return
        if frame is None:
            return


def library(frame):
    return gdb.solib_name(frame.pc()) or ""


def is_runtime(frame):
    return os.path.basename(library(frame)).startswith(RUNTIME)


def is_users(frame):
    """Whether the frame shows a line of the user's."""
    if is_runtime(frame) or library(frame).startswith(SYSTEM_LIBRARIES):
        return False
    source = frame.find_sal()
    if source.symtab is None:
        return False
    return not source.symtab.fullname().startswith(SYSTEM_HEADERS)


def first_users():
    """The frame to show: the innermost of the user's, or at least one outside the runtime."""
    outside = None
    for frame in frames():
        if is_users(frame):
            return frame
        if outside is None and frame.type() != gdb.SIGTRAMP_FRAME and not is_runtime(frame):
            outside = frame
    return outside or gdb.newest_frame()


def short(frame):
    source = frame.find_sal()
    name = frame.name() or "??"
    if source.symtab is None:
        where = library(frame)
        return f"{name}" + (f" from {where}" if where else "")
    return f"{name} at {source.symtab.filename}:{source.line}"


def short_stack(thread):
    if not thread.alive:
        return []
    if thread.kind == "start" and not thread.is_current:
        start = place(thread.get("fiber.start", 8)).strip("`")
        return [f"has not begun; it will call {start}"] if start else []
    with inside(thread):
        shown = [short(frame) for frame in frames() if is_users(frame)]
        if not shown:
            shown = [short(first_users())]
    more = [] if len(shown) <= SHORT_FRAMES else ["..."]
    return shown[:SHORT_FRAMES] + more


def whole_stack():
    """As gdb prints it and with its numbers, without the runtime's frames at both ends."""
    stack = list(frames())
    while stack and is_runtime(stack[-1]):
        stack.pop()
    while stack and is_runtime(stack[0]):
        stack.pop(0)
    for frame in stack:
        frame.select()
        yield gdb.execute("frame", to_string=True).split("\n")[0]


# ---- commands ------------------------------------------------------------------------------------


class Raddle(gdb.Command):
    """Commands for a run that raddle replays: `raddle threads`, `raddle thread T2`,
`raddle apply T2 COMMAND`, `raddle step`, `raddle until STEP`, `raddle where`, `raddle output`."""

    def __init__(self):
        super().__init__("raddle", gdb.COMMAND_STACK, prefix=True)


class Subcommand(gdb.Command):
    def __init__(self, name, kind=gdb.COMMAND_STACK):
        super().__init__(f"raddle {name}", kind)
        self.dont_repeat_after = kind != gdb.COMMAND_RUNNING

    def invoke(self, argument, _):
        if self.dont_repeat_after:
            self.dont_repeat()
        if gdb.selected_inferior().pid == 0:
            raise gdb.GdbError("the program is not running; `run` starts it again")
        self.carry_out(Runtime(), argument.strip())


class Threads(Subcommand):
    """Show all threads of the program: what each does or waits for, and where.
Usage: raddle threads"""

    def carry_out(self, runtime, _):
        print(f"step {runtime.step}")
        threads = runtime.threads()
        ended = [thread for thread in threads if not thread.alive]
        if len(ended) > ENDED_SHOWN_MAX:
            print(f"  {len(ended)} threads have ended")
            threads = [thread for thread in threads if thread.alive]
        for thread in threads:
            mark = "*" if thread.is_current else " "
            held = ", ".join(place(address) for address in thread.held()) if thread.alive else ""
            print(f"{mark} {thread.title}: {thread.state()}" +
                  (f"; holds {held}" if held else ""))
            for line in short_stack(thread):
                print(f"      {line}")


class Backtrace(Subcommand):
    """Show the whole stack of a thread.
Usage: raddle thread [THREAD]
THREAD is 2 or T2; without it, the current thread. The runtime's own frames are left out."""

    def carry_out(self, runtime, argument):
        thread = runtime.thread(argument)
        print(f"{thread.title}: {thread.state()}")
        with inside(thread):
            for line in whole_stack():
                print(line)


class Apply(Subcommand):
    """Carry out a command as if a thread that is not running now were the one gdb looks at.
Usage: raddle apply THREAD COMMAND
The frame of the user's code is selected: `raddle apply T2 info locals`."""

    def carry_out(self, runtime, argument):
        word, _, command = argument.partition(" ")
        if not command.strip():
            raise gdb.GdbError("Usage: raddle apply THREAD COMMAND")
        verb = command.split()[0]
        if verb != "f" and any(name.startswith(verb) for name in RUNNING):  # f is frame
            raise gdb.GdbError("only raddle's schedule says who goes on; see `raddle step`")
        with inside(runtime.thread(word)):
            first_users().select()
            try:
                gdb.execute(command)
            except gdb.error as error:
                raise gdb.GdbError(str(error)) from None


class Where(Subcommand):
    """Say which step the run is at, and which thread carries it out.
Usage: raddle where"""

    def carry_out(self, runtime, _):
        thread = runtime.current()
        print(f"step {runtime.step}: {thread.title} {thread.state()}")


class Output(Subcommand):
    """Show what the program has written to its standard output and error up to now.
Usage: raddle output
What stdio still holds in its buffers is not there yet."""

    def carry_out(self, _, __):
        for stream in (1, 2):
            try:
                with open(f"/proc/{gdb.selected_inferior().pid}/fd/{stream}", "rb") as file:
                    gdb.write(file.read().decode(errors="replace"))
            except OSError as error:
                print(f"stream {stream} cannot be read: {error.strerror}")


class Step(Subcommand):
    """Go on until a thread arrives at the next point: a place where raddle may switch threads.
Usage: raddle step [COUNT]"""

    def carry_out(self, runtime, argument):
        if argument and not argument.isdigit():
            raise gdb.GdbError("Usage: raddle step [COUNT]")
        left = int(argument or 1)

        def arrived():
            nonlocal left
            left -= 1
            return left <= 0
        go_to_point(runtime, arrived)


class Until(Subcommand):
    """Go on until so many steps have been made (see `raddle show` for their numbers).
Usage: raddle until STEP"""

    def carry_out(self, runtime, argument):
        if not argument.isdigit():
            raise gdb.GdbError("Usage: raddle until STEP")
        if int(argument) <= runtime.step:
            raise gdb.GdbError(f"{runtime.step} steps have been made already; `run` begins again")
        go_to_point(runtime, lambda: runtime.step >= int(argument))


def execute(command, without):
    """Carries out a command of gdb's, and prints what it prints but for lines that say nothing."""
    printed = gdb.execute(command, to_string=True)
    gdb.write("".join(line for line in printed.splitlines(True)
                      if line.strip() and not line.startswith(without)))


def go_to_point(runtime, arrived):
    points = [PointBreakpoint(runtime.entries[name], arrived)
              for name in ("pass-point", "pass-point-of-object", "pass-point-and-wait")]
    try:
        execute("continue", without=("Continuing",))
    finally:
        for point in points:
            point.delete()


# ---- stops ---------------------------------------------------------------------------------------


class Quiet(gdb.Breakpoint):
    """A breakpoint of ours: not in the user's list, and we say ourselves where the run is."""

    def __init__(self, where):
        super().__init__(where, internal=True)
        self.silent = True

    def announce(self):
        """What to print when the program has stopped here; None: nothing."""


class AtMain(Quiet):
    def announce(self):
        return "the run begins"


class BeginBreakpoint(Quiet):
    """The run begins; there may be no `main` to stop at, or threads before it."""

    at_main = None  # the breakpoint at main, as long as the run has not begun for the first time

    def stop(self):
        if self.at_main is None:
            return False
        before_main = int(gdb.parse_and_eval("(unsigned long)$rdi")) == 0
        return before_main or self.at_main.pending

    def announce(self):
        return "the run begins"


class EndBreakpoint(Quiet):
    def announce(self):
        runtime = Runtime()
        kind, code, message, thread = runtime.verdict()
        if kind == "crash":
            message = signal.Signals(code).name
        elif kind == "exited":
            message = f"exit code {code}"
        words = kind + (f": {message}" if message else "")
        return f"the run ends after step {runtime.step}, in T{thread}: {words}"


class RaceBreakpoint(Quiet):
    def announce(self):
        runtime = Runtime()
        return f"a data race, in {runtime.current().title} after step {runtime.step}"


class PointBreakpoint(Quiet):
    def __init__(self, address, arrived):
        super().__init__(f"*{address:#x}")
        self.arrived = arrived

    def stop(self):
        return self.arrived()

    def announce(self):
        runtime = Runtime()
        thread = runtime.current()
        return f"step {runtime.step}: {thread.title} is before {thread.kind}"


def on_stop(event):
    if not isinstance(event, gdb.BreakpointEvent):
        return
    for breakpoint in event.breakpoints:
        announcement = breakpoint.announce() if isinstance(breakpoint, Quiet) else None
        if announcement is None:
            continue
        first_users().select()
        where = gdb.execute("frame", to_string=True)
        # Without the number, as gdb itself does it when the program stops.
        gdb.write(f"raddle: {announcement}\n" + re.sub(r"^#\d+ +", "", where))
        return


def on_exit(event):
    """The engine gets to know how the process ended."""
    if hasattr(event, "exit_code"):
        status = (event.exit_code & 0xFF) << 8
    else:
        number_of_signal = gdb.convenience_variable("_exitsignal")
        if number_of_signal is None:
            return
        status = int(number_of_signal)
    os.write(CHANNEL, b"e" + struct.pack("<i", status))


def on_library(event):
    """The runtime has been loaded: there is something to stop at."""
    if not os.path.basename(event.new_objfile.filename).startswith(RUNTIME):
        return
    gdb.events.new_objfile.disconnect(on_library)  # breakpoints outlive the process
    BeginBreakpoint("raddle_debug_run_begins")
    EndBreakpoint("raddle_debug_run_ends")
    RaceBreakpoint("raddle_debug_race")


def begin():
    for setting in ("startup-with-shell on", "disable-randomization on", "follow-fork-mode parent",
                    "detach-on-fork on", "breakpoint pending on"):
        gdb.execute(f"set {setting}")
    tool = shlex.quote(os.environ["RADDLE_GDB_TOOL"])
    gdb.execute(f"set exec-wrapper {tool} start-below-gdb {RECORD} {CHANNEL}")
    gdb.execute("handle " + " ".join(PASSED_ON) + " nostop noprint pass", to_string=True)
    gdb.events.stop.connect(on_stop)
    gdb.events.exited.connect(on_exit)
    Raddle()
    Threads("threads")
    Backtrace("thread")
    Backtrace("bt")
    Apply("apply")
    Where("where")
    Output("output")
    Step("step", gdb.COMMAND_RUNNING)
    Until("until", gdb.COMMAND_RUNNING)
    gdb.events.new_objfile.connect(on_library)
    BeginBreakpoint.at_main = AtMain("main")
    execute("run", without=("[Thread debugging", "Using host libthread_db"))
    BeginBreakpoint.at_main.delete()
    BeginBreakpoint.at_main = None



RECORD, CHANNEL = (int(word) for word in os.environ["RADDLE_GDB_FILES"].split(","))
begin()

"""The interpreter's end of the simulator: local virtual time, posted operations, interrupts.

Entry points: ``connect`` (once, by ``sim_boot``); ``call``, ``read_levels``, ``post``, ``post_bytes``, ``ask`` and
``ask_data`` for the modules of the overlay; ``sleep_for`` and ``wait_io`` for waiting; ``set_handler``, ``disable``,
``enable`` and ``schedule`` for interrupts.

Time is kept here in nanoseconds. A call moves it on and needs the simulator only when something could have changed:
when the clock reaches the *horizon* (the simulator's next event), or when an input is read while outputs wait in the
batch. Nothing on the path of a call allocates, so the firmware may lock its heap around any of them.
"""

import sys
from array import array

import _protocol as p
import uctypes
import uos  # the overlay has its own os
from micropython import const, heap_lock, heap_unlock

_BATCH = const(2048)  # bytes: a hundred posted pin changes, or one long SPI write
_ROOM = const(200)  # words after which a batch is sent without being asked; the rest is for interrupt handlers
_FULL = const(252)
_LONG = const(1024)  # bytes above which data is sent from the caller's own buffer
_CALLS_MASK = const(0x1FFFFFFF)
_IRQS_ON = const(1 << 31)

_batch = bytearray(_BATCH)
_words = uctypes.struct(uctypes.addressof(_batch), {"w": (0 | uctypes.ARRAY, 256 | uctypes.UINT64)}).w
_answer = array("l", bytes(8 * p.ANSWER_WORDS))
_pending = array("l", bytes(8 * p.PENDING_WORDS * p.PENDING_MAX))
_end = 1  # first free word of the batch; 1 means that nothing waits
_calls = 0
_tx = None
_rx = None

now = 0  # ns since the simulated world was switched on
horizon = 0  # answers given from here hold, and outputs wait, before this instant
levels = 0  # one bit a GPIO
flags = 0
value = 0  # what the last synchronous operation returned

call_ns = 0
task_ns = 0
sha_block_ns = 0
collect_ns = 0
_latency = 0
_window = 0
ticks_base = 0
rtc_base = 0  # seconds of the board's clock at instant 0
chip = 0
reset_cause = 0
seed = bytearray(p.SEED_BYTES)
board_id = bytearray(p.ID_BYTES)

_handlers = [None] * (p.TIMER_SOURCE + p.TIMERS)
_arguments = [None] * (p.TIMER_SOURCE + p.TIMERS)
_hard = bytearray(p.TIMER_SOURCE + p.TIMERS)
irq_flags = bytearray(p.TIMER_SOURCE + p.TIMERS)
_off = False
_floor = 0  # interrupts could not run before this instant
in_handler = False
_handler_levels = 0

_QUEUE = const(8)  # scheduler depth of the rp2 port
_soft_function = [None] * _QUEUE
_soft_argument = [None] * _QUEUE
_soft_first = 0
_soft_count = 0
_in_soft = False

heap_report = None  # installed by sim_boot: called when the simulator asks for heap figures


def connect(request_fd: int, answer_fd: int) -> None:
    """Open the pipes and learn the costs, the seed and the board from the simulator."""
    global _tx, _rx, call_ns, task_ns, sha_block_ns, collect_ns, _latency, _window, ticks_base, rtc_base
    global chip, reset_cause
    _tx = open(request_fd, "wb")
    _rx = open(answer_fd, "rb")
    _append(p.HELLO)
    _exchange(None, 0)
    words = array("l", bytes(8 * p.HELLO_WORDS))
    _receive(words, 8 * p.HELLO_WORDS)
    call_ns, task_ns, sha_block_ns, collect_ns, _latency, _window, ticks_base, rtc_base = words
    chip = value & 0xFFFF
    reset_cause = value >> 16
    _receive(seed, p.SEED_BYTES)
    _receive(board_id, p.ID_BYTES)


# --- calls ------------------------------------------------------------------------------------------------------


def call(extra_ns: int = 0) -> None:
    """Charge one call and ``extra_ns``; an interrupt whose instant has come runs before it returns."""
    global now, _calls
    _calls += 1
    now += call_ns + extra_ns
    if now >= horizon and not in_handler:
        sync()
    elif _soft_count:
        _run_soft()


def charge(extra_ns: int) -> None:
    """Let ``extra_ns`` pass that no call stands for: a task step, a hash block, a collection."""
    global now
    now += extra_ns
    if now >= horizon and not in_handler:
        sync()


def read_levels() -> int:
    """Charge one call and return the level of every GPIO, one bit each, at its end."""
    global now, _calls
    _calls += 1
    now += call_ns
    if in_handler:
        return _handler_levels
    if now >= horizon or _end != 1:
        sync()
    elif _soft_count:
        _run_soft()
    return levels


def post(code: int, after_ns: int = 0) -> None:
    """Charge one call and queue the output ``code``, which takes effect at its end; ``after_ns`` more then pass."""
    global now, horizon, _calls, _end
    _calls += 1
    now += call_ns
    if _end == 1 and horizon > now + _window:
        horizon = now + _window
    if _end > _FULL:
        raise RuntimeError("interrupt handlers set more outputs than the batch holds")
    _words[_end] = now
    _words[_end + 1] = code
    _end += 2
    now += after_ns
    if in_handler:
        return
    if now >= horizon or _end > _ROOM:
        sync()
    elif _soft_count:
        _run_soft()


def post_bytes(code: int, data: bytes | bytearray | memoryview, count: int, after_ns: int = 0) -> None:
    """As ``post``, with ``count`` bytes of ``data`` behind the code word."""
    global now, horizon, _calls, _end
    _calls += 1
    now += call_ns
    if count > _LONG:
        refuse_in_handler()
        # The simulator answers when the transfer is over, so the clock need not be moved on here.
        _append(code)
        _exchange(data, count)
        _settle()
        return
    if (_end + 6) * 8 + len(data) > _BATCH:
        refuse_in_handler()
        sync()
    if _end == 1 and horizon > now + _window:
        horizon = now + _window
    _words[_end] = now
    _words[_end + 1] = code
    start = (_end + 2) * 8
    _batch[start : start + len(data)] = data
    _end += 2 + (count + 7) // 8
    now += after_ns
    if in_handler:
        return
    if now >= horizon or _end > _ROOM:
        sync()
    elif _soft_count:
        _run_soft()


def sync() -> None:
    """Send what waits and take over the simulator's time, levels and interrupts. Charges nothing."""
    _append(p.SYNC)
    _exchange(None, 0)
    _settle()


def flush() -> None:
    """Send what waits, if anything does. Charges nothing."""
    if _end != 1:
        sync()


def ask(code: int) -> int:
    """Charge one call, send ``code`` and return its value when it is over."""
    _start(code)
    _exchange(None, 0)
    result = value
    _settle()
    return result


def ask_data(
    code: int, out: bytes | bytearray | None, out_count: int, into: bytearray | array | None, in_count: int
) -> int:
    """As ``ask``, with ``out_count`` bytes of ``out`` behind the code; fills ``in_count`` bytes of ``into``.

    Nothing is received when the value is negative.
    """
    _start(code)
    _exchange(out, out_count)
    result = value
    if in_count and result >= 0:
        _receive(into, in_count)
    _settle()
    return result


def refuse_in_handler() -> None:
    """RuntimeError in a hard handler: on the board the bus may be in the middle of a transfer."""
    if in_handler:
        raise RuntimeError("bus call in an interrupt handler")


def _start(code: int) -> None:
    global now, _calls
    refuse_in_handler()
    _calls += 1
    now += call_ns
    _append(code)


def _append(code: int) -> None:
    global _end
    _words[_end] = now
    _words[_end + 1] = code
    _end += 2


def _exchange(data: bytes | bytearray | None, count: int) -> None:
    global _end, now, horizon, levels, flags, value
    size = _end * 8
    if count and size + len(data) <= _BATCH - 8:
        _batch[size : size + len(data)] = data
        size += (count + 7) & ~7
        count = 0
    padding = -count & 7
    _words[0] = (size + count + padding) | (0 if _off else _IRQS_ON) | (_calls & _CALLS_MASK) << 32
    try:
        _tx.write(_batch, size)
        if count:
            _tx.write(data, count)
            if padding:
                _tx.write(_batch, padding)
    except OSError:
        _end_process()
    _end = 1
    _receive(_answer, 8 * p.ANSWER_WORDS)
    now = _answer[0]
    horizon = _answer[1]
    levels = _answer[2]
    flags = _answer[3]
    value = _answer[4]
    count = flags >> p.PENDING_SHIFT
    if count:
        _receive(_pending, 8 * p.PENDING_WORDS * count)


def _receive(into: bytearray | array, count: int) -> None:
    if _rx.readinto(into, count) != count:
        _end_process()


def _end_process() -> None:
    """The simulator is gone: there is no world left to run in, and nothing may catch that."""
    uos.system("kill -9 $PPID")


def _settle() -> None:
    """What follows an answer: interrupts, then soft callbacks, then a Ctrl-C from the host."""
    while flags >> p.PENDING_SHIFT:
        _deliver(flags >> p.PENDING_SHIFT)
        if not flags & p.PENDING_MORE:
            break
        _append(p.SYNC)
        _exchange(None, 0)
    if _soft_count:
        _run_soft()
    if flags & p.WANT_HEAP:
        heap_report()
    if flags & p.KEYBOARD_INTERRUPT:
        raise KeyboardInterrupt


def report_heap(used: int, free: int, overlay: int) -> None:
    """Send heap figures in bytes; charges nothing."""
    global _end
    _append(p.HEAP)
    _words[_end] = used
    _words[_end + 1] = free
    _words[_end + 2] = overlay
    _end += 3
    _exchange(None, 0)
    _settle()


# --- waiting ----------------------------------------------------------------------------------------------------


def sleep_for(duration_ns: int) -> None:
    """Charge one call and let ``duration_ns`` pass; interrupts run on the way."""
    global now, _calls, _end
    _calls += 1
    now += call_ns
    until = now + duration_ns
    while True:
        if in_handler or (_end == 1 and until < horizon):
            if now < until:
                now = until
            if _soft_count and not in_handler:
                _run_soft()
            return
        _append(p.SLEEP)
        _words[_end] = until - now if until > now else 0
        _end += 1
        _exchange(None, 0)
        _settle()
        if now >= until:
            return


def wait_io(interest: int, timeout_ns: int) -> int:
    """Wait up to ``timeout_ns`` (negative: for ever) for bits of ``interest``; returns those that are true.

    1 is "standard input has a byte", 2 "standard output has room". 0 after the time or an interrupt. Charges nothing.
    """
    global now, _end
    refuse_in_handler()
    if _end == 1 and timeout_ns >= 0 and now + timeout_ns < horizon:
        idle = flags if interest else 0
        if (not interest & 1 or idle & p.STDIN_EMPTY) and (not interest & 2 or idle & p.STDOUT_FULL):
            now += timeout_ns
            return 0
    _append(p.POLL | interest << p.UNIT_SHIFT)
    _words[_end] = timeout_ns + 1  # 0 stands for ever
    _end += 1
    _exchange(None, 0)
    result = value
    _settle()
    return result


# --- interrupts -------------------------------------------------------------------------------------------------


def set_handler(source: int, handler: object, argument: object, hard: bool) -> None:
    """``handler(argument)`` runs at each event of ``source``; None takes it away."""
    _handlers[source] = handler
    _arguments[source] = argument
    _hard[source] = 1 if hard else 0


def disable() -> int:
    """Hold interrupts off; returns the state to hand to ``restore``."""
    global _off
    call()
    state = 0 if _off else 1
    _off = True
    return state


def restore(state: int) -> None:
    """Put the interrupt state back; what was held off runs now."""
    global _off, _floor
    was_off = _off
    _off = not state
    if state and was_off:
        _floor = now
        if not in_handler and flags & p.PENDING_MORE:
            sync()
    call()


def _deliver(count: int) -> None:
    global now, in_handler, _handler_levels, _floor
    index = 0
    while index < count:
        at = index * p.PENDING_WORDS
        index += 1
        source = _pending[at]
        if source < 0:
            continue
        bits = _pending[at + 1]
        instant = _pending[at + 2]
        _handler_levels = _pending[at + 3]
        if instant <= _floor:
            # Held off until _floor: the flags of one pin are one latch, so its edges up to then are one interrupt.
            instant = _floor
            other = index
            while other < count:
                later = other * p.PENDING_WORDS
                if _pending[later] == source and _pending[later + 2] <= _floor:
                    bits |= _pending[later + 1]
                    _handler_levels = _pending[later + 3]
                    _pending[later] = -1
                other += 1
        handler = _handlers[source]
        if handler is None:
            continue
        irq_flags[source] = bits
        if not _hard[source]:
            _push_soft(handler, _arguments[source])
            continue
        resume = now
        begin = instant + _latency
        now = begin
        in_handler = True
        heap_lock()
        try:
            handler(_arguments[source])
        except BaseException as error:
            # As the rp2 port: an exception in a handler is reported and the handler is not called again.
            _handlers[source] = None
            heap_unlock()
            sys.stderr.write("exception in an interrupt handler, which is now off:\n")
            sys.print_exception(error, sys.stderr)
            heap_lock()
        finally:
            heap_unlock()
            in_handler = False
        _floor = now
        now = resume + _latency + now - begin


def schedule(function: object, argument: object) -> None:
    """``micropython.schedule``: run ``function(argument)`` soon, outside interrupt handlers.

    RuntimeError when eight callbacks wait already.
    """
    if not _push_soft(function, argument):
        raise RuntimeError("schedule queue full")
    if not in_handler:
        _run_soft()


def _push_soft(function: object, argument: object) -> bool:
    global _soft_count
    if _soft_count == _QUEUE:
        return False
    index = (_soft_first + _soft_count) % _QUEUE
    _soft_function[index] = function
    _soft_argument[index] = argument
    _soft_count += 1
    return True


def _run_soft() -> None:
    global _in_soft, _soft_first, _soft_count
    if _in_soft or in_handler:
        return
    _in_soft = True
    try:
        while _soft_count:
            index = _soft_first
            _soft_first = (index + 1) % _QUEUE
            _soft_count -= 1
            try:
                _soft_function[index](_soft_argument[index])
            except BaseException as error:
                sys.stderr.write("exception in a scheduled callback:\n")
                sys.print_exception(error, sys.stderr)
    finally:
        _in_soft = False

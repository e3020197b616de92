"""Attributes that objects of the interpreter have: an attribute of the program by such a name keeps it.

Entry points: :data:`ATTRIBUTES`, and :data:`SPARE` for names that take no room. The attributes are those of
MicroPython's own types and modules, the unix port's and the rp2 port's (`machine`, `rp2`), and of the frozen part of
asyncio; what is missing here and used on an object of the interpreter shows as an AttributeError. The interpreter has
most of these names by itself: those lie in its program and not in the heap.
"""

from __future__ import annotations

_WORDS = """
a2b_base64 abs accept aclose acos acosh acquire active add add_argument add_program addressof aes alarm all
alloc_emergency_exception_buf any append appendleft argv array asin asinh asm_pio asm_pio_encode atan atan2 atanh
atexit atten awrite awritestr b2a_base64 bin bind bitstream blit bool bootloader bootsel_button bpp buf bytearray
bytearray_at byteorder bytes bytes_at calcsize call_exception_handler callable ceil center channel chdir choice chr
classmethod clear clock close collect compile complex config connect const copy copysign core cos cosh count country
crc32 create_task cur_task current_task datetime decode decorate decorator decrypt deepsleep
default_exception_handler degrees deinit delattr delay deleter deque desc_cfg desc_dev dht_readinto dict difference
difference_update digest dir disable disable_irq discard divmod drain drive dump dumps duty_ns duty_u16 e ellipse
enable enable_irq encode encrypt endswith enumerate ep_max erf erfc errno errorcode eval event exc_info exec
execfile executable exit exp expm1 extend fabs factorial feed fileno fill fill_rect filter find flags float floor
flush fmod format freq frexp from_bytes fromhex fromkeys frozenset gamma gather get get_event_loop
get_exception_handler get_extra_info getaddrinfo getattr getcwd getenv getrandbits getter getvalue globals gmtime
hasattr hash heap_lock heap_report heap_unlock heapify heappop heappush help hex hexdigest hexlify high hline id
idle ilistdir implementation in_ index inet_ntop inet_pton inf init input insert int intersection
intersection_update invert io ioctl ipoll irq is_set isalpha isclose isdigit isdisjoint isenabled isfinite isinf
isinstance islower isnan isspace issubclass issubset issuperset isupper items iter itf_max jmp join kbd_intr keys
label ldexp len lgamma libc_ver lightsleep line list listdir listen load load_cert_chain load_verify_locations loads
locals localtime locked log log10 log2 low lower lstrip machine main makefile map mapping match max maxsize md5
mem16 mem32 mem8 mem_alloc mem_backup mem_current mem_free mem_info mem_peak mem_total memory memoryview min mkdir
mkfs mktime mode modf modify modules mount mov mp_available n name namedtuple nan new_event_loop next nodename nop
object oct off on open open_connection opt_level ord out pack pack_ctrl pack_into parse parse_args parse_known_args
partition path peek pi pin pixel platform poll poly pop popitem popleft pow print print_exception property ps1 ps2
pull push put putenv python_compiler qstr_info queue_read queue_write radians randint random randrange range read
read_u16 readblocks readexactly readfrom readfrom_into readfrom_mem readfrom_mem_into readinto readline rect recv
recvfrom register rel release remote_wakeup remove remove_program rename replace repr reset reset_cause restart
reverse reversed rfind rindex rmdir round rpartition rsplit rstrip run run_forever run_until_complete rx_fifo scan
schedule scroll search seed seek select send sendall sendbreak sendto sep set set_exception_handler setattr
setblocking setdefault setsockopt setter settimeout sha1 sha256 shift side sin sinh sizeof sleep sleep_ms sleep_us
slice sockaddr socket soft_reset sort sorted split splitlines sqrt stack_use stall start start_server startswith
stat state_machine staticmethod statvfs stderr stdin stdout stop str str_max stream stream_awrite strip struct sub
submit_xfer sum super symmetric_difference symmetric_difference_update sync sys sysname system tan tanh tau tell
text threshold ticks ticks_add ticks_cpu ticks_diff ticks_ms ticks_us time time_ns time_pulse_us timing tls to_bytes
toggle trigger trunc tuple tx_fifo txdone type umount unhexlify uniform union unique_id unlink unpack unpack_ctrl
unpack_from unregister unsetenv update upper urandom usage value values verify_mode version version_info vline wait
wait_closed wait_for wait_for_ms wait_io_event width word wrap wrap_socket wrap_target write write_readinto
writeblocks writeto writeto_mem writevto zip
"""

_SPARE_WORDS = """
on add aes buf cos erf exp get inf log md5 nan off pop put run sep sin tan tau acos argv asin atan blit ceil copy core
cosh dump erfc fabs fill find fmod idle join line load log2 mem8 mkfs mode modf pack peek poll poly push rect seed seek
sha1 sinh sort sqrt stop sync tanh tell wait acosh array asinh atan2 atanh chdir clear clock crc32 deque drain dumps
event expm1 flags floor frexp gamma hline index ipoll isinf isnan ldexp loads log10 lower match mem16 mem32 mkdir parse
pixel rfind rmdir split start stdin strip ticks trunc union upper vline aclose awrite center choice decode digest enable
encode fileno gather getcwd getter gmtime insert invert is_set lgamma locked lstrip mktime modify rename rindex rsplit
rstrip scroll search setter sha256 sizeof stderr stdout unlink unpack acquire collect connect decrypt degrees deleter
disable discard ellipse encrypt fromhex heapify heappop hexlify isalpha isclose isdigit islower isspace isupper listdir
maxsize modules popitem popleft radians randint release replace reverse statvfs time_ns uniform urandom version bytes_at
calcsize copysign cur_task endswith fromkeys getvalue heappush ilistdir isfinite issubset kbd_intr mem_free mem_info
register schedule sleep_ms sleep_us ticks_ms ticks_us to_bytes wait_for addressof awritestr byteorder factorial
fill_rect isenabled localtime mem_alloc opt_level pack_into partition qstr_info randrange stack_use threshold ticks_add
ticks_cpu unhexlify appendleft b2a_base64 difference from_bytes isdisjoint issuperset namedtuple queue_read rpartition
setdefault soft_reset splitlines startswith ticks_diff unregister create_task getrandbits queue_write readexactly
run_forever unpack_from wait_closed wait_for_ms bytearray_at current_task intersection start_server version_info
stream_awrite time_pulse_us wait_io_event get_event_loop get_extra_info implementation new_event_loop open_connection
print_exception difference_update run_until_complete intersection_update symmetric_difference get_exception_handler
set_exception_handler call_exception_handler default_exception_handler symmetric_difference_update
"""

ATTRIBUTES = frozenset(_WORDS.split())

SPARE = tuple(_SPARE_WORDS.split())
"""Of these, those that both ports have in their programs, and by which the interpreter looks at no object of ours."""

# SPDX-License-Identifier: BSD-3-Clause
"""Recordings in Python, read by libprecis: their samples one by one, or as columns.

    from precis_recording import Recording

    with Recording("perf.data") as recording:
        for sample in recording:
            print(sample.event, sample.get("mem_level"), sample.reasons().get("addr"))

    with Recording("perf.data") as recording:
        for batch in recording.columns("ip", "dcache_miss_latency"):
            latency = batch["dcache_miss_latency"]
            print(latency.numpy()[latency.present()].mean())

PebsDump() does the same with dumps of PEBS buffers, which no perf has seen. Needs precis.py beside it. NumPy is needed by numpy() and present() alone: a column is a buffer of
64-bit integers for memoryview(), too. Nothing is copied, and a column lives for as long as somebody
holds it.
"""

import ctypes
import os

import precis
from precis import Error

_lib = precis._lib
_u8, _u32, _u64, _i32, _i64 = precis._u8, precis._u32, precis._u64, precis._i32, ctypes.c_int64
_text, _pointer, _int = ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int


class _FileOptions(ctypes.Structure):
    _fields_ = [
        ("size", _u32),
        ("fetch_layout", _u32),
        ("cpuid", _text),
        ("os_release", _text),
        ("use_sysfs", _u32),
        ("order", _u32),
        ("sort_memory", _u64),
        ("temporary_directory", _text),
        ("has_perf_capabilities", _u32),
        ("reserved", _u32),
        ("perf_capabilities", _u64),
    ]


class _PebsDump(ctypes.Structure):
    _fields_ = [
        ("size", _u32),
        ("format", _u32),
        ("machine", ctypes.POINTER(precis._PebsMachine)),
        ("skip", _u64),
        ("count", _u64),
        ("has_count", _u32),
        ("reserved", _u32),
    ]


class _InputOptions(ctypes.Structure):
    _fields_ = [
        ("size", _u32),
        ("without_traces", _u32),
        ("file", ctypes.POINTER(_FileOptions)),
        ("dump", ctypes.POINTER(_PebsDump)),
    ]


class _FileError(ctypes.Structure):
    _fields_ = [
        ("size", _u32),
        ("code", _i32),
        ("sys_errno", _i32),
        ("has_offset", _u32),
        ("offset", _u64),
        ("expected", ctypes.c_char * 200),
    ]


class _Event(ctypes.Structure):
    _fields_ = (
        [(name, _u32) for name in ("index", "kind", "kind_source", "type")]
        + [(name, _u64) for name in ("config", "config1", "config2", "sample_period")]
        + [
            (name, _u32)
            for name in (
                "is_frequency",
                "precise_ip",
                "exclude_kernel",
                "exclude_user",
                "attr_bytes",
                "id_count",
            )
        ]
        + [("attr", _pointer), ("ids", _pointer), ("name", _text), ("pmu", _text)]
    )


class _Item(ctypes.Structure):
    _fields_ = [
        ("size", _u32),
        ("kind", _u32),
        ("offset", _u64),
        ("record", _pointer),
        ("event", ctypes.POINTER(_Event)),
    ]


class _Fault(ctypes.Structure):
    _fields_ = [
        ("size", _u32),
        ("code", _i32),
        ("count", _u64),
        ("offset", _u64),
        ("event", _pointer),
        ("text", ctypes.c_char * 160),
    ]


class _ColumnsOptions(ctypes.Structure):
    _fields_ = [
        ("size", _u32),
        ("rows", _u32),
        ("with_samples", _u32),
        ("reserved", _u32),
        ("filter", _pointer),
        ("record_types", _u64 * 2),
    ]


class _Batch(ctypes.Structure):
    _fields_ = [("size", _u32), ("rows", _u32), ("first", _u64), ("record", _pointer)]


class _ArrowArray(ctypes.Structure):
    pass


_Release = ctypes.CFUNCTYPE(None, ctypes.POINTER(_ArrowArray))
_ArrowArray._fields_ = [
    ("length", _i64),
    ("null_count", _i64),
    ("offset", _i64),
    ("n_buffers", _i64),
    ("n_children", _i64),
    ("buffers", ctypes.POINTER(_pointer)),
    ("children", ctypes.POINTER(ctypes.POINTER(_ArrowArray))),
    ("dictionary", _pointer),
    ("release", _Release),
    ("private_data", _pointer),
]

# name: (result, arguments)
_FUNCTIONS = {
    "precis_input_open": (_int, [_text, _pointer, _pointer, _pointer]),
    "precis_input_close": (None, [_pointer]),
    "precis_input_next": (_int, [_pointer, _pointer]),
    "precis_input_sample": (_int, [_pointer] * 4),
    "precis_input_rewind": (_int, [_pointer]),
    "precis_input_event_count": (_u32, [_pointer]),
    "precis_input_event": (ctypes.POINTER(_Event), [_pointer, _u32]),
    "precis_input_last_error": (ctypes.POINTER(_FileError), [_pointer]),
    "precis_input_fault": (_int, [_pointer, _u32, _pointer]),
    "precis_columns_open": (_int, [_pointer, _u32, _pointer, _pointer]),
    "precis_columns_close": (None, [_pointer]),
    "precis_columns_next": (_int, [_pointer] * 3),
    "precis_columns_sample": (ctypes.POINTER(precis._Sample), [_pointer, _u32]),
    "precis_columns_export": (_int, [_pointer] * 2),
}
for _name, (_result, _arguments) in _FUNCTIONS.items():
    _function = getattr(_lib, _name)
    _function.restype, _function.argtypes = _result, _arguments

_ITEM_SAMPLE = 2  # PRECIS_ITEM_SAMPLE
_FAULTS = ("unread", "undecodable", "no payload", "trace")  # enum precis_input_fault_kind
_TYPE_INT = 1  # PRECIS_TYPE_INT
_ORDER_TIME = 1  # PRECIS_ORDER_TIME


def _made(structure):
    return structure(size=ctypes.sizeof(structure))


def _error_text(path, error):
    parts = [path]
    if error.has_offset:
        parts.append(precis._offset_text(error.offset))
    if error.sys_errno:
        parts.append(os.strerror(error.sys_errno))
    else:
        parts.append(_lib.precis_strerror(error.code).decode())
    if error.expected:
        parts.append(error.expected.decode(errors="replace"))
    return ": ".join(parts)


class Sample(precis._Decoded, dict):
    """One sample: {name: value} of the fields that it has, as Decoder.decode() has them.

    event is the name of its event, or None; offset is where in the file its record is. reasons()
    says of the other fields why they are absent.
    """

    def __init__(self, sample, event, offset):
        self.sample, self.event, self.offset = sample, event, offset
        dict.__init__(self, self._values())


class _Held:
    """An exported batch: released when the last column of it is gone."""

    def __init__(self, columns):
        self.array = _ArrowArray()
        code = _lib.precis_columns_export(columns, ctypes.byref(self.array))
        if code < 0:
            raise Error(_lib.precis_strerror(code).decode())

    def __del__(self):
        if self.array.release:
            self.array.release(ctypes.byref(self.array))


class Column:
    """A field of a batch: 64-bit integers, and which of them are there.

    field     the Field; for an enumeration the numbers are its values (precis-fields(7))
    nulls     rows without a value
    values    memoryview of all rows; those without a value have all bits set
    validity  memoryview of bytes: bit n % 8 of byte n // 8 is set if row n has a value
    """

    def __init__(self, held, number, field, rows):
        child = held.array.children[number].contents
        self.field, self.nulls = field, child.null_count
        is_signed = field.type == _TYPE_INT
        self.validity = self._view(held, child.buffers[0], _u8, (rows + 7) // 8)
        self.values = self._view(held, child.buffers[1], _i64 if is_signed else _u64, rows)

    @staticmethod
    def _view(held, address, kind, count):
        array = (kind * count).from_address(address) if count else (kind * 0)()
        array.held = held  # whoever looks at the array keeps the memory
        view = memoryview(array).cast("B")
        return view.cast({1: "B"}.get(ctypes.sizeof(kind), "q" if kind is _i64 else "Q"))

    def __len__(self):
        return len(self.values)

    def has(self, row):
        """Has the row a value?"""
        return bool(self.validity[row // 8] >> row % 8 & 1)

    def __getitem__(self, row):
        """The row's value as a sample has it: int, bool, or str; None if it has none."""
        if not self.has(row):
            return None
        return precis._python_value(self.field, self.values[row] & 2**64 - 1)

    def numpy(self):
        """The values as a NumPy array: the same memory, for as long as the array lives."""
        import numpy

        return numpy.asarray(self.values)

    def present(self):
        """Which rows have a value, as a NumPy array of bool."""
        import numpy

        bits = numpy.unpackbits(numpy.asarray(self.validity), bitorder="little")
        return bits[: len(self)].astype(bool)


class Batch:
    """Some thousand samples as columns: batch["ip"] is a Column, len(batch) counts rows.

    first is the number of its first row, counted over all batches.
    """

    def __init__(self, columns, fields, found):
        self._fields, self._rows, self.first = fields, found.rows, found.first
        self._held = _Held(columns)

    def __len__(self):
        return self._rows

    def __getitem__(self, name):
        for number, field in enumerate(self._fields):
            if name == field.name or name in field.aliases:
                return Column(self._held, number, field, self._rows)
        raise KeyError(name)

    def keys(self):
        return [field.name for field in self._fields]


class _Input:
    """What holds samples: they can be gone through one by one, or as columns."""

    _input = _pointer()  # of one that could not be opened

    def __init__(self, path, options):
        self._path, self._input, self._fresh = str(path), _pointer(), True
        error = _made(_FileError)
        code = _lib.precis_input_open(
            self._path.encode(),
            ctypes.byref(options),
            ctypes.byref(self._input),
            ctypes.byref(error),
        )
        if code < 0:
            error.code = code
            raise Error(_error_text(self._path, error))

    def close(self):
        _lib.precis_input_close(self._input)
        self._input = _pointer()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()

    def events(self):
        """The names of its events, by their numbers: the values of the column "event"."""
        return [
            _lib.precis_input_event(self._input, n).contents.name.decode(errors="replace")
            for n in range(_lib.precis_input_event_count(self._input))
        ]

    def faults(self):
        """{kind: (count, offset and text of the first)} of samples that could not be read."""
        found = {}
        for kind, name in enumerate(_FAULTS):
            fault = _made(_Fault)
            _lib.precis_input_fault(self._input, kind, ctypes.byref(fault))
            if fault.count:
                text = fault.text.decode(errors="replace")
                found[name] = (fault.count, precis._offset_text(fault.offset) + ": " + text)
        return found

    def _begin(self):
        if not self._input:
            raise Error(self._path + ": is closed")
        if not self._fresh and _lib.precis_input_rewind(self._input) < 0:
            raise Error(self._path + ": came through a pipe, and cannot be read again")
        self._fresh = False

    def _check(self, code):
        if code < 0:
            error = _lib.precis_input_last_error(self._input).contents
            raise Error(_error_text(self._path, error))

    def __iter__(self):
        self._begin()
        item, code = ctypes.POINTER(_Item)(), 1
        while True:
            code = _lib.precis_input_next(self._input, ctypes.byref(item))
            if code <= 0:
                break
            if item.contents.kind != _ITEM_SAMPLE:
                continue
            sample = precis._Sample()
            sample.clear()
            if _lib.precis_input_sample(self._input, None, None, ctypes.byref(sample)) < 0:
                continue  # is among the faults
            event = item.contents.event
            name = event.contents.name.decode(errors="replace") if event else None
            yield Sample(sample, name, item.contents.offset)
        self._check(code)

    def columns(self, *names, rows=0, filter=None):
        """Yields Batches of these fields.

        rows    at most in each; 0: as many as the library thinks good
        filter  a precis.Filter: only samples that satisfy it
        """
        fields = [precis.find(name) for name in names]
        numbers = (_u32 * len(fields))(*[field.number for field in fields])
        options, columns = _made(_ColumnsOptions), _pointer()
        options.rows = rows
        if filter is not None:
            options.filter = ctypes.addressof(filter._filter)
        code = _lib.precis_columns_open(
            numbers, len(fields), ctypes.byref(options), ctypes.byref(columns)
        )
        if code < 0:
            raise Error("columns: " + _lib.precis_strerror(code).decode())
        try:
            self._begin()
            while True:
                batch = _made(_Batch)
                code = _lib.precis_columns_next(columns, self._input, ctypes.byref(batch))
                if code <= 0:
                    break
                yield Batch(columns, fields, batch)
            self._check(code)
        finally:
            _lib.precis_columns_close(columns)


class Recording(_Input):
    """A perf.data in any form: a path, also of a directory that perf record wrote.

    sorted             records in the order of their times, as perf script has them
    traces             False: samples in the AUX area are left there
    cpuid, os_release  the machine that recorded, if you know it better than the recording
    perf_capabilities  Intel: its IA32_PERF_CAPABILITIES, an int

    Iterating yields Samples, columns() Batches; each begins anew. Where the file is broken, what
    comes before is yielded, then Error is raised.
    """

    def __init__(
        self,
        path,
        sorted=False,
        traces=True,
        cpuid=None,
        os_release=None,
        perf_capabilities=None,
    ):
        how, options = _made(_FileOptions), _made(_InputOptions)
        how.order = _ORDER_TIME if sorted else 0
        how.cpuid = cpuid.encode() if cpuid else None
        how.os_release = os_release.encode() if os_release else None
        if perf_capabilities is not None:
            how.has_perf_capabilities, how.perf_capabilities = 1, perf_capabilities
        options.without_traces, options.file = not traces, ctypes.pointer(how)
        super().__init__(path, options)


class PebsDump(_Input):
    """A dump of a PEBS buffer, as `precis dump --pebs-format` reads it: see precis.PebsBuffer.

    path  of a file or a named pipe; memory does not grow with it
    form  format of its records; cpuid, event, core_type, perf_capabilities as of PebsBuffer
    skip  bytes in front of the first record
    count bytes of records behind them; None: up to the end of the file

    Iterating yields Samples, columns() Batches, as of a Recording. What a dump does not tell, as
    times and tasks, is absent with that reason.
    """

    def __init__(
        self,
        path,
        form,
        cpuid=None,
        event=None,
        core_type=None,
        perf_capabilities=None,
        skip=0,
        count=None,
    ):
        machine = precis._pebs_machine(cpuid, event, core_type, perf_capabilities)
        dump, options = _made(_PebsDump), _made(_InputOptions)
        dump.format, dump.machine = precis._pebs_format(form), ctypes.pointer(machine)
        dump.skip, dump.has_count, dump.count = skip, count is not None, count or 0
        options.dump = ctypes.pointer(dump)
        super().__init__(path, options)

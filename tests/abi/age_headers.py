#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The public headers as an older or a newer version of the library would have them.

    age_headers.py older|newer HEADERS DIRECTORY

older: the catalogue has one field less, and every struct with a size one member less, but for
members that a function cannot do without, which the first layout must have. newer: one of each
more. Comments are left out. What must not change between versions does not: structs that keep a
state, and structs without a size.
"""

import pathlib
import re
import sys

# They keep a state between calls, and their size is the same for good; the sample grows with the
# catalogue; the items of an input are the library's.
FIXED = {
    "precis_bts_buffer",
    "precis_decoder",
    "precis_filter",
    "precis_ibs_context",
    "precis_item",
    "precis_pebs_buffer",
    "precis_pebs_context",
    "precis_pebs_pt",
    "precis_ring",
    "precis_sample",
}
# Without their last member nothing can be done with them, or the caller cannot ask.
WHOLE = {
    "precis_access",
    "precis_auxtrace_info",
    "precis_bpf_metadata",
    "precis_cpu",
    "precis_cpu_map",
    "precis_cpu_topology",
    "precis_event_update",
    "precis_file_error",
    "precis_filter_error",
    "precis_id_index",
    "precis_input_options",
    "precis_input_run",
    "precis_namespaces",
    "precis_pebs",
    "precis_read",
    "precis_read_record",
    "precis_schedstat",
    "precis_stat_config",
    "precis_symbols_options",
    "precis_thread_map",
    "precis_tracepoints_error",
}


def strip_comments(text):
    return re.sub(r"[ \t]*/\*.*?\*/", "", text, flags=re.S)


def without_last(body):
    """The members of a struct without the last one."""
    head, last = re.match(r"(.*;|)\s*(.*?);\s*$", body, flags=re.S).groups()
    if "}" in last:
        return body
    if "," in last:
        return "%s\n\t%s;\n" % (head, last[: last.rindex(",")])
    return head + "\n"


def aged(name, body, age):
    if not re.match(r"\s*uint32_t size\b", body) or name in FIXED:
        return body
    if age == "newer":
        return body + "\tuint64_t of_a_later_version;\n"
    if name in WHOLE or len(re.findall(r"[;,]", body)) < 3:
        return body
    return without_last(body)


def age_header(text, age):
    return re.sub(
        r"^struct (\w+) \{\n(.*?)^\};",
        lambda found: "struct %s {\n%s};" % (found[1], aged(found[1], found[2], age)),
        strip_comments(text),
        flags=re.S | re.M,
    )


def age_catalogue(text, age):
    text = strip_comments(text).rstrip()
    if age == "older":
        return text[: text.rindex("PRECIS_FIELD(")]
    return text + (
        "\nPRECIS_FIELD(OF_A_LATER_VERSION, of_a_later_version, \"\", UINT, NONE,\n"
        "\t     \"what this version does not know\")\n"
    )


def main(age, headers, directory):
    to = pathlib.Path(directory) / "precis"
    to.mkdir(parents=True, exist_ok=True)
    for path in sorted(pathlib.Path(headers).glob("*")):
        change = age_catalogue if path.suffix == ".def" else age_header
        text = change(path.read_text(), age)
        (to / path.name).write_text(re.sub(r"\n\n+", "\n\n", text).strip() + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

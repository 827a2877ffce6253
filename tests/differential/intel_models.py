# SPDX-License-Identifier: BSD-3-Clause
"""Which cores Linux' names of Intel's models stand for (arch/x86/include/asm/intel-family.h)."""

import re

# Linux' names of models, by their beginning: the core of each type, or of all of them. The longest
# beginning counts.
MODELS = {
    "CORE2_": "Core 2", "NEHALEM": "Nehalem", "WESTMERE": "Westmere", "SANDYBRIDGE": "Sandy Bridge",
    "IVYBRIDGE": "Ivy Bridge", "HASWELL": "Haswell", "BROADWELL": "Broadwell",
    "SKYLAKE": "Skylake", "SKYLAKE_X": "Skylake (server)", "KABYLAKE": "Skylake",
    "COMETLAKE": "Skylake", "CANNONLAKE": "Palm Cove", "ICELAKE": "Sunny Cove",
    "ICELAKE_X": "Sunny Cove (server)", "ICELAKE_D": "Sunny Cove (server)",
    "ROCKETLAKE": "Cypress Cove", "TIGERLAKE": "Willow Cove",
    "SAPPHIRERAPIDS": "Golden Cove (server)", "EMERALDRAPIDS": "Raptor Cove (server)",
    "GRANITERAPIDS": "Redwood Cove (server)", "DIAMONDRAPIDS": "Panther Cove",
    "PANTHERCOVE": "Panther Cove",
    "BARTLETTLAKE": "Raptor Cove", "LAKEFIELD": {"P": "Sunny Cove", "E": "Tremont"},
    "ALDERLAKE": {"P": "Golden Cove", "E": "Gracemont"}, "ALDERLAKE_N": "Gracemont",
    "RAPTORLAKE": {"P": "Raptor Cove", "E": "Gracemont"},
    "METEORLAKE": {"P": "Redwood Cove", "E": "Crestmont", "LP-E": "Crestmont"},
    "ARROWLAKE": {"P": "Lion Cove", "E": "Skymont"},
    "ARROWLAKE_H": {"P": "Lion Cove", "E": "Skymont", "LP-E": "Crestmont"},
    "ARROWLAKE_U": {"P": "Redwood Cove", "E": "Crestmont", "LP-E": "Crestmont"},
    "LUNARLAKE": {"P": "Lion Cove", "E": "Skymont", "LP-E": "Skymont"},
    "PANTHERLAKE": {"P": "Cougar Cove", "E": "Darkmont", "LP-E": "Darkmont"},
    "WILDCATLAKE": {"P": "Cougar Cove", "E": "Darkmont", "LP-E": "Darkmont"},
    "NOVALAKE": {"P": "Coyote Cove", "E": "Arctic Wolf"},
    "SIERRAFOREST": "Crestmont", "GRANDRIDGE": "Crestmont", "CLEARWATERFOREST": "Darkmont",
    "ATOM_BONNELL": "Bonnell", "ATOM_SALTWELL": "Bonnell", "ATOM_SILVERMONT": "Silvermont",
    "ATOM_AIRMONT": "Airmont", "ATOM_AIRMONT_MID": "Silvermont", "ATOM_GOLDMONT": "Goldmont",
    "ATOM_GOLDMONT_PLUS": "Goldmont Plus", "ATOM_TREMONT": "Tremont",
    "ATOM_GRACEMONT": "Gracemont", "ATOM_CRESTMONT": "Crestmont", "ATOM_DARKMONT": "Darkmont",
    "XEON_PHI": "Knights Landing", "P4_WILLAMETTE": "NetBurst", "P4_PRESCOTT": "Prescott",
    "P4_CEDARMILL": "Prescott",
}

# No PEBS, or no model of a family that has any; markers of a family's end
NO_CORE = re.compile(r"ANY|LAST$|CORE_YONAH|PENTIUM|QUARK|FAM5")


def core_of(name):
    """@return the core, or {type: core} of a hybrid CPU; None for a name that is not in the list"""
    return MODELS.get(max((start for start in MODELS if name.startswith(start)), key=len, default=None))

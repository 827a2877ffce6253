# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# A core whose TLB bits stay set from sample to sample: AMD-718.
#: run errata bulldozer
#: few run errata-again bulldozer
#: check check_counts.py errata
#: check check_erratum.py errata
#: few check check_same.py errata errata-again
. /scenarios/steps.sh

load precis_ibs_host
estimate tlb 4 0 1 - variety 300
unload precis_ibs_host
scenario_done

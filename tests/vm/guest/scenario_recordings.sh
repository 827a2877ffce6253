# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# The recordings that come with precis (make recordings).
#: recordings run recordings-zen4 zen4
#: recordings run recordings-skylake skylake
#: recordings run recordings-sapphire_rapids sapphire_rapids
#: recordings check check_counts.py recordings-zen4
#: recordings check check_tools.py recordings-zen4
#: recordings check check_tools.py recordings-skylake
#: recordings check check_tools.py recordings-sapphire_rapids
. /scenarios/steps.sh

case $(cat /proc/cpuinfo) in
*AuthenticAMD*)
	load precis_ibs_host
	record zen4-mix-op -e ibs_op// --raw-samples -c 8192 -a -- mix 2 30000
	record zen4-mix-fetch -e ibs_fetch/rand_en=1/ --raw-samples -c 512 -a -- mix 2 30000
	record zen4-mix-l3missonly -e ibs_op/cnt_ctl=1,l3missonly=1/ --raw-samples -c 256 -a -- mix 2 30000
	unload precis_ibs_host
	;;
*)
	load precis_cpu_host
	case $(cat /sys/bus/event_source/devices/cpu/caps/pmu_name) in
	*sapphire*) name=spr events='{cpu/mem-loads-aux/,cpu/mem-loads,ldlat=30/P}' ;;
	*) name=skylake events=cpu/mem-loads,ldlat=30/P ;;
	esac
	record $name-mix-loads -e "$events" -d -W --phys-data -c 64 -- mix 2 30000
	unload precis_cpu_host
	;;
esac
scenario_done

# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Threads on four CPUs of two nodes, whose caches take lines from each other, in ways to share lines of which
# they know themselves who got what from whom.
#: run sharing-zen4 zen4 2x2
#: run sharing-sapphire_rapids sapphire_rapids 2x2
#: check check_counts.py sharing-zen4
#: check check_sharing.py sharing-zen4
#: check check_sharing.py sharing-sapphire_rapids
. /scenarios/steps.sh

seeds=8
test -z "$(word few)" || seeds=3

# pattern NAME TURNS OPTION...: a recording of all seeds, and what the program and the module count
pattern() {
	name=$1
	turns=$2
	shift 2
	SHARING=/out/$name.model
	sample "$name" $seeds "$@" -- "sharing $name $turns /out/$name.program"
}

patterns() {
	pattern token 300 "$@"
	pattern ring 200 "$@"
	pattern pairs 600 "$@"
	pattern all 400 "$@"
	pattern false 300 "$@"
	pattern none 150 "$@"
	pattern queue 6 "$@"
}

all_cpus
export SHARING
case $(cat /proc/cpuinfo) in
*AuthenticAMD*)
	load precis_ibs_host shared_lines=1
	patterns -e ibs_op/cnt_ctl=1,period=144/ -d --phys-data
	unload precis_ibs_host
	# An L2 of 32 lines: a thread's own come from the L3.
	load precis_ibs_host machine=zen4_patterns shared_lines=1
	pattern large 30 -e ibs_op/cnt_ctl=1,period=144/ -d --phys-data
	unload precis_ibs_host
	;;
*)
	load precis_cpu_host shared_lines=1
	# No number of loads or stores that a turn has is a multiple of these periods, or the other way round.
	patterns -e '{cpu/mem-loads-aux/,cpu/mem-loads,ldlat=3,period=11/P}' -e cpu/mem-stores,period=11/P -d --phys-data
	unload precis_cpu_host
	;;
esac
scenario_done

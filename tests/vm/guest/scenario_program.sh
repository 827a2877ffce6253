# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# A program of Debian's under precis-record --objects, as its users have it: perl, which counts words. What it asks
# of its heap is written down a second time, by allocations.so.
#: precis
#: program perl-base usr/bin/perl perl-debug
#: run program-zen4 zen4
#: run program-sapphire_rapids sapphire_rapids
#: check check_program.py program-zen4
#: check check_program.py program-sapphire_rapids
. /scenarios/steps.sh

# The order of hashes is random otherwise.
export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0

# program MODULE OPTION...: allocations.so is behind the recorder, which precis-record puts in front.
program() {
	module=$1
	shift
	load "$module"
	step program env LD_PRELOAD=/usr/lib/allocations.so ALLOCATIONS=/out/allocations ALLOCATIONS_PROGRAM=perl \
		precis-record -q --objects=interval=all,overhead=any,directory=/out "$@" -o /out/program.data -- \
		perl /scenarios/words.pl 100
	unload "$module"
}

case $(cat /proc/cpuinfo) in
*AuthenticAMD*) program precis_ibs_host --ops -c 176 ;;
*) program precis_cpu_host --ldlat 3 -c 53 ;;
esac
scenario_done

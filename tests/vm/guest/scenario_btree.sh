# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# Lookups in a B+-tree under the recorder of objects, for level and member of each sample (bench/btree).
#: long run btree-zen4 zen4
#: long run btree-sapphire_rapids sapphire_rapids
#: long check check_btree.py btree-zen4
#: long check check_btree.py btree-sapphire_rapids
#: recordings run btree-zen4 zen4
#: recordings run btree-sapphire_rapids sapphire_rapids
#: recordings check check_btree.py btree-zen4
#: recordings check check_btree.py btree-sapphire_rapids
#: precis
. /scenarios/steps.sh

# btree OPTION...: the recorder's file into /out, and the table of loads that the program counts
btree() {
	record btree "$@" -- env LD_PRELOAD=/usr/lib/precis/libprecis-objects.so \
		PRECIS_OBJECTS=interval=all,stack=none,overhead=any,directory=/out \
		btree --keys 300000 --lookups 5000 --count >/out/btree.log
	cat /out/btree.log
}

case $(cat /proc/cpuinfo) in
*AuthenticAMD*)
	load precis_ibs_host
	btree -e ibs_op/cnt_ctl=1/ --raw-samples -c 176 -a -z
	unload precis_ibs_host
	;;
*)
	load precis_cpu_host
	btree -e '{cpu/mem-loads-aux/,cpu/mem-loads,ldlat=3/P}' -d -W -c 17 -z
	unload precis_cpu_host
	;;
esac
scenario_done

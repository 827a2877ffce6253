# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# What a kernel's IBS driver can do on a CPU: everything that its PMUs have a format for. Its runs, on
# the CPUs of contexts.tsv, are those of check-vm --contexts.
. /scenarios/steps.sh

pmus=/sys/bus/event_source/devices

# refused NAME OPTION... -- COMMAND...: perf has to fail
refused() {
	file=$1
	shift
	step "refused_$file" sh -c '! perf record -q -N -o /tmp/refused "$@"' perf "$@"
}

# has PMU FORMAT
has() {
	test -e "$pmus/$1/format/$2"
}

# shellcheck disable=SC2046 # parameters are words
load precis_ibs_host $(word parameters)
(cd $pmus && grep -r . ibs_*/type ibs_*/format ibs_*/caps)

# The second mix runs without an event: the driver has stopped the unit.
step op sh -c 'perf record -q -N -o /out/op.data --raw-samples -e ibs_op// -c 4096 -a -- mix 1 2000 &&
	mix 1 500'
record fetch --raw-samples -e ibs_fetch/rand_en=1/ -c 256 -a -- mix 1 2000
if has ibs_op cnt_ctl; then
	record both --raw-samples -e ibs_op/cnt_ctl=1/ -e ibs_fetch// -c 512 -a -d -W --phys-data -g -- mix 1 2000
fi

# Of single tasks: Linux 6.2
case $(uname -r) in
6.1.*) refused task -e ibs_op// -c 4096 -- mix 1 100 ;;
*)
	record task --raw-samples -e ibs_op// -c 4096 -- mix 2 2000
	refused group -e '{ibs_op//,ibs_op//}' -c 4096 -- mix 1 100
	;;
esac

if has ibs_op l3missonly; then
	record l3missonly --raw-samples -e ibs_op/l3missonly=1/ -c 256 -a -- mix 1 4000
fi
if has ibs_op ldlat; then
	record ldlat --raw-samples -e ibs_op/ldlat=256/ -c 256 -- mix 1 4000
	refused ldlat_100 -e ibs_op/ldlat=100/ -c 1024 -- mix 1 100
fi
if has ibs_fetch fetchlat; then
	record fetchlat --raw-samples -e ibs_fetch/fetchlat=128/ -c 16 -- mix 1 2000
fi
if has ibs_op strmst; then
	record strmst --raw-samples -e ibs_op/cnt_ctl=1,strmst=1/ -c 144 -- streaming 1048576 20000
fi
if has ibs_op swfilt; then
	record swfilt_user --raw-samples -e ibs_op/swfilt=1/u -c 4096 -- mix 1 2000
	# Who may not see the kernel gets no physical addresses; the module's checksum has them.
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	echo 'nobody:x:65534:65534::/tmp:/bin/sh' >>/etc/passwd
	chmod 1777 /tmp
	step run_unprivileged su nobody -s /bin/sh -c 'perf record -q -N -o /tmp/unprivileged.data \
--raw-samples -e ibs_op/swfilt=1/u -c 4096 -- mix 1 2000'
	cp /tmp/unprivileged.data /out # a file of root's: perf reads no other
	echo -1 >/proc/sys/kernel/perf_event_paranoid
fi
unload precis_ibs_host
scenario_done

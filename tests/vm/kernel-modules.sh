# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# For scripts that make a guest's root file system: source it.

# kernel_module KERNEL NAME DIR: that module of what fetch-kernel prepared in KERNEL, as DIR/NAME.ko;
# nothing, if it is built in
kernel_module() {
	file=$(find "$1/modules/kernel/" -name "$2.ko*" | head -n 1)
	case $file in
	*.xz) xz -dc "$file" >"$3/$2.ko" ;;
	*.ko) cp "$file" "$3" ;;
	esac
}

# SPDX-License-Identifier: BSD-3-Clause
# The further names that a manual page has in its NAME section: "name page" each.

FNR == 1 {
	page = FILENAME
	sub(".*/", "", page)
	own = page
	sub("[.][0-9]$", "", own)
}
/^[.]Nd/ { nextfile }
$1 == ".Nm" && $2 != own { print $2, page }

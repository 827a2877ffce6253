#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Rust's names ("v0") as binutils' c++filt has them: of a program's symbols, and of what a program seldom has."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

import tap
from tap import Skip, equal

PRINT = os.path.join(os.environ["builddir"], "tests/command/symbols/print_names")
SOURCE = """
use std::collections::{BTreeMap, HashMap};
use std::fmt::{Debug, Display};

pub trait Shape<const SIDES: usize> { fn area(&self) -> f64; fn twice(&self) -> f64 { 2.0 * self.area() } }
pub struct Square<'a>(pub &'a f64);
pub struct Cell<T, const N: usize, const SIGN: i16, const CH: char, const ON: bool> { pub inner: [T; N] }
impl<'a> Shape<4> for Square<'a> { #[inline(never)] fn area(&self) -> f64 { self.0 * self.0 } }
impl<T: Debug + Copy, const N: usize, const SIGN: i16, const CH: char, const ON: bool> Cell<T, N, SIGN, CH, ON> {
    #[inline(never)] pub fn show(&self) -> String { self.inner.iter().map(|x| format!("{:?}{}{}{}", x, CH, ON, SIGN)).collect() }
}
#[inline(never)] pub fn apply<F: Fn(&str, u8) -> bool>(f: F, p: fn(i32, &mut [u64]) -> (u8, i128)) -> bool { f("x", p(1, &mut [2]).0) }
#[inline(never)] pub fn dynamic(d: &dyn Display, e: Box<dyn Fn(&u8) -> u16 + Send>) -> String { format!("{}{}", d, e(&1)) }
#[inline(never)] pub fn generic<T: ?Sized + Debug>(t: &T) -> String { format!("{:?}", t) }
#[inline(never)] pub fn both<A: Debug, B: Debug>(a: A, b: B) -> usize { generic(&(a, b)).len() }
extern "C" fn callback(n: i32) -> i32 { n + 1 }
#[inline(never)] pub fn foreign(f: unsafe extern "C" fn(i32) -> i32) -> usize { generic(&unsafe { f(1) }).len() }
static mut COUNTER: u64 = 0;
mod r#deep { pub mod deeper { #[inline(never)] pub fn f() -> u64 { static mut INNER: u64 = 1; unsafe { INNER += 1; INNER } } } }
fn add(a: i32, b: &mut [u64]) -> (u8, i128) { (a as u8, b[0] as i128) }

fn main() {
    let side = 3.0;
    let mut map: HashMap<String, Vec<Option<(u8, char)>>> = HashMap::new();
    let mut tree: BTreeMap<[u8; 3], &'static str> = BTreeMap::new();
    map.entry("a".to_string()).or_default().push(Some((1, 'c')));
    tree.insert([1, 2, 3], "x");
    unsafe { COUNTER += deep::deeper::f(); }
    let cell = Cell::<u8, 2, -7, 'x', true> { inner: [1, 2] };
    println!("{} {} {}", Square(&side).area(), Square(&side).twice(), cell.show());
    println!("{} {}", apply(|s, n| s.len() == n as usize, add), dynamic(&side, Box::new(|n| *n as u16)));
    println!("{} {} {}", generic("str"), generic(&[1u8, 2][..]), generic(&map));
    println!("{} {} {:?}", both(1u8, "x"), foreign(callback), tree);
    println!("{}", std::thread::spawn(|| both((), !0i64)).join().unwrap());
}
"""
SELDOM = """
_RNvC6_123foo3bar
_RNvC7mycrate3foo.llvm.1234
_RNvNtCs1234_7mycrate3foo3bar
_RNCNvC4main1a0
_RNCNvC4main1as_0
_RNSNvC4main1a3foo
_RINvC4main1aKj1f_E
_RINvC4main1aKpE
_RINvC4main1aKsn7b_E
_RINvC4main1aKb0_Kb1_E
_RINvC4main1aKc41_E
_RINvC4main1aRL_eQhE
_RINvC4main1aFG_RL0_hEuE
_RINvC4main1aFUKCmEyE
_RINvC4main1aFK7syscalluEuE
_RINvC4main1aDG_INtC4core2FnTRL0_hEEp6OutputtEL_E
_RINvC4main1aDNtC4core4SendNtC4core4SyncEL_E
_RINvC4main1aTaETaxEzuvpE
_RINvC4main1aAhj3_SlPhOeE
_RNvYNtC4main1ANtC4main1B1f
_RNvXC4mainNtC4main1ANtC4main1B1f
_RNvMC4mainINtC4main1AhE1f
_RNvNvB2_3foo3bar
_R
_RN
_RNvC
_RNvC9short
_RNvB_3foo
_RINvC4main1aTB5_B5_EE
_ZN4main3foo17h0123456789abcdefE
""".split()


def told(symbols):
    return subprocess.run([PRINT], input="\n".join(symbols) + "\n", capture_output=True, text=True, check=True).stdout.splitlines()


def by_binutils(symbols):
    if not shutil.which("c++filt"):
        raise Skip("no c++filt")
    done = subprocess.run(["c++filt", "-s", "rust"], input="\n".join(symbols) + "\n", capture_output=True, text=True, check=False)
    if done.returncode or done.stdout.startswith(SELDOM[0]):
        raise Skip("this c++filt does not know Rust's names")
    return [plain(line) for line in done.stdout.splitlines()]


def plain(name):
    """Without hashes of crates, and types of constants"""
    name = re.sub(r"(?<=\w)\[[0-9a-f]+\]", "", name)
    return re.sub(r": (?:[ui](?:8|16|32|64|128|size)|bool|char)(?=[],>])", "", name)


def check(symbols):
    wanted, found = by_binutils([SELDOM[0], *symbols])[1:], told(symbols)
    equal(len(found), len(symbols), "lines")
    for symbol, name, expected in zip(symbols, found, wanted):
        equal(name, expected, symbol)


def test_seldom():
    """each kind of path, type and constant; what is cut, refers to itself, or is no such name"""
    check([symbol for symbol in SELDOM if "_ZN" not in symbol and ".llvm" not in symbol])
    equal(told(["_RNvC7mycrate3foo.llvm.1234"]), ["mycrate::foo"])
    equal(told(["_RINvC4main1aKo00123456789abcdef01_E"]), ["main::a::<0x123456789abcdef01>"])
    equal(told(["_ZN4main3foo17h0123456789abcdefE"]), ["_ZN4main3foo17h0123456789abcdefE"])


def test_program():
    """all symbols of a program"""
    if not shutil.which("rustc") or not shutil.which("nm"):
        raise Skip("no rustc or no nm")
    with tempfile.TemporaryDirectory() as directory:
        program = os.path.join(directory, "names")
        with open(program + ".rs", "w", encoding="ascii") as file:
            file.write(SOURCE)
        for level in ("0", "2"):
            made = subprocess.run(["rustc", "-A", "warnings", "-C", "symbol-mangling-version=v0", "-C", "opt-level=" + level,
                                   "-o", program, program + ".rs"], capture_output=True, text=True, check=False)
            if made.returncode:
                raise Skip("rustc: " + made.stderr[-200:])
            lines = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout.splitlines()
            symbols = sorted({line.split()[-1] for line in lines if line.split()[-1].startswith("_R")})
            assert len(symbols) > 100, symbols
            check([symbol for symbol in symbols if "." not in symbol])
            print("# %d symbols" % len(symbols))


def test_broken():
    """names that are cut, or of which one letter is another, end: as some name or as none"""
    broken = []
    for symbol in SELDOM:
        broken += [symbol[:n] for n in range(2, len(symbol))]
        broken += [symbol[:n] + letter + symbol[n + 1:] for n in range(2, len(symbol)) for letter in "BIETRKs_09"]
    broken += ["_RINvC4main1a" + "T" * 5000 + "E" * 5000, "_R" + "Nv" * 5000, "_RNvC99999999999999999999a1b", "_RINvC4main1aKj" + "f" * 9000 + "_E"]
    doubling, at = "_RINvC1a1bTuuE", 8
    for _ in range(40):
        doubling += "TB%s_B%s_E" % (("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[at - 1],) * 2)
        at = min(at + 6, 60)
    broken.append(doubling + "E")
    found = told(broken)
    equal(len(found), len(broken), "lines")
    assert max(map(len, found)) <= 20000, max(map(len, found))


if __name__ == "__main__":
    sys.exit(tap.main(sys.modules[__name__]))

// SPDX-License-Identifier: BSD-3-Clause
// Data of Rust: structures that it may reorder, variants with and without a discriminant of their own; it
// prints what lies where, in lines as truth.h has them.
#![allow(dead_code, static_mut_refs)]
use std::mem::size_of;
use std::ptr::addr_of;

#[repr(C)]
struct Laid {
    letter: u8,
    number: u64,
    pair: (u16, u32),
}

struct Free {
    a: u8,
    b: u64,
    c: u16,
    d: [u32; 3],
}

enum Shape {
    Nothing,
    Circle { radius: f64 },
    Square(u32, u32),
}

struct Link {
    next: Option<Box<u64>>,
    flag: Option<bool>,
    inner: Option<Shape>,
}

enum Either {
    Left(u64),
    Right(u64),
}

static mut LAID: [Laid; 2] = [
    Laid { letter: 1, number: 2, pair: (3, 4) },
    Laid { letter: 5, number: 6, pair: (7, 8) },
];
static mut FREE: Free = Free { a: 1, b: 2, c: 3, d: [4, 5, 6] };
static mut SHAPE: Shape = Shape::Circle { radius: 1.0 };
static mut EITHER: Either = Either::Right(3);
static mut NICHE: Option<&'static u32> = None;
static mut LINK: Link = Link { next: None, flag: Some(true), inner: Some(Shape::Circle { radius: 2.0 }) };

extern "C" {
    static __executable_start: u8;
}

fn tell<T>(place: *const T, text: &str) {
    let start = unsafe { addr_of!(__executable_start) as usize };
    println!("address {} {} truth_rust::{}", place as usize - start, size_of::<T>(), text);
}

fn main() {
    unsafe {
        for n in 0..2 {
            tell(addr_of!(LAID[n].letter), &format!("LAID[{}].letter", n));
            tell(addr_of!(LAID[n].number), &format!("LAID[{}].number", n));
            tell(addr_of!(LAID[n].pair.0), &format!("LAID[{}].pair.__0", n));
            tell(addr_of!(LAID[n].pair.1), &format!("LAID[{}].pair.__1", n));
        }
        tell(addr_of!(FREE.a), "FREE.a");
        tell(addr_of!(FREE.b), "FREE.b");
        tell(addr_of!(FREE.c), "FREE.c");
        for n in 0..3 {
            tell(addr_of!(FREE.d[n]), &format!("FREE.d[{}]", n));
        }
        if let Shape::Circle { ref radius } = SHAPE {
            tell(radius as *const f64, "SHAPE.Circle.radius");
        }
        SHAPE = Shape::Square(1, 2);
        if let Shape::Square(ref first, ref second) = SHAPE {
            tell(first as *const u32, "SHAPE.Square.__0");
            tell(second as *const u32, "SHAPE.Square.__1");
        }
        if let Either::Right(ref number) = EITHER {
            tell(number as *const u64, "EITHER.Left.__0|truth_rust::EITHER.Right.__0");
        }
        if let Either::Left(ref number) = EITHER {
            println!("{}", number);
        }
        // Where a value that cannot be stands for the other variant
        for (place, name, variant) in [
            (addr_of!(NICHE) as usize, "NICHE", "Some.__0"),
            (addr_of!(LINK.next) as usize, "LINK.next", "Some.__0"),
        ] {
            tell(place as *const u64, &format!("{}.(discriminant)|truth_rust::{}.{}", name, name, variant));
        }
        tell(addr_of!(LINK.flag), "LINK.flag.(discriminant)|truth_rust::LINK.flag.Some.__0");
        if let Some(Shape::Circle { ref radius }) = LINK.inner {
            tell(radius as *const f64, "LINK.inner.Some.__0.Circle.radius");
        }
        println!("size truth_rust::Laid, {}", size_of::<Laid>());
        println!("size truth_rust::Free, {}", size_of::<Free>());
        println!("size truth_rust::Shape, {}", size_of::<Shape>());
        println!("size truth_rust::Either, {}", size_of::<Either>());
        if NICHE.is_some() || LINK.next.is_some() {
            println!();
        }
    }
}

// SPDX-License-Identifier: BSD-3-Clause
// Blocks of Rust's containers; before each, what its type may be called, as a regular expression.
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};
use std::os::raw::c_char;
use std::rc::Rc;
use std::sync::Arc;

extern "C" {
    static mut allocation_types: *const c_char;
    fn begin_allocations();
}

fn of(type_name: &'static [u8]) {
    assert!(type_name.last() == Some(&0));
    unsafe { allocation_types = type_name.as_ptr() as *const c_char }
}

fn of_none() {
    unsafe { allocation_types = std::ptr::null() }
}

#[derive(Clone, Default)]
pub struct Entry {
    pub key: u64,
    pub value: f64,
    pub next: Option<Box<Entry>>,
    pub id: u32,
}

pub enum Shape {
    Circle(f64),
    Rectangle { width: f64, height: f64 },
    Polygon(Vec<(f32, f32)>),
}

fn entry(key: u64) -> Entry {
    Entry { key, ..Default::default() }
}

fn area(shape: &Shape) -> f64 {
    match shape {
        Shape::Circle(radius) => radius * radius * 3.0,
        Shape::Rectangle { width, height } => width * height,
        Shape::Polygon(corners) => corners.len() as f64,
    }
}

#[inline(never)]
fn boxed(n: u64) -> Box<Entry> {
    Box::new(entry(n))
}

#[inline(never)]
fn pushed(n: u64) -> Vec<Entry> {
    let mut entries = Vec::new();
    for i in 0..n {
        entries.push(entry(i));
    }
    entries
}

#[inline(never)]
fn reserved(n: usize) -> Vec<Shape> {
    let mut shapes = Vec::with_capacity(n);
    shapes.push(Shape::Circle(1.0));
    shapes.push(Shape::Rectangle { width: 1.0, height: 2.0 });
    shapes.push(Shape::Polygon(Vec::new()));
    shapes
}

#[inline(never)]
fn collected(n: usize) -> Vec<f64> {
    (0..n).map(|x| x as f64).collect()
}

#[inline(never)]
fn repeated(n: usize) -> Vec<Entry> {
    vec![Entry::default(); n]
}

#[inline(never)]
fn sliced(n: usize) -> Box<[u32]> {
    vec![7u32; n].into_boxed_slice()
}

#[inline(never)]
fn counted(n: u64) -> Rc<RefCell<Entry>> {
    Rc::new(RefCell::new(entry(n)))
}

#[inline(never)]
fn shared(n: u64) -> Arc<Entry> {
    Arc::new(entry(n))
}

#[inline(never)]
fn tree(n: u64) -> BTreeMap<u64, u32> {
    let mut map = BTreeMap::new();
    for i in 0..n {
        map.insert(i * 7919 % 1009, i as u32);
    }
    map
}

#[inline(never)]
fn hashed(n: u64) -> HashMap<u64, u32> {
    let mut map = HashMap::new();
    for i in 0..n {
        map.insert(i, i as u32);
    }
    map
}

#[inline(never)]
fn linked(n: u64) -> LinkedList<Entry> {
    let mut list = LinkedList::new();
    for i in 0..n {
        list.push_back(entry(i));
    }
    list
}

#[inline(never)]
fn queued(n: u64) -> VecDeque<(u64, u16)> {
    let mut queue = VecDeque::new();
    for i in 0..n {
        queue.push_back((i, 1));
    }
    queue
}

#[inline(never)]
fn chained(n: u64) -> Option<Box<Entry>> {
    let mut head: Option<Box<Entry>> = None;
    for i in 0..n {
        head = Some(Box::new(Entry { key: i, value: 0.0, next: head.take(), id: 1 }));
    }
    head
}

#[inline(never)]
fn closed(n: u64) -> Box<dyn Fn(u64) -> u64> {
    let numbers = [n; 4];
    Box::new(move |x| x + numbers[(x % 4) as usize])
}

fn main() {
    let n = std::env::args().count() as u64;
    unsafe { begin_allocations() }
    of(b"\\w+::Entry\0");
    let one = boxed(n);
    let entries = pushed(8 + n);
    let same = repeated(4 + n as usize);
    let chain = chained(2 + n);
    of(b"\\w+::Shape\0");
    let shapes = reserved(8 + n as usize);
    of(b"f64\0");
    let numbers = collected(98 + n as usize);
    of(b"u32\0");
    let words = sliced(8 + n as usize);
    of(b"alloc::rc::Rc\\w+<.*>\0");
    let cell = counted(n);
    of(b"alloc::sync::ArcInner<.*>\0");
    let atomic = shared(n);
    of(b"(core::mem::maybe_uninit::MaybeUninit<)?alloc::collections::btree::node::\\w+Node<u64, u32>>?\0");
    let map = tree(399 + n);
    of(b"\\(u64, u32\\)\0");
    let table = hashed(39 + n);
    of(b"(core::mem::maybe_uninit::MaybeUninit<)?alloc::collections::linked_list::Node<.*Entry>>?\0");
    let list = linked(1 + n);
    of(b"\\(u64, u16\\)\0");
    let queue = queued(8 + n);
    of(b".*closure.*\0");
    let function = closed(n);
    of_none();
    let sum = one.key
        + entries.len() as u64
        + same.len() as u64
        + chain.map_or(0, |head| head.key)
        + shapes.iter().map(area).sum::<f64>() as u64
        + numbers.len() as u64
        + words.len() as u64
        + cell.borrow().key
        + atomic.key
        + map.len() as u64
        + table.len() as u64
        + list.len() as u64
        + queue.len() as u64
        + function(n);
    std::process::exit((sum == 0) as i32);
}

// SPDX-License-Identifier: BSD-3-Clause
// Data of C++: what lies where by the compiler's own account (truth.h).
#include <atomic>

#include "truth.h"

namespace ns {

struct base {
	int first;
	char second;
};

// Not "plain old data": what derives from it may use the bytes behind 'last'
class other_base {
public:
	virtual ~other_base() = default;
	long number;
	char last;
};

struct empty {};

class derived : public base, public other_base, public empty {
public:
	char tail;
	double own[2];
	static int shared;
	static inline long inline_shared = 4;
	base nested;
	int other_base::*reserved;
	int &reference;

	derived(int &to) : reference(to)
	{
	}
};
int derived::shared = 3;

struct outer {
	struct later;
	later *to_later;
};
struct outer::later {
	int a;
	long b;
};

class further : public derived {
public:
	using derived::derived;
	short more;
};

struct virtual_base {
	long in_virtual;
};

struct with_virtual : virtual virtual_base {
	int plain;
};

template <typename T, int N> struct table {
	T entry[N];
	table *next;
	struct inside {
		T value;
		bool used;
	} inside;
};

inline namespace v1 {
struct versioned {
	short one, two;
};
}

namespace {
struct local_only {
	int hidden;
};
}

struct methods {
	int (base::*method)(int);
	int base::*data;
};

enum class colour : unsigned char { red, green };

union either {
	float real;
	int number;
};

inline int inline_variable = 7;
static thread_local int thread_variable;
table<int, 4> int_table;
table<ns::base, 2> base_table[2];
static int target;
derived the_derived(target);
further the_further(target);
with_virtual the_virtual;
versioned the_versioned[2];
local_only the_local;
colour colours[3];
either the_either;
outer::later the_later;
outer the_outer;
methods the_methods;
std::atomic<int> counter;

static void print_variables()
{
	AT_NAMED(derived::shared, "ns::derived::shared");
	AT_NAMED(derived::inline_shared, "ns::derived::inline_shared");
	AT_NAMED(inline_variable, "ns::inline_variable");
	AT_NAMED(int_table.entry[3], "ns::int_table.entry[3]");
	AT_NAMED(int_table.inside.used, "ns::int_table.inside.used");
	AT_NAMED(base_table[1].entry[1].second, "ns::base_table[1].entry[1].second");
	AT_NAMED(base_table[1].next, "ns::base_table[1].next");
	AT_NAMED(base_table[0].inside.value.first, "ns::base_table[0].inside.value.first");
	AT_NAMED(the_derived.first, "ns::the_derived.ns::base::first");
	AT_NAMED(the_derived.number, "ns::the_derived.ns::other_base::number");
	AT_NAMED(the_derived.last, "ns::the_derived.ns::other_base::last");
	AT_NAMED(the_derived.tail, "ns::the_derived.tail");
	AT_NAMED(the_derived.own[1], "ns::the_derived.own[1]");
	AT_NAMED(the_derived.nested.second, "ns::the_derived.nested.second");
	AT_NAMED(the_derived.reserved, "ns::the_derived.reserved");
	AT_NAMED(the_further.more, "ns::the_further.more");
	AT_NAMED(the_further.last, "ns::the_further.ns::derived::ns::other_base::last");
	AT_NAMED(the_further.tail, "ns::the_further.ns::derived::tail");
	AT_NAMED(the_virtual.plain, "ns::the_virtual.plain");
	printf("address %#lx 8 ns::the_virtual.(virtual base)\n", in_file(&the_virtual.in_virtual));
	AT_NAMED(the_versioned[1].two, "ns::the_versioned[1].two");
	AT_NAMED(the_local.hidden, "ns::the_local.hidden");
	AT_NAMED(the_later.b, "ns::the_later.b");
	AT_NAMED(colours[2], "ns::colours[2]");
	AT_NAMED(the_either.real, "ns::the_either.real|ns::the_either.number");
}

static void print_types()
{
	SIZE("ns::methods", methods);
	SIZE("ns::base", base);
	SIZE("struct ns::base", base);
	SIZE("ns::derived", derived);
	SIZE("class ns::derived", derived);
	SIZE("ns::further", further);
	SIZE("ns::with_virtual", with_virtual);
	SIZE("ns::table<int, 4>", decltype(int_table));
	SIZE("ns::table<ns::base, 2>", decltype(base_table[0]));
	SIZE("ns::table<ns::base, 2>::inside", decltype(base_table[0].inside));
	SIZE("ns::outer::later", outer::later);
	SIZE("ns::colour", colour);
	SIZE("ns::v1::versioned", versioned);
	SIZE("ns::(anonymous namespace)::local_only", local_only);
	LEAF("ns::methods", methods, method);
	LEAF("ns::methods", methods, data);
	LEAF("ns::base", base, first);
	LEAF("ns::base", base, second);
	LEAF("ns::v1::versioned", versioned, one);
	LEAF("ns::v1::versioned", versioned, two);
}

static void use()
{
	thread_variable++;
	the_derived.nested.first = the_further.more + thread_variable;
	printf("thread %ld 4 ns::thread_variable\n", in_storage(&thread_variable));
}

}

int main()
{
	ns::use();
	ns::print_variables();
	ns::print_types();
	return ns::counter.load();
}

# SPDX-License-Identifier: BSD-3-Clause
"""Structures, unions and classes by chance, in a program of C or C++ that prints where it has their members.

What a program prints, a line each; TEXT is a member's path:

    size TYPE, BYTES
    leaf TYPE, OFFSET BYTES TEXT    each member that has no members, each element
    bits TYPE, FIRST BITS TEXT      a bit field, from the start of the type
    beyond TYPE, OFFSET BYTES TEXT  an element of a flexible array, behind the type's end
    virtual TYPE, OFFSET BYTES TEXT what is in a virtual base, whose place only the program knows
    whole TYPE                      whatever no line tells of is a hole
    exact TYPE                      as far as lines tell, each byte is of one member
    unclear TYPE                    more than one member may have the same byte
"""

SCALARS = ["char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long",
           "unsigned long", "long long", "float", "double", "long double", "void *", "const char *", "vector_t",
           "__int128", "wide_t"]
OF_C = ["_Bool", "double _Complex", "enum of_c", "_Atomic int", "function_t *"]
OUTSIDE = "int outside::*"
OF_CPLUSPLUS = ["bool", "enum_t", "small_t", OUTSIDE, "method_t", "wchar_t", "char16_t", "function_t *"]
BIT_TYPES = {"unsigned char": 8, "signed char": 8, "unsigned short": 16, "short": 16, "int": 32, "unsigned": 32,
             "long": 64, "unsigned long long": 64}

LEAVES = 80 # that a type may have: a program has some thousand

HEAD = """
#include <stddef.h>
#include <stdio.h>
#include <string.h>
typedef int vector_t __attribute__((vector_size(16)));
typedef long wide_t __attribute__((aligned(32)));
typedef int function_t(int);
static unsigned char zeroes[1 << 16] __attribute__((aligned(64)));
static void print_bits(const char *type, size_t bytes, const char *text)
{
	size_t first = 0, count = 0;
	for (size_t n = 0; n < bytes * 8; n++) {
		if (zeroes[n / 8] >> n % 8 & 1) {
			first = count ? first : n;
			count++;
		}
	}
	printf("bits %s, %zu %zu %s\\n", type, first, count, text);
}
static void print_leaf(const char *word, const char *type, const char *text, size_t offset, size_t bytes, size_t count)
{
	for (size_t n = 0; n < count; n++) {
		printf("%s %s, %zu %zu %s", word, type, offset + n * (bytes / count), bytes / count, text);
		printf(count > 1 ? "[%zu]\\n" : "\\n", n);
	}
}
"""
HEAD_OF = {"c": "enum of_c { ZERO, ONE = 1000 };\n",
           "c++": "enum class enum_t : unsigned short { zero };\nenum small_t : char { none };\n"
                  "struct outside { int a, b; };\ntypedef int (outside::*method_t)(int);\n"}


class Type:
    """A structure, union or class"""

    def __init__(self, kind, name):
        self.kind, self.name = kind, name
        self.members, self.bases = [], [] # bases: (type, is virtual)
        self.is_virtual = self.is_unclear = self.has_vptr = self.is_open = False
        self.before, self.behind, self.is_plain = "", "", True

    def ancestors(self):
        return {base.name for base, _ in self.bases}.union(*(base.ancestors() for base, _ in self.bases))


class Member:
    """Of one: a scalar's text or a Type, and what is added to it"""

    def __init__(self, name, of, dimensions=(), bits=None, before="", is_flexible=False):
        self.name, self.of, self.dimensions, self.bits, self.before = name, of, dimensions, bits, before
        self.is_flexible = is_flexible


class Program:
    """The source of one, and the types it has"""

    def __init__(self, dice, language, count):
        self.dice, self.language, self.names = dice, language, 0
        self.types = []
        while len(self.types) < count:
            made = self.a_type(0)
            if self.count(made) <= LEAVES:
                self.types.append(made)

    def new_name(self, letter):
        self.names += 1
        return "%s%d" % (letter, self.names)

    # --- what there is -------------------------------------------------------------------------------------

    def a_type(self, depth, is_anonymous=False):
        dice = self.dice
        kind = dice.choices(["struct", "union", "class" if self.language == "c++" else "struct"], [6, 1, 3])[0]
        if is_anonymous:
            kind = dice.choice(["struct", "union"])
        made = Type(kind, "" if is_anonymous else self.new_name("T"))
        made.is_unclear = kind == "union"
        if self.language == "c++" and not is_anonymous and kind != "union":
            self.add_bases(made)
        if not is_anonymous and not made.has_vptr and dice.random() < 0.2:
            made.behind = dice.choice([" __attribute__((packed))", " __attribute__((aligned(16)))",
                                       " __attribute__((packed, aligned(2)))"])
            made.before = dice.choice(["", "", "#pragma pack(2)\n"])
        for _ in range(dice.choice([0, 1, 2, 3, 5, 9]) if depth == 0 and self.language == "c++" else
                       dice.choice([1, 2, 3, 5, 9, 17])):
            made.members.append(self.a_member(made, depth))
            if made.kind != "union" and dice.random() < 0.05:
                made.members.append(Member("", dice.choice(list(BIT_TYPES)), bits=dice.choice([0, 0, 3])))
        made.members = [member for member in made.members if member]
        if depth == 0 and not made.has_vptr and kind == "struct" and made.members and not made.bases and \
                dice.random() < 0.15 and any(member.bits is None and member.name for member in made.members):
            made.members.append(Member(self.new_name("m"), dice.choice(["int", "char", "double"]),
                                       is_flexible=True))
            made.is_open = True
        # By custom an array of one element at the end stands for more
        last = next((member for member in reversed(made.members) if member.name or member.bits is None), None)
        made.is_unclear |= bool(last and last.dimensions and set(last.dimensions) == {1})
        return made

    def add_bases(self, made):
        dice = self.dice
        for base in dice.sample(self.types, min(len(self.types), dice.choice([0, 0, 1, 1, 2, 3]))):
            mine = made.ancestors()
            if base.kind == "union" or base.is_open or base.name in mine or base.ancestors() & mine or \
                    any(name == other.name for other, _ in made.bases for name in base.ancestors()):
                continue
            made.bases.append((base, dice.random() < 0.2))
            made.is_unclear |= base.is_unclear
            made.has_vptr |= base.has_vptr or made.bases[-1][1]
        made.is_virtual = dice.random() < 0.2
        made.has_vptr |= made.is_virtual

    def a_member(self, made, depth):
        dice = self.dice
        what, name = dice.random(), self.new_name("m")
        if what < 0.3:
            of = dice.choice(list(BIT_TYPES))
            # Of those as wide as their type clang tells the byte alone, also where they begin inside one
            return Member(name, of, bits=dice.randint(1, BIT_TYPES[of] - 1))
        dimensions = tuple(dice.randint(1, 3) for _ in range(dice.choice([0, 0, 0, 1, 1, 2, 3])))
        if what < 0.42 and depth < 3:
            inner = self.a_type(depth + 1, True)
            if not any(member.name or isinstance(member.of, Type) for member in inner.members):
                return None
            made.is_unclear |= inner.is_unclear
            return Member("" if dice.random() < 0.5 else name, inner, ())
        others = [type_ for type_ in self.types if not type_.has_vptr and not type_.is_open and
                  4 * self.count(type_) <= LEAVES and (self.language == "c" or made.kind != "union" and made.name and type_.is_plain)]
        if what < 0.6 and others:
            inner = dice.choice(others)
            made.is_unclear |= inner.is_unclear
            before = ""
            if self.language == "c++" and not dimensions and dice.random() < 0.3:
                before = "[[no_unique_address]] "
            return Member(name, inner, dimensions, before=before)
        of = dice.choice(SCALARS + (OF_C if self.language == "c" else OF_CPLUSPLUS))
        dimensions = () if of == "wide_t" else dimensions # which is aligned to more than it has
        return Member(name, of, dimensions, before=dice.choice(["", "", "", "volatile ", "const "])
                      if self.language == "c" else "")

    # --- as source -----------------------------------------------------------------------------------------

    def declared(self, member, indent):
        tail = "[]" if member.is_flexible else "".join("[%d]" % n for n in member.dimensions)
        if member.of == OUTSIDE:
            return "%s%s%s%s;" % (indent, OUTSIDE, member.name, tail)
        if isinstance(member.of, Type) and not member.of.name:
            of = self.body(member.of, indent) + member.of.behind
        elif isinstance(member.of, Type):
            of = "%s %s" % (member.of.kind, member.of.name)
        else:
            of = member.of
        if member.bits is not None:
            return "%s%s %s : %d;" % (indent, of, member.name, member.bits)
        return "%s%s%s %s%s;" % (indent, member.before, of, member.name, tail)

    def body(self, type_, indent=""):
        text = type_.kind + (type_.behind if type_.name else "") + (" " + type_.name if type_.name else "")
        if type_.bases:
            text += " : " + ", ".join("public %s%s" % ("virtual " if is_virtual else "", base.name)
                                      for base, is_virtual in type_.bases)
        lines = ["public:"] if type_.kind == "class" else []
        lines += [indent + "\tvirtual ~%s() {}" % type_.name] if type_.is_virtual else []
        lines += [self.declared(member, indent + "\t") for member in type_.members]
        return text + " {\n" + "\n".join(lines) + "\n" + indent + "}"

    # --- its members ---------------------------------------------------------------------------------------

    def leaves(self, type_, expression, text, is_in_virtual=False):
        """All that have no members: (expression, text, of what, its bits or None, is in a virtual base)"""
        for base, is_virtual in type_.bases:
            yield from self.leaves(base, "(*(%s *)&%s)" % (base.name, expression), text + base.name + "::",
                                   is_in_virtual or is_virtual)
        for member in type_.members:
            if not member.name and not isinstance(member.of, Type) or member.is_flexible:
                continue
            places = [""]
            for count in member.dimensions:
                places = [place + "[%d]" % n for place in places for n in range(count)]
            for place in places:
                name = member.name + place
                if isinstance(member.of, Type):
                    yield from self.leaves(member.of, expression + ("." + name if name else ""),
                                           text + (name + "." if name else ""), is_in_virtual)
                else:
                    yield expression + "." + name, text + name, member.of, member.bits, is_in_virtual

    def count(self, type_):
        return sum(1 for _ in self.leaves(type_, "", ""))

    def told(self, type_):
        """The function that prints the truth of a type"""
        name = "%s %s" % (type_.kind, type_.name)
        lines = ["static void tell_%s(void)" % type_.name, "{",
                 "\t%s *o = (%s *)zeroes;" % (name, name),
                 "\tprintf(\"size %s, %%zu\\n\", sizeof(*o));" % name,
                 "\tprintf(\"%s %s\\n\");" % ("unclear" if type_.is_unclear else
                                              "exact" if type_.has_vptr or type_.is_open else "whole", name)]
        if self.has_virtual_base(type_):
            lines[2] = "\t%s *o = new %s();" % (name, name)
        for expression, text, of, bits, is_in_virtual in self.leaves(type_, "(*o)", ""):
            if bits is None:
                lines.append("\tprint_leaf(\"%s\", \"%s\", \"%s\", (char *)&%s - (char *)o, sizeof(%s), %d);" %
                             ("virtual" if is_in_virtual else "leaf", name, text, expression, expression,
                              4 if of == "vector_t" else 1))
            elif not self.has_virtual_base(type_):
                lines += ["\tmemset(zeroes, 0, sizeof(*o));", "\t%s = -1;" % expression,
                          "\tprint_bits(\"%s\", sizeof(*o), \"%s\");" % (name, text)]
        if type_.is_open:
            last = type_.members[-1].name
            for n in (0, 1, 7):
                lines.append("\tprintf(\"beyond %s, %%zu %%zu %s[%d]\\n\", (size_t)((char *)&o->%s[%d] - (char *)o), "
                             "sizeof(o->%s[0]));" % (name, last, n, last, n, last))
        return "\n".join([*lines, "}"])

    def has_virtual_base(self, type_):
        return any(is_virtual or self.has_virtual_base(base) for base, is_virtual in type_.bases)

    def source(self):
        text = HEAD + HEAD_OF[self.language]
        for n, type_ in enumerate(self.types):
            text += "%s%s;\n%s" % (type_.before, self.body(type_), "#pragma pack()\n" if type_.before else "")
            text += "%s %s *pointer%d; %s\n" % (type_.kind, type_.name, n, self.told(type_))
        return text + "int main(void)\n{\n" + "".join("\ttell_%s();\n" % type_.name for type_ in self.types) + \
            "\treturn 0;\n}\n"

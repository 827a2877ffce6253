// SPDX-License-Identifier: BSD-3-Clause
// Blocks of containers and smart pointers: each site tells of its types.
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "allocations.h"

struct node {
	long key;
	double value[3];
};

namespace app
{
class particle {
public:
	explicit particle(double mass) : mass(mass), charge(-1) {}
	virtual ~particle() {}
	double mass, charge, place[3];
};

class moving : public particle {
public:
	explicit moving(double mass) : particle(mass), speed{ 0, 0, mass } {}
	double speed[6];
};
} // namespace app

#define SITE __attribute__((noinline)) static
#define TYPE(text) (allocation_types = (text))

SITE void vectors(std::vector<node> &nodes, std::vector<int> &numbers)
{
	TYPE("node");
	for (long n = 0; n < 20; n++)
		nodes.push_back({ n, { 1, 2, 3 } });
	TYPE("int");
	numbers.resize(100);
	TYPE("double");
	std::vector<double> doubles(50, 1.5);
	KEEP(doubles.data());
	TYPE("app::particle *");
	std::vector<app::particle *> pointers;
	pointers.reserve(17);
	KEEP(pointers.data());
	TYPE("app::particle");
	std::vector<app::particle> particles;
	particles.emplace_back(1.0);
	particles.emplace_back(2.0);
	KEEP(particles.data());
	TYPE("float");
	std::vector<float> floats;
	floats.assign(33, 1.0F);
	KEEP(floats.data());
	TYPE("short int");
	std::vector<short> shorts{ 1, 2, 3, 4, 5 };
	shorts.insert(shorts.begin() + 2, 9);
	KEEP(shorts.data());
	allocation_types = nullptr;
}

SITE void maps(std::map<int, node> &map, std::set<long> &set)
{
	TYPE("std::_Rb_tree_node<std::pair<int const, node> >");
	for (int n = 0; n < 10; n++)
		map[n * 7 % 10].key = n;
	TYPE("std::_Rb_tree_node<long>");
	for (long n = 0; n < 10; n++)
		set.insert(n);
	TYPE("std::_Rb_tree_node<std::pair<char const, float> >");
	std::multimap<char, float> many;
	many.emplace('a', 1.0F);
	many.insert({ 'a', 2.0F });
	KEEP(&*many.begin());
	allocation_types = nullptr;
}

SITE void lists(std::list<node> &list)
{
	TYPE("std::_List_node<node>");
	for (long n = 0; n < 5; n++)
		list.push_front({ n, { 0, 0, 0 } });
	TYPE("std::_List_node<int>");
	std::list<int> numbers(3, 7);
	numbers.push_back(8);
	KEEP(&numbers.front());
	allocation_types = nullptr;
}

SITE void hashes(std::unordered_map<long, double> &hash)
{
	TYPE("std::__detail::_Hash_node<std::pair<long const, double>, false>|std::__detail::_Hash_node_base *|"
	     "std::__detail::_Hash_node<std::pair<long const, double>, false>");
	for (long n = 0; n < 12; n++)
		hash[n] = 1.0 / (double)(n + 1);
	allocation_types = nullptr;
}

SITE void deques()
{
	TYPE("node *|node");
	std::deque<node> deque;
	for (long n = 0; n < 30; n++)
		deque.push_back({ n, { 0, 0, 0 } });
	KEEP(&deque.front());
	TYPE("float *|float");
	std::deque<float> floats(300);
	KEEP(&floats.front());
	allocation_types = nullptr;
}

SITE void pointers()
{
	TYPE("std::_Sp_counted_ptr_inplace<app::particle, std::allocator<void>, 2>");
	std::shared_ptr<app::particle> shared = std::make_shared<app::particle>(3.0);
	KEEP(shared.get());
	TYPE("app::particle");
	std::unique_ptr<app::particle> unique = std::make_unique<app::particle>(4.0);
	KEEP(unique.get());
	TYPE("double");
	std::unique_ptr<double[]> many = std::make_unique<double[]>(40);
	KEEP(many.get());
	TYPE("node");
	std::unique_ptr<node> one = std::make_unique<node>();
	KEEP(one.get());
	TYPE("std::_Sp_counted_ptr_inplace<node, std::allocator<void>, 2>");
	std::shared_ptr<node> shared_node = std::make_shared<node>();
	KEEP(shared_node.get());
	allocation_types = nullptr;
}

/* Without a container, which has no function of a library around it */
SITE void bare(app::particle **to)
{
	TYPE("node");
	node *made = new node();
	made->key = 4;
	KEEP(made);
	TYPE("app::particle");
	*to = new app::particle(9.5);
	KEEP(*to);
	TYPE("app::moving");
	*to = new app::moving(2.5);
	KEEP(*to);
	TYPE("int");
	int *numbers = new int[70];
	numbers[3] = 3;
	KEEP(numbers);
	allocation_types = nullptr;
}

SITE void strings(const char *from)
{
	TYPE("char");
	std::string text(from);
	KEEP(text.data());
	text += " and then much more of it, so that the text has to move elsewhere";
	KEEP(text.data());
	std::string copy(text);
	KEEP(copy.data());
	allocation_types = nullptr;
}

int main()
{
	std::vector<node> nodes;
	std::vector<int> numbers;
	std::map<int, node> map;
	std::set<long> set;
	std::list<node> list;
	std::unordered_map<long, double> hash;

	begin_allocations();
	vectors(nodes, numbers);
	maps(map, set);
	lists(list);
	hashes(hash);
	deques();
	pointers();
	app::particle *particle;
	bare(&particle);
	strings("a text that is longer than what fits into the object itself");
	return 0;
}

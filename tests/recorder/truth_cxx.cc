/* SPDX-License-Identifier: BSD-3-Clause */
/* C++: what new and containers allocate, before main() too, and what exceptions leave behind. */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <precis/objects.h>

struct Early {
	char *block = static_cast<char *>(calloc(1, 64 * 20 + 37));
	~Early() { free(block); }
};

static Early early;

struct Node {
	char bytes[64 * 3 + 37];
};

int main()
{
	std::vector<Node> nodes;

	precis_objects_phase("c++");
	for (int n = 0; n < 9; n++)
		nodes.push_back(Node());
	auto shared = std::make_shared<Node>();
	std::unique_ptr<Node[]> array(new Node[5]);
	try {
		throw std::runtime_error("thrown");
	} catch (const std::exception &) {
	}
	std::printf("%p %p %p\n", (void *)early.block, (void *)nodes.data(), (void *)array.get());
	return 0;
}

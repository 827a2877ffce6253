// SPDX-License-Identifier: BSD-3-Clause
// Accesses of C++ programs as they are: objects, references, bases, smart pointers, containers.
#include <memory>
#include <vector>

#include "operands.h"

#define NOINLINE __attribute__((noinline))

namespace app {

struct particle {
	double x, y, z;
	long id;
	int cell;
};

class shape {
public:
	virtual ~shape() {}
	NOINLINE virtual double area() const;
	long id = 1;

protected:
	double scale = 2;
};

class box : public shape {
public:
	NOINLINE double area() const override;
	NOINLINE void grow(double by);

private:
	double width = 1, height = 1;
};

template <class T> struct tree {
	struct node {
		T value;
		node *left, *right;
		long count;
	};

	node *root = nullptr;
	long size = 0;

	NOINLINE node *find(const T &value);
	NOINLINE long total() const;
};

double shape::area() const
{
	return READ_DOUBLE(scale, "app::shape.scale") + READ(id, "app::shape.id");
}

double box::area() const
{
	return READ_DOUBLE(width, "app::box.width") * READ_DOUBLE(height, "app::box.height") * shape::area();
}

void box::grow(double by)
{
	width = READ_DOUBLE(width, "app::box.width") * by;
	height *= READ_DOUBLE(width, "app::box.width");
	WRITE(id, 7, "app::box.app::shape::id");
}

template <class T> typename tree<T>::node *tree<T>::find(const T &value)
{
	for (node *at = READ(root, "app::tree<long int>.root"); at;) {
		if (READ(at->value, "app::tree<long int>::node.value") == value)
			return at;
		at = at->value < value ? READ(at->right, "app::tree<long int>::node.right")
				       : READ(at->left, "app::tree<long int>::node.left");
	}
	return nullptr;
}

template <class T> long tree<T>::total() const
{
	const node *at = root;
	long sum = READ(size, "app::tree<long int>.size");

	while (at) {
		sum += READ(at->count, "app::tree<long int>::node.count");
		at = at->left;
	}
	return sum;
}

NOINLINE double move(particle &one, const particle &other)
{
	WRITE(one.cell, READ(other.cell, "app::particle.cell"), "app::particle.cell");
	one.x += READ_DOUBLE(other.x, "app::particle.x");
	return READ_DOUBLE(one.z, "app::particle.z");
}

NOINLINE double all(std::vector<particle> &particles)
{
	double sum = 0;

	for (auto &particle : particles)
		sum += READ_DOUBLE(particle.y, "app::particle.y") + READ(particle.id, "app::particle.id");
	for (size_t n = 1; n < particles.size(); n++)
		sum += move(particles[n], particles[n - 1]) + READ(particles[n].cell, "app::particle.cell");
	return sum;
}

NOINLINE long owned(std::unique_ptr<particle> &one, const std::shared_ptr<particle> &other)
{
	return READ(one->id, "app::particle.id") + READ(other->cell, "app::particle.cell");
}

NOINLINE long each(const std::vector<particle *> &particles)
{
	long sum = 0;

	for (const particle *particle : particles)
		sum += READ(particle->id, "app::particle.id");
	return sum;
}

NOINLINE long captured(particle *particle, long limit)
{
	auto apply = [&](long by) { return READ(particle->id, "app::particle.id") + by + limit; };

	return apply(1) * apply(2);
}

} // namespace app

int main(int argc, char **argv)
{
	static std::vector<app::particle> particles;
	static std::vector<app::particle *> pointers;
	static app::tree<long> tree;
	app::box box;
	std::unique_ptr<app::particle> one;
	std::shared_ptr<app::particle> other;
	const app::shape *volatile shape = &box;

	/* never run: what is asked for is in the file */
	if (argc < 100)
		return 0;
	box.grow(argc);
	return static_cast<int>(app::all(particles)) + static_cast<int>(shape->area()) +
	       static_cast<int>(app::owned(one, other)) + (tree.find(argc) != nullptr) +
	       static_cast<int>(tree.total() + app::each(pointers)) +
	       static_cast<int>(app::captured(reinterpret_cast<app::particle *>(argv), argc));
}

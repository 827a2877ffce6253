// SPDX-License-Identifier: BSD-3-Clause
//
// The part of Caliper that the service sees, where there is no Caliper: regions, of which each begin and
// end is told before the blackboard changes, and snapshots, of which each is written to standard output
// with the path of regions that it was in.
#include <mutex>

#include <caliper/Caliper.h>
#include <caliper/cali.h>

using namespace cali;

namespace {

Channel channel;
Caliper caliper;
std::mutex mutex;
const CaliperService *service;
bool has_begun;

struct Thread {
	std::vector<std::string> regions;
	std::vector<Node *> nodes;
	Thread();
	~Thread();
};

thread_local Thread thread;

void begin_once()
{
	std::lock_guard<std::mutex> guard(mutex);

	if (has_begun)
		return;
	has_begun = true;
	service->register_fn(&caliper, &channel);
	channel.events().post_init_evt(&caliper, &channel);
}

Thread::Thread()
{
	channel.events().create_thread_evt(&caliper, &channel);
}

Thread::~Thread()
{
	channel.events().release_thread_evt(&caliper, &channel);
	for (Node *node : nodes)
		delete node;
}

// At the program's end
struct End {
	~End()
	{
		channel.events().pre_flush_evt(&caliper, nullptr, SnapshotView());
		channel.events().finish_evt(&caliper, &channel);
	}
} end;

}

namespace cali {

ConfigSet::Value ConfigSet::get(const char *key) const
{
	std::string name = std::string("CALI_PRECIS_") + key;

	for (char &letter : name)
		letter = static_cast<char>(toupper(letter));
	const char *value = getenv(name.c_str());

	return { value ? value : std::string(key) == "reasons" ? "true" : "" };
}

Channel::Events &Channel::events()
{
	static Events *all = new Events; // needed until the very end

	return *all;
}

Attribute Caliper::create_attribute(const std::string &name, cali_attr_type, int, int, const Attribute *,
				    const Variant *)
{
	Attribute attribute;

	attribute.name = name;
	return attribute;
}

Attribute Caliper::get_attribute(const std::string &) const
{
	return Attribute();
}

Node *Caliper::make_tree_entry(const Attribute &attribute, const Variant &value, Node *parent)
{
	Node *node = new Node;

	node->text = (parent ? parent->text + "\t" : "") + attribute.name + "=" + value.text;
	thread.nodes.push_back(node);
	return node;
}

void Caliper::push_snapshot(ChannelBody *, SnapshotView record)
{
	std::string line = "snapshot\t";

	for (const std::string &region : thread.regions)
		line += "/" + region;
	for (const Entry &entry : record.entries)
		line += "\t" + entry.text;
	puts(line.c_str());
}

void Caliper::set(ChannelBody *, const Attribute &attribute, const Variant &value)
{
	printf("global\t%s=%s\n", attribute.name.c_str(), value.text.c_str());
}

namespace services {

void add_service_specs(const CaliperService *list)
{
	service = list;
}

ConfigSet init_config_from_spec(RuntimeConfig, const char *)
{
	return ConfigSet();
}

}

}

void stub_begin(const char *name)
{
	begin_once();
	Thread &here = thread;

	channel.events().pre_begin_evt(&caliper, nullptr, Attribute(), Variant());
	here.regions.push_back(name);
}

void stub_end(const char *)
{
	channel.events().pre_end_evt(&caliper, nullptr, Attribute(), Variant());
	thread.regions.pop_back();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What the service needs of Caliper's classes, by Caliper's names. See stub_caliper.cpp. */
#ifndef STUB_CALIPER_H
#define STUB_CALIPER_H

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

enum cali_attr_type { CALI_TYPE_UINT, CALI_TYPE_STRING, CALI_TYPE_ADDR };
enum {
	CALI_ATTR_ASVALUE = 1,
	CALI_ATTR_SKIP_EVENTS = 64,
	CALI_ATTR_GLOBAL = 512,
	CALI_ATTR_AGGREGATABLE = 2048
};

struct cali_variant_t {
	uint64_t value;
};

static inline cali_variant_t cali_make_variant_from_uint(uint64_t value)
{
	return { value };
}

namespace cali
{

class Variant
{
      public:
	std::string text;

	Variant()
	{
	}
	explicit Variant(bool is_it) : text(is_it ? "true" : "false")
	{
	}
	Variant(cali_variant_t of) : text(std::to_string(of.value))
	{
	}
	Variant(cali_attr_type type, const void *data, size_t size)
	{
		if (type == CALI_TYPE_STRING)
			text.assign(static_cast<const char *>(data), size);
		else
			text = std::to_string(*static_cast<const uint64_t *>(data));
	}
};

class Attribute
{
      public:
	std::string name;

	operator bool() const
	{
		return !name.empty();
	}
};

// A name and a value, below others
class Node
{
      public:
	std::string text;
};

class Entry
{
      public:
	std::string text;

	Entry()
	{
	}
	explicit Entry(Node *node) : text(node ? node->text : "")
	{
	}
	Entry(const Attribute &attribute, const Variant &value)
	    : text(attribute.name + "=" + value.text)
	{
	}
};

class SnapshotView
{
      public:
	std::vector<Entry> entries;
};

class SnapshotBuilder
{
      public:
	std::vector<Entry> entries;

	void append(const Entry &entry)
	{
		entries.push_back(entry);
	}
	void append(const Attribute &attribute, const Variant &value)
	{
		append(Entry(attribute, value));
	}
};

template <size_t N> class FixedSizeSnapshotRecord
{
	SnapshotBuilder builder_;

      public:
	SnapshotBuilder &builder()
	{
		return builder_;
	}
	SnapshotView view() const
	{
		SnapshotView view;

		view.entries = builder_.entries;
		if (view.entries.size() > N)
			view.entries.resize(N);
		return view;
	}
};

class Caliper;
struct ChannelBody;

template <class... Arguments> class Callbacks
{
	std::vector<std::function<void(Arguments...)>> all;

      public:
	void connect(std::function<void(Arguments...)> one)
	{
		all.push_back(one);
	}
	void operator()(Arguments... arguments)
	{
		for (auto &one : all)
			one(arguments...);
	}
};

class ConfigSet
{
      public:
	struct Value {
		std::string text;

		std::string to_string() const
		{
			return text;
		}
		bool to_bool() const
		{
			return text == "true";
		}
	};

	Value get(const char *key) const;
};

struct RuntimeConfig {
};

class Channel
{
      public:
	struct Events {
		Callbacks<Caliper *, ChannelBody *, const Attribute &, const Variant &>
			pre_begin_evt, pre_set_evt, pre_end_evt;
		Callbacks<Caliper *, Channel *> post_init_evt, create_thread_evt,
			release_thread_evt, finish_evt;
		Callbacks<Caliper *, ChannelBody *, SnapshotView> pre_flush_evt;
	};

	Events &events();
	ChannelBody *body()
	{
		return nullptr;
	}
	RuntimeConfig config()
	{
		return RuntimeConfig();
	}
	std::string name() const
	{
		return "stub";
	}
};

class Caliper
{
      public:
	Attribute create_attribute(const std::string &name, cali_attr_type type, int properties,
				   int count = 0, const Attribute *meta = nullptr,
				   const Variant *values = nullptr);
	Attribute get_attribute(const std::string &name) const;
	Node *make_tree_entry(const Attribute &attribute, const Variant &value,
			      Node *parent = nullptr);
	void push_snapshot(ChannelBody *body, SnapshotView record);
	void set(ChannelBody *body, const Attribute &attribute, const Variant &value);
};

typedef void (*ServiceRegisterFn)(Caliper *c, Channel *channel);

struct CaliperService {
	const char *name_or_spec;
	ServiceRegisterFn register_fn;
};

namespace services
{
void add_service_specs(const CaliperService *list);
ConfigSet init_config_from_spec(RuntimeConfig config, const char *spec);
} // namespace services

} // namespace cali

#endif

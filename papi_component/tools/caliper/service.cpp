// SPDX-License-Identifier: BSD-3-Clause
//
// A service of Caliper, "precis": a snapshot for each precise sample, with what the CPU measured as
// attributes and the reason where it did not.
//
// Samples are taken to Caliper where a region begins or ends, before Caliper's blackboard changes: so
// each is in the region that it was in when the CPU took it, and no signal handler calls Caliper.
#include <mutex>
#include <string>

#include <Services.h>
#include <caliper/Caliper.h>
#include <caliper/SnapshotRecord.h>

#include <precis/fields.h>
#include <precis/papi.h>

#include "../collector.h"

using namespace cali;

namespace {

const char *const spec = R"json(
{   "name"        : "precis",
    "description" : "Precise samples (AMD IBS, Intel PEBS, breakpoints) through PAPI's component precis",
    "config"      : [
        {   "name"        : "events",
            "description" : "What is sampled: NAME@PERIOD,NAME@PERIOD...",
            "type"        : "string",
            "value"       : ""
        },
        {   "name"        : "reasons",
            "description" : "Say in each snapshot why a field has no value",
            "type"        : "bool",
            "value"       : "true"
        }
    ]
}
)json";

const int value_properties = CALI_ATTR_ASVALUE | CALI_ATTR_SKIP_EVENTS;
const int name_properties = CALI_ATTR_SKIP_EVENTS;

class Sampler;

// The one channel that samples: a thread's samples have one consumer. Caliper may end after this
// library's own objects: it is deleted where Caliper says so.
Sampler *sampler;
thread_local struct collector *collector;

class Sampler {
public:
	Sampler(Caliper *c, const Channel &channel) : channel_(channel)
	{
		period_ = c->create_attribute("precis.period", CALI_TYPE_UINT,
					      value_properties | CALI_ATTR_AGGREGATABLE);
		event_ = c->create_attribute("precis.event", CALI_TYPE_STRING, name_properties);
		global_taken_ = create_global(c, "precis.taken");
		global_no_room_ = create_global(c, "precis.no_room");
		global_lost_ = create_global(c, "precis.lost");
		global_truncated_ = create_global(c, "precis.truncated");
		global_throttled_ = create_global(c, "precis.throttled");
	}

	// The channel's settings. False, and 'why' says what is wrong.
	bool configure(Caliper *c, const std::string &events, bool reasons, std::string *why)
	{
		char error[512] = "";

		reasons_ = reasons;
		settings_.delivery = PRECIS_PAPI_WATERMARK;
		if (events.empty())
			*why = "CALI_PRECIS_EVENTS is not set: NAME@PERIOD,...";
		else if (!collector_parse(&settings_, events.c_str(), error, sizeof(error)) ||
			 !collector_options(&settings_, error, sizeof(error)) ||
			 !collector_init(error, sizeof(error)))
			*why = error;
		for (int n = 0; n < COLLECTED_COUNT && why->empty(); n++) {
			if (settings_.fields >> n & 1)
				create_field(c, static_cast<enum collected_field>(n));
		}
		return why->empty();
	}

	void start_thread()
	{
		char error[512] = "";

		if (!collector)
			collector = collector_start(&settings_, error, sizeof(error));
		if (!collector)
			collector_complain(error);
	}

	void stop_thread(Caliper *c)
	{
		if (!collector)
			return;
		collector_stop(collector);
		take(c);
		{
			std::lock_guard<std::mutex> guard(mutex_);
			collector_add_losses(collector, &ended_);
		}
		collector_free(collector);
		collector = nullptr;
	}

	// Before the blackboard changes
	void take(Caliper *c)
	{
		Context context = { this, c };

		if (collector && !is_taking_) {
			is_taking_ = true;
			collector_take(collector, push, &context);
			is_taking_ = false;
		}
	}

	// Samples of which nobody has heard, of all threads that have ended and of this one
	void tell_losses(Caliper *c, ChannelBody *body)
	{
		struct collector_losses losses = {};

		if (collector)
			collector_add_losses(collector, &losses);
		{
			std::lock_guard<std::mutex> guard(mutex_);
			collector_sum(&losses, &ended_);
		}
		c->set(body, global_taken_, Variant(cali_make_variant_from_uint(losses.taken)));
		c->set(body, global_no_room_, Variant(cali_make_variant_from_uint(losses.no_room)));
		c->set(body, global_lost_, Variant(cali_make_variant_from_uint(losses.lost)));
		c->set(body, global_truncated_, Variant(cali_make_variant_from_uint(losses.truncated)));
		c->set(body, global_throttled_, Variant(cali_make_variant_from_uint(losses.throttled)));
	}

private:
	struct Context {
		Sampler *sampler;
		Caliper *c;
	};

	Attribute create_global(Caliper *c, const char *name)
	{
		return c->create_attribute(name, CALI_TYPE_UINT,
					   CALI_ATTR_GLOBAL | CALI_ATTR_SKIP_EVENTS);
	}

	void create_field(Caliper *c, enum collected_field field)
	{
		const struct collected_info info = collected_info(field);
		const std::string name = std::string("precis.") + info.name;
		Attribute class_of = c->get_attribute(field == COLLECTED_IP ? "class.symboladdress" :
								       "class.memoryaddress");
		const Variant yes(true);

		why_[field] = c->create_attribute(std::string("precis.why.") + info.name,
						  CALI_TYPE_STRING, name_properties);
		if (info.kind == COLLECTED_NAME)
			fields_[field] = c->create_attribute(name, CALI_TYPE_STRING, name_properties);
		else if (info.kind == COLLECTED_AMOUNT)
			fields_[field] = c->create_attribute(
				name, CALI_TYPE_UINT, value_properties | CALI_ATTR_AGGREGATABLE);
		else // where Caliper looks for symbols, and for allocations
			fields_[field] = c->create_attribute(name, CALI_TYPE_ADDR, value_properties,
							     class_of ? 1 : 0, &class_of, &yes);
	}

	static void push(const struct collected *sample, void *user)
	{
		const Context *context = static_cast<const Context *>(user);

		context->sampler->push_sample(context->c, *sample);
	}

	Node *name(Caliper *c, const Attribute &attribute, const char *text, Node *parent)
	{
		return c->make_tree_entry(attribute, Variant(CALI_TYPE_STRING, text, strlen(text)),
					  parent);
	}

	void push_sample(Caliper *c, const struct collected &sample)
	{
		FixedSizeSnapshotRecord<COLLECTED_COUNT + 2> record;
		Node *names = name(c, event_, settings_.events[sample.event].name, nullptr);
		char text[PRECIS_VALUE_TEXT];

		if (sample.period)
			record.builder().append(period_,
						Variant(cali_make_variant_from_uint(sample.period)));
		for (int n = 0; n < COLLECTED_COUNT; n++) {
			const enum collected_field field = static_cast<enum collected_field>(n);
			const enum collected_kind kind = collected_info(field).kind;

			if (!(sample.present >> n & 1)) {
				if (reasons_ && sample.why[n])
					names = name(c, why_[n], sample.why[n], names);
			} else if (kind == COLLECTED_NAME) {
				collected_format(field, sample.value[n], text);
				names = name(c, fields_[n], text, names);
			} else if (kind == COLLECTED_AMOUNT) {
				record.builder().append(
					fields_[n], Variant(cali_make_variant_from_uint(sample.value[n])));
			} else {
				record.builder().append(fields_[n], Variant(CALI_TYPE_ADDR, &sample.value[n],
									    sizeof(sample.value[n])));
			}
		}
		record.builder().append(Entry(names));
		c->push_snapshot(channel_.body(), record.view());
	}

	Channel channel_;
	struct collector_settings settings_ = {};
	bool reasons_ = true;
	static thread_local bool is_taking_;
	Attribute period_, event_, fields_[COLLECTED_COUNT], why_[COLLECTED_COUNT];
	Attribute global_taken_, global_no_room_, global_lost_, global_truncated_, global_throttled_;
	std::mutex mutex_;
	struct collector_losses ended_ = {}; // of threads that have ended
};

thread_local bool Sampler::is_taking_;

// Region begin, end and set: whatever the thread was doing until now was where it still is.
void connect_regions(Channel::Events &events)
{
	auto update = [](Caliper *c, ChannelBody *, const Attribute &, const Variant &) {
		sampler->take(c);
	};

	events.pre_begin_evt.connect(update);
	events.pre_set_evt.connect(update);
	events.pre_end_evt.connect(update);
}

void connect_life(Channel::Events &events)
{
	events.post_init_evt.connect([](Caliper *, Channel *) { sampler->start_thread(); });
	events.create_thread_evt.connect([](Caliper *, Channel *) { sampler->start_thread(); });
	events.release_thread_evt.connect([](Caliper *c, Channel *) { sampler->stop_thread(c); });
	events.pre_flush_evt.connect([](Caliper *c, ChannelBody *body, SnapshotView) {
		sampler->take(c);
		sampler->tell_losses(c, body);
	});
	events.finish_evt.connect([](Caliper *, Channel *) {
		collector_free(collector);
		collector = nullptr;
		delete sampler;
		sampler = nullptr;
	});
}

void register_precis(Caliper *c, Channel *channel)
{
	std::string why;

	if (sampler) {
		fprintf(stderr, "precis: %s: only one channel at a time is sampled\n",
			channel->name().c_str());
		return;
	}
	ConfigSet config = services::init_config_from_spec(channel->config(), spec);

	sampler = new Sampler(c, *channel);
	if (!sampler->configure(c, config.get("events").to_string(), config.get("reasons").to_bool(),
				&why)) {
		collector_complain(why.c_str());
		delete sampler;
		sampler = nullptr;
		return;
	}
	connect_regions(channel->events());
	connect_life(channel->events());
}

// Where the library is loaded, by the linker or LD_PRELOAD, the service is there.
__attribute__((constructor)) void add_service()
{
	static const CaliperService list[] = { { spec, register_precis }, { nullptr, nullptr } };

	services::add_service_specs(list);
}

} // namespace

/* SPDX-License-Identifier: BSD-3-Clause */
/* What the plugins need of PAPI, by PAPI's names, where there is no PAPI. See stub_papi.c. */
#ifndef STUB_PAPI_H
#define STUB_PAPI_H

#define PAPI_VER_CURRENT 0x7000000
#define PAPI_OK 0
#define PAPI_EINVAL (-1)
#define PAPI_ENOMEM (-2)
#define PAPI_ECNFLCT (-8)
#define PAPI_EPERM (-15)
#define PAPI_NULL (-1)
#define PAPI_NOT_INITED 0
#define PAPI_THREAD_LEVEL_INITED 4
#define PAPI_DOM_USER 1
#define PAPI_DOM_KERNEL 2
#define PAPI_DOMAIN 6

typedef struct {
	int disabled;
	char disabled_reason[64];
} PAPI_component_info_t;

typedef union {
	struct {
		int eventset, domain;
	} domain;
} PAPI_option_t;

int PAPI_is_initialized(void);
int PAPI_library_init(int version);
int PAPI_thread_init(unsigned long (*id)(void));
int PAPI_register_thread(void);
char *PAPI_strerror(int error);
int PAPI_get_component_index(const char *name);
const PAPI_component_info_t *PAPI_get_component_info(int component);
int PAPI_create_eventset(int *set);
int PAPI_assign_eventset_component(int set, int component);
int PAPI_set_opt(int option, PAPI_option_t *value);
int PAPI_event_name_to_code(const char *name, int *code);
int PAPI_add_event(int set, int code);
int PAPI_start(int set);
int PAPI_stop(int set, long long *counts);
int PAPI_cleanup_eventset(int set);
int PAPI_destroy_eventset(int *set);

#endif

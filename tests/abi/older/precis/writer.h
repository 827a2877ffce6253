#ifndef PRECIS_WRITER_H
#define PRECIS_WRITER_H

#include <precis/export.h>
#include <precis/feature_number.h>

PRECIS_BEGIN_DECLS

struct precis_writer;

PRECIS_API int precis_writer_open(const char *path, struct precis_writer **writer);

PRECIS_API int precis_writer_open_fd(int fd, struct precis_writer **writer);

PRECIS_API int precis_writer_compress(struct precis_writer *writer, int level);

PRECIS_API int precis_writer_event(struct precis_writer *writer, const void *attr, size_t bytes,
				   const uint64_t *ids, uint32_t id_count, const char *name);

PRECIS_API int precis_writer_string(struct precis_writer *writer, enum precis_feature feature,
				    const char *text);

PRECIS_API int precis_writer_pmu(struct precis_writer *writer, uint32_t type, const char *name);

PRECIS_API int precis_writer_pmu_cap(struct precis_writer *writer, const char *pmu,
				     const char *name, const char *value);

PRECIS_API int precis_writer_command(struct precis_writer *writer, const char *argument);

PRECIS_API int precis_writer_feature(struct precis_writer *writer, uint32_t feature,
				     const void *payload, size_t bytes);

PRECIS_API int precis_writer_record(struct precis_writer *writer, const void *record, size_t bytes);

PRECIS_API int precis_writer_close(struct precis_writer *writer);

PRECIS_END_DECLS

#endif

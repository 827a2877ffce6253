/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file precis_signals.h
 * @brief The component's own real-time signal, and the readers of each thread that it wakes.
 */
#ifndef PRECIS_SIGNALS_H
#define PRECIS_SIGNALS_H

#include <signal.h>
#include <sys/types.h>

#include "precis_fork.h"
#include "precis_reader.h"

/** As sigaction(2) wants it with SA_SIGINFO */
typedef void precis_signal_handler(int number, siginfo_t *info, void *context);

/**
 * Take the signal, and SIGIO, which the kernel sends instead of a real-time signal when its queue
 * is full. 'with': what handles it, always the same. @return PAPI_OK or an error, noted
 */
int precis_signals_take(precis_signal_handler *with);
/** Whoever had the signals has them again. */
void precis_signals_give_back(void);
/** @return which one it is, or will be once it is taken */
int precis_signal_number(void);
/** It must not come while its thread has a lock that what it wakes would take, too. */
void precis_signals_block(sigset_t *before);
/** Let a thread of the process run the handler. */
void precis_signals_tell(pid_t tid);

/** The calling thread's reader, from now on woken by the signal. @return PAPI_OK or an error, noted */
int precis_signals_add(struct precis_reader *reader);
/** Returns when no other thread's handler is in it. */
void precis_signals_remove(struct precis_reader *reader);
/** Is it woken in another thread, whose handler may be in it? */
int precis_signals_elsewhere(const struct precis_reader *reader);

/** What fork(2) wants of the places: a child has one thread. */
extern const struct precis_fork_hooks precis_signals_fork;

/**
 * What the handler does, with a turn that has nothing but number and context: until this returns 0. 1: a
 * reader has something that is to be called with the context, first.
 */
int precis_signals_turn(struct precis_turn *turn);

#endif

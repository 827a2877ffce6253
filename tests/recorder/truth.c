/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that knows what it does with its memory, and writes it down: test_recorder.py compares that with
 * what the recorder says. Sizes of its own blocks are 37 above a multiple of 64, so that they are told from
 * others'.
 *
 * truth CASE FILE: lines "alloc TID ADDRESS SIZE FRAME...", "free TID ADDRESS", and what else there is to
 * know, made by each thread for itself, in order, without a single allocation.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <precis/objects.h>

#ifdef __clang__ /* which makes no clones */
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif
#define OWN(n) (64 * (size_t)(n) + 37)
#define FRAMES 40
#define LOG_BYTES (size_t)(48 << 20)

static __thread char *log_start, *log_at;
static __thread int own_tid;
static pthread_mutex_t file_lock = PTHREAD_MUTEX_INITIALIZER;
static const char *path;
static int with_frames = 1;
static volatile size_t too_many = SIZE_MAX / 2;

static void begin_log(void)
{
	own_tid = (int)syscall(SYS_gettid);
	log_start = (char *)syscall(SYS_mmap, 0, LOG_BYTES, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	log_at = log_start;
}

static void end_log(void)
{
	int fd;

	pthread_mutex_lock(&file_lock);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	if (fd < 0 || write(fd, log_start, (size_t)(log_at - log_start)) != log_at - log_start)
		abort();
	close(fd);
	pthread_mutex_unlock(&file_lock);
	log_at = log_start;
}

static void say(const char *word)
{
	while (*word)
		*log_at++ = *word++;
}

static void say_number(uint64_t value, unsigned int base)
{
	char digits[24];
	int n = sizeof(digits);

	digits[--n] = '\0';
	do {
		digits[--n] = "0123456789abcdef"[value % base];
		value /= base;
	} while (value);
	*log_at++ = ' ';
	say(digits + n);
}

/* The callers of the caller's caller, which stands in the recorder's stack where it called the heap */
static NOINLINE void say_callers(void)
{
	void *frames[FRAMES];
	int count = with_frames ? backtrace(frames, FRAMES) : 0;

	for (int n = 3; n < count; n++)
		say_number((uint64_t)frames[n], 16);
}

static NOINLINE void said_alloc(const char *word, void *block, size_t size)
{
	say(word);
	say_number((uint64_t)own_tid, 10);
	say_number((uint64_t)block, 16);
	say_number(size, 10);
	say_callers();
	say("\n");
	__asm__ volatile("");
}

static NOINLINE void said_free(const char *word, void *block)
{
	say(word);
	say_number((uint64_t)own_tid, 10);
	say_number((uint64_t)block, 16);
	say("\n");
}

/* One function for each site: its callers are those of the block, and it the innermost */
static NOINLINE void *site_one(size_t size)
{
	void *block = malloc(size);

	said_alloc("alloc", block, size);
	return block;
}

static NOINLINE void *site_two(size_t size)
{
	void *block = malloc(size);

	said_alloc("alloc", block, size);
	return block;
}

static NOINLINE void give_back(void *block)
{
	said_free("free", block);
	free(block);
	__asm__ volatile("");
}

static void heap(void)
{
	void *blocks[64];

	for (int round = 0; round < 50; round++) {
		for (int n = 0; n < 64; n++)
			blocks[n] = n % 2 ? site_one(OWN(n * round % 97)) : site_two(OWN(n + round));
		for (int n = 0; n < 64; n++)
			give_back(blocks[(n * 37 + round) % 64]);
	}
}

/* Of C libraries that do not have it the recorder does. */
__attribute__((weak)) void free_sized(void *block, size_t size);
__attribute__((weak)) void free_aligned_sized(void *block, size_t alignment, size_t size);

/* Every way to get a block, and to give it back */
static void kinds(void)
{
	void *block = calloc(OWN(2), 1);

	said_alloc("alloc", block, OWN(2));
	said_free("free", block);
	free_sized(block, OWN(2));
	block = aligned_alloc(64, OWN(6));
	said_alloc("alloc", block, OWN(6));
	said_free("free", block);
	free_aligned_sized(block, 64, OWN(6));
	block = calloc(OWN(2), 1);
	said_alloc("alloc", block, OWN(2));
	give_back(block);
	if (posix_memalign(&block, 256, OWN(5)))
		abort();
	said_alloc("alloc", block, OWN(5));
	give_back(block);
	block = aligned_alloc(64, OWN(6));
	said_alloc("alloc", block, OWN(6));
	give_back(block);
	block = valloc(OWN(7));
	said_alloc("alloc", block, OWN(7));
	give_back(block);
	block = memalign(128, OWN(9));
	said_alloc("alloc", block, OWN(9));
	give_back(block);
	block = pvalloc(OWN(10));
	said_alloc("alloc", block, OWN(10));
	give_back(block);
	block = reallocarray(NULL, 1, OWN(8));
	said_alloc("alloc", block, OWN(8));
	if (reallocarray(block, too_many, 16)) /* cannot be: it is not tried */
		abort();
}

/* One address, two sites in turn */
static void reuse(void)
{
	for (int n = 0; n < 1000; n++) {
		give_back(site_one(OWN(3)));
		give_back(site_two(OWN(3)));
	}
}

static NOINLINE void *resize(void *block, size_t size)
{
	void *now;

	said_free("realloc-free", block);
	now = realloc(block, size);
	if (now)
		said_alloc("realloc-alloc", now, size);
	else
		said_free("restored", block);
	return now ? now : block;
}

static void reallocs(void)
{
	void *block = site_one(OWN(1)), *other = NULL;

	for (int n = 2; n < 400; n++) {
		block = resize(block, OWN(n)); /* in place at the end of the heap */
		if (n % 7)
			continue;
		if (other)
			give_back(other);
		other = site_two(OWN(1)); /* from here on it has to move */
	}
	block = resize(block, OWN(5));
	block = resize(block, too_many);
	give_back(block);
	give_back(other);
}

static void *volatile handed[256];

static void *consumer(void *unused)
{
	(void)unused;
	begin_log();
	for (int n = 0; n < 20000; n++) {
		void *block;

		while (!(block = __atomic_exchange_n(&handed[n % 256], NULL, __ATOMIC_ACQUIRE)))
			;
		give_back(block);
	}
	end_log();
	return NULL;
}

static void cross_thread(void)
{
	pthread_t thread;

	with_frames = 0;
	pthread_create(&thread, NULL, consumer, NULL);
	for (int n = 0; n < 20000; n++) {
		void *block = site_one(OWN(n % 50));

		while (handed[n % 256])
			;
		__atomic_store_n(&handed[n % 256], block, __ATOMIC_RELEASE);
	}
	pthread_join(thread, NULL);
}

/* Blocks that go from hand to hand: the same addresses again and again, in all threads */
static void *volatile pool[64];
static int race_rounds = 5000;

static void *racer(void *number)
{
	uint64_t random = (uint64_t)number * 0x9e3779b97f4a7c15 + 1;

	begin_log();
	for (int n = 0; n < race_rounds; n++) {
		void *mine;

		random = random * 6364136223846793005 + 1442695040888963407;
		mine = site_one(OWN(random >> 40 & 7));
		mine = __atomic_exchange_n(&pool[random >> 50 & 63], mine, __ATOMIC_ACQ_REL);
		if (mine && random >> 60 & 1)
			mine = resize(mine, OWN(random >> 30 & 7));
		if (mine)
			give_back(mine);
	}
	end_log();
	return NULL;
}

static void race(void)
{
	pthread_t threads[16];

	with_frames = 0;
	for (uint64_t n = 0; n < 16; n++)
		pthread_create(&threads[n], NULL, racer, (void *)n);
	for (int n = 0; n < 16; n++)
		pthread_join(threads[n], NULL);
}

/* Threads one behind the other and side by side, each with a name, a stack, thread-local variables */
static __thread char local[1000] = "local";

static void *named(void *name)
{
	begin_log();
	pthread_setname_np(pthread_self(), name);
	say("thread");
	say_number((uint64_t)own_tid, 10);
	say_number((uint64_t)local, 16);
	say_number((uint64_t)__builtin_frame_address(0), 16);
	say(" ");
	say(name);
	say("\n");
	give_back(site_two(OWN(9)));
	end_log();
	return NULL;
}

static void threads(void)
{
	static char names[40][8];
	pthread_t ids[40];

	for (int n = 0; n < 40; n++) {
		names[n][0] = (char)('a' + n % 20);
		names[n][1] = (char)('a' + n / 20);
		pthread_create(&ids[n], NULL, named, names[n]);
		if (n < 20)
			pthread_join(ids[n], NULL);
	}
	for (int n = 20; n < 40; n++)
		pthread_join(ids[n], NULL);
}

/* The child's own, and what it takes over: by fork(2), and by a system call that no handler sees */
static void forks(void)
{
	void *inherited = site_one(OWN(11));

	for (int n = 0; n < 3; n++) {
		pid_t child = n < 2 ? fork() : (pid_t)syscall(SYS_fork);

		if (child) {
			waitpid(child, NULL, 0);
			continue;
		}
		log_at = log_start;
		own_tid = (int)syscall(SYS_gettid);
		say("child");
		say_number((uint64_t)own_tid, 10);
		say("\n");
		give_back(inherited);
		give_back(site_two(OWN(12)));
		end_log();
		if (n == 1)
			_exit(0);
		exit(0);
	}
	if (!vfork()) /* exec in the parent's memory */
		execl("/bin/true", "true", (char *)NULL);
	wait(NULL);
	give_back(inherited);
}

static void execs(void)
{
	give_back(site_one(OWN(13)));
	end_log();
	execl("/nowhere/at/all", "nothing", (char *)NULL);
	give_back(site_two(OWN(13)));
	end_log();
	execlp("true", "true", (char *)NULL);
}

/* A library comes and goes; its thread-local block is made when it is used first. */
static void libraries(void)
{
	for (int n = 0; n < 3; n++) {
		void *library = dlopen("./library.so", RTLD_NOW);
		char *(*its_local)(void);
		void *(*its_block)(size_t);
		void *block;

		if (!library)
			abort();
		*(void **)&its_local = dlsym(library, "its_local");
		*(void **)&its_block = dlsym(library, "its_block");
		say("local");
		say_number((uint64_t)own_tid, 10);
		say_number((uint64_t)its_local(), 16);
		say("\n");
		block = its_block(OWN(14));
		with_frames = 0;
		said_alloc("alloc", block, OWN(14));
		with_frames = 1;
		give_back(block);
		for (int i = 0; i < 8000; i++)
			give_back(site_one(OWN(15)));
		dlclose(library);
	}
}

static void maps(void)
{
	char *start = mmap(NULL, 10 << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	said_alloc("map", start, 10 << 12);
	said_alloc("unmap", start + 4096, 4096);
	munmap(start + 4096, 4096);
	said_alloc("unmap", start + 8192, 4096);
	start = mremap(start + 8192, 4096, 8192, MREMAP_MAYMOVE);
	said_alloc("map", start, 8192);
	said_alloc("unmap", start, 4096);
	if (mmap(start, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
		abort();
	said_alloc("map", start, 4096);
	said_alloc("unmap", start + 1, 4096); /* fails: no page begins there */
	if (!munmap(start + 1, 4096))
		abort();
	said_free("restored", start + 1);
	said_alloc("unmap", start, 8192);
	munmap(start, 8192);
}

static int next_node(void *context, struct precis_objects_item *item)
{
	int *n = context;

	item->start = (char *)0x1000 + *n;
	item->size = 5;
	item->name = "node";
	item->tag = *n % 2 ? "level=1" : NULL;
	return (*n)++ < 3;
}

static void names(void)
{
	int node = 0;

	if (!precis_objects_recorded())
		abort();
	precis_objects_phase("first phase");
	precis_objects_name((void *)0x12345, 77, "a name", "struct type");
	precis_objects_name_array((void *)0x20000, 5, 40, NULL, "struct node");
	precis_objects_tag((void *)0x20028, "level=2");
	precis_objects_name_each(next_node, &node);
	precis_objects_forget((void *)0x12345);
}

/* A handler that interrupts whatever it finds, and allocates */
static int *handled;

static void handler(int number)
{
	void *block = malloc(OWN(1));

	(void)number;
	if (block)
		free(block);
	__atomic_fetch_add(handled, 1, __ATOMIC_RELEASE);
}

/* --- stacks that are no thread's --- */

#define CONTEXT_STACK (256u << 10)

static ucontext_t outer, inner;

static NOINLINE void down(int levels)
{
	volatile char room[48];

	room[0] = (char)levels;
	if (levels)
		down(levels - 1);
	else
		give_back(site_one(OWN(3)));
	__asm__ volatile("" ::"r"(room) : "memory");
}

static void in_context(void)
{
	for (int levels = 0; levels < 6; levels++) {
		down(levels);
		swapcontext(&inner, &outer); /* between two, what called it is another one */
	}
}

static NOINLINE void run_context(void *stack)
{
	getcontext(&inner);
	inner.uc_stack.ss_sp = stack;
	inner.uc_stack.ss_size = CONTEXT_STACK;
	inner.uc_link = &outer;
	makecontext(&inner, in_context, 0);
	for (int n = 0; n < 7; n++) {
		swapcontext(&outer, &inner);
		down(n);
	}
}

static void on_other_stack(int number)
{
	(void)number;
	down(2);
}

/*
 * Contexts whose stacks are mapped, unmapped and mapped again, smaller, and one on the thread's own stack; a
 * handler on its own
 */
static void contexts(void)
{
	struct sigaction action = { .sa_handler = on_other_stack, .sa_flags = SA_ONSTACK };
	static _Alignas(16) char alternate[CONTEXT_STACK];
	_Alignas(16) char here[CONTEXT_STACK];
	stack_t handlers = { .ss_sp = alternate, .ss_size = sizeof(alternate) };

	for (int round = 0; round < 20; round++) {
		char *mapped = mmap(NULL, 2 * CONTEXT_STACK, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (mapped == MAP_FAILED)
			abort();
		run_context(mapped + (round & 1 ? CONTEXT_STACK : 0));
		munmap(mapped, 2 * CONTEXT_STACK);
		run_context(here);
	}
	sigaltstack(&handlers, NULL);
	sigaction(SIGUSR2, &action, NULL);
	for (int n = 0; n < 20; n++)
		raise(SIGUSR2);
}

#define TAGS_MOST 1000000u

/*
 * While this program is inside of a function of the recorder, and not of the heap, which is not made for
 * that
 */
static void signals(void)
{
	struct sigaction action = { .sa_handler = handler };
	pid_t self = getpid(), child;

	handled = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGUSR1, &action, NULL);
	child = fork();
	if (!child) {
		for (int n = 0; n < 1000; n++) {
			kill(self, SIGUSR1);
			while (__atomic_load_n(handled, __ATOMIC_ACQUIRE) == n)
				;
		}
		_exit(0);
	}
	/* On a busy machine that takes long: the file is not to grow as long as that. */
	for (uint32_t n = 0; __atomic_load_n(handled, __ATOMIC_ACQUIRE) < 1000; n++) {
		if (n < TAGS_MOST)
			precis_objects_tag((void *)0x4000, "busy");
		else
			sched_yield();
	}
	waitpid(child, NULL, 0);
	say("handled");
	say_number((uint64_t)*handled, 10);
	say("\n");
}

/* Many small blocks, of which few are recorded: how many bytes and blocks there were */
static void sampled(void)
{
	static void *blocks[20000];
	uint64_t random = (uint64_t)getpid() * 0x9e3779b97f4a7c15, bytes = 0, large = 0;

	for (int n = 0; n < 20000; n++) {
		size_t size;

		random = random * 6364136223846793005 + 1442695040888963407;
		size = OWN(random >> 60 ? random >> 40 & 31 : random >> 40 & 1023);
		blocks[n] = malloc(size);
		bytes += size;
		large += size >= 32768;
	}
	for (int n = 0; n < 20000; n++)
		free(blocks[n]);
	say("sum");
	say_number(20000, 10);
	say_number(bytes, 10);
	say_number(large, 10);
	say("\n");
}

/* Nothing but blocks */
static void costly(void)
{
	for (int n = 0; n < 400000; n++) {
		void *volatile block = malloc(OWN(1));

		free(block);
	}
}

static volatile int is_done;

static int64_t nanoseconds(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Sleeps for a moment, so that it interrupts who has the CPU, and keeps that for a while */
static void *hog(void *unused)
{
	static const struct timespec moment = { 0, 20000 };

	(void)unused;
	while (!is_done) {
		int64_t begin = nanoseconds(CLOCK_THREAD_CPUTIME_ID);

		while (nanoseconds(CLOCK_THREAD_CPUTIME_ID) - begin < 400000)
			;
		nanosleep(&moment, NULL);
	}
	return NULL;
}

/*
 * The same where two other threads want the CPU, too, so that this one is often interrupted in the recorder.
 * Says how much CPU time it took.
 */
static void crowded(void)
{
	pthread_t threads[2];
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	sched_setaffinity(0, sizeof(here), &here);
	for (int n = 0; n < 2; n++)
		pthread_create(&threads[n], NULL, hog, NULL);
	for (int n = 0; n < 5; n++)
		costly();
	is_done = 1;
	for (int n = 0; n < 2; n++)
		pthread_join(threads[n], NULL);
	log_at += sprintf(log_at, "took %lld\n", (long long)nanoseconds(CLOCK_THREAD_CPUTIME_ID));
}

/*
 * The block's size says by which of three calls each level was reached, and so do the return addresses.
 * These stand at the same places; or one of the calls takes more room, so that they are at others on as deep
 * a stack.
 */
#define LEVELS 6
#define PATHS 729u /* 3 ^ LEVELS */

static volatile unsigned int calls[3]; /* what keeps one call from being made of three */
static volatile unsigned int room; /* bytes that the second one takes */
static unsigned int errors; /* how often errno was another one than before */

#define SOME_ERROR 4711 /* none of the system's */

static __attribute__((noinline)) void recur(int level, unsigned int path, unsigned int left)
{
	void *volatile block = NULL;

	if (level == LEVELS) {
		errno = SOME_ERROR;
		block = malloc(OWN(path));
		errors += errno != SOME_ERROR;
	} else if (left % 3 == 0) {
		recur(level + 1, path, left / 3);
		calls[0]++;
	} else if (left % 3 == 1) {
		*(volatile char *)__builtin_alloca(room + 1) = 1;
		recur(level + 1, path, left / 3);
		calls[1]++;
	} else {
		recur(level + 1, path, left / 3);
		calls[2]++;
	}
	errno = SOME_ERROR;
	free(block);
	errors += errno != SOME_ERROR;
}

/* Twice each, and not one beside the other */
static void recursive(void)
{
	for (unsigned int n = 0; n < 4 * PATHS; n++) {
		room = n < 2 * PATHS ? 0 : 160;
		recur(0, n * 100 % PATHS, n * 100 % PATHS);
	}
	log_at += sprintf(log_at, "errors %u\n", errors);
}

/* Works until it is killed */
static void killed(void)
{
	for (int n = 0;; n++) {
		give_back(site_one(OWN(n % 10)));
		if (n == 100000)
			kill(getpid(), SIGKILL);
		if (n % 1000 == 999)
			end_log();
	}
}

/* All descriptors closed, as a daemon does */
static void daemonic(void)
{
	give_back(site_one(OWN(3)));
	for (int fd = 3; fd < 2000; fd++)
		close(fd);
	for (int n = 0; n < 8000; n++)
		give_back(site_one(OWN(4)));
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "heap", heap },
	{ "kinds", kinds },
	{ "reuse", reuse },
	{ "reallocs", reallocs },
	{ "cross_thread", cross_thread },
	{ "race", race },
	{ "threads", threads },
	{ "forks", forks },
	{ "execs", execs },
	{ "libraries", libraries },
	{ "maps", maps },
	{ "names", names },
	{ "contexts", contexts },
	{ "signals", signals },
	{ "sampled", sampled },
	{ "costly", costly },
	{ "crowded", crowded },
	{ "recursive", recursive },
	{ "killed", killed },
	{ "daemonic", daemonic },
};

int main(int argc, char **argv)
{
	void *frames[4];

	if (argc < 3)
		return 2;
	backtrace(frames, 4); /* whatever it needs, now */
	path = argv[2];
	begin_log();
	for (size_t n = 0; n < sizeof(cases) / sizeof(*cases); n++)
		if (!strcmp(argv[1], cases[n].name))
			cases[n].run();
	end_log();
	return 0;
}

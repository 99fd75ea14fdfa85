/* Makes calls of the C library fail, for LD_PRELOAD on Linux with glibc:
 *     cc -shared -fPIC -O2 -o fault_injection.so scripts/hostile/fault_injection.c
 *     PLANKLAB_FAULT_CALL=write PLANKLAB_FAULT_AT=3 PLANKLAB_FAULT_ERRNO=28 LD_PRELOAD=./fault_injection.so COMMAND
 *
 * PLANKLAB_FAULT_CALL    the family of calls to disturb, one of `families` below
 * PLANKLAB_FAULT_AT      the first call of the family that is disturbed, from 1; 0 or absent: only count
 * PLANKLAB_FAULT_TIMES   how many calls are disturbed from there on (default 1); 0: all that follow
 * PLANKLAB_FAULT_ERRNO   the number of the error (default 5, EIO)
 * PLANKLAB_FAULT_SHORT   instead of failing, reads and writes move at most this many bytes
 * PLANKLAB_FAULT_LATE    instead of being refused, a thread takes this many milliseconds longer to end, after its work;
 *                        a process that ends meanwhile aborts, for libraries clean up behind both
 * PLANKLAB_FAULT_COPY    instead of in the process, each disturbed call fails in a copy of the process that can reach
 *                        nothing but its own memory (with glibc 2.34 or later, and seccomp); the process waits for the
 *                        copy's end, and goes on. A file that receives one `struct copy_end` per call. For memory, which
 *                        a process needs everywhere: almost every copy ends at once, and a copy takes a hundredth of a
 *                        process that starts anew
 * PLANKLAB_FAULT_CLOCK   the second since 1970 that the clock of the day shows, whatever the time
 * PLANKLAB_FAULT_SPARE   a library, by a part of its path, whose own calls are neither counted nor disturbed
 * PLANKLAB_FAULT_REPORT  a file that receives one `struct tally` per family, kept up to date as the calls come, so
 *                        that it is true even of a process that is killed
 *
 * Counting begins when the libraries are initialized, just before main. Programs that the process starts are left
 * alone: the library removes itself from the environment. Calls inside the C library do not come by here: `fopen` is
 * one call, whatever it opens and allocates. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fts.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum family {
  OPEN, READ, WRITE, CLOSE, SYNC, RENAME, UNLINK, MKDIR, STAT, PATH, FOLDER, MMAP, MALLOC, THREAD, TRUNCATE, PIPE,
  SPAWN, LOCK, MODE, WAIT, FAMILIES
};

static const char *const families[FAMILIES] = {
  [OPEN] = "open", [READ] = "read", [WRITE] = "write", [CLOSE] = "close", [SYNC] = "sync", [RENAME] = "rename",
  [UNLINK] = "unlink", [MKDIR] = "mkdir", [STAT] = "stat", [PATH] = "path", [FOLDER] = "folder", [MMAP] = "mmap",
  [MALLOC] = "malloc", [THREAD] = "thread", [TRUNCATE] = "truncate", [PIPE] = "pipe", [SPAWN] = "spawn",
  [LOCK] = "lock", [MODE] = "mode", [WAIT] = "wait",
};

/* What became of the copies of the process at one call. */
struct copy_end {
  unsigned long long call;
  /* How many calls before it may have changed a file. */
  unsigned changes;
  /* Where the call fails once, and where all do from there on: whether the copy goes on to something outside. */
  unsigned char goes_on[2], unused[2];
  /* Of a copy that goes on, a number of the place that called, and of all that called it. */
  unsigned long long place;
};

/* What happened to one family: 24 bytes of name, then two numbers of 8 bytes. */
struct tally {
  char name[24];
  atomic_ullong calls, faults;
};

static struct tally unreported[FAMILIES], *tallies = unreported;
static enum family target = FAMILIES;
static unsigned long long first, times = 1;
static int error_number = EIO;
static size_t short_bytes;
static unsigned late_milliseconds;
static pthread_key_t late_key;
static atomic_int ending;
static bool is_armed, has_clock;
static int copies_file = -1, nowhere = -1;
/* Shared with copies: whether the last one made another call of the family. */
static atomic_bool *calls_again;
static time_t clock_second;
struct range {
  uintptr_t from, to;
};
/* Where the spared library lies, and libdispatch. */
static struct range spared, dispatch;
static __thread bool is_inside;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static unsigned long long number(const char *name, unsigned long long otherwise) {
  const char *text = getenv(name);
  return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

/* Backs the tallies by a file. */
static void report_to(const char *path) {
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, sizeof unreported) != 0) abort();
  void *shared = mmap(NULL, sizeof unreported, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared == MAP_FAILED) abort();
  close(file);
  memcpy(shared, unreported, sizeof unreported);
  tallies = shared;
}

/* Prepares copies, whose ends a file receives. */
static void copy_to(const char *path) {
  copies_file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  calls_again = mmap(NULL, sizeof *calls_again, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, nowhere); /* which looks both up by name before a call is made */
  (void)!write(nowhere, "", 0);
  if (copies_file < 0 || nowhere < 0 || calls_again == MAP_FAILED) abort();
}

/* What `find` looks for: a library with this in its path. */
struct wanted {
  const char *name;
  struct range *range;
};

/* Notes where a library lies. */
static int find(struct dl_phdr_info *library, size_t size, void *argument) {
  (void)size;
  struct wanted *wanted = argument;
  if (strstr(library->dlpi_name, wanted->name) == NULL) return 0;
  wanted->range->from = UINTPTR_MAX;
  for (int part = 0; part < library->dlpi_phnum; part++) {
    const ElfW(Phdr) *header = &library->dlpi_phdr[part];
    if (header->p_type != PT_LOAD) continue;
    uintptr_t from = library->dlpi_addr + header->p_vaddr, to = from + header->p_memsz;
    if (from < wanted->range->from) wanted->range->from = from;
    if (to > wanted->range->to) wanted->range->to = to;
  }
  return 1;
}

/* Runs at the end of a late thread. The key is made before main, so that keys which libraries make later come after it. */
static void end_late(void *value) {
  (void)value;
  atomic_fetch_add(&ending, 1);
  usleep(late_milliseconds * 1000);
  atomic_fetch_sub(&ending, 1);
}

__attribute__((destructor)) static void end(void) {
  if (atomic_load(&ending) == 0) return;
  static const char message[] = "fault_injection: the process ended while a thread did\n";
  (void)!write(STDERR_FILENO, message, sizeof message - 1);
  abort();
}

__attribute__((constructor)) static void begin(void) {
  const char *call = getenv("PLANKLAB_FAULT_CALL"), *report = getenv("PLANKLAB_FAULT_REPORT"),
             *copies = getenv("PLANKLAB_FAULT_COPY");
  char *spare = getenv("PLANKLAB_FAULT_SPARE");
  for (int family = 0; family < FAMILIES; family++) {
    strcpy(unreported[family].name, families[family]);
    if (call != NULL && strcmp(call, families[family]) == 0) target = family;
  }
  if (call != NULL && target == FAMILIES) {
    fprintf(stderr, "fault_injection: there is no family of calls `%s`\n", call);
    _exit(64);
  }
  first = number("PLANKLAB_FAULT_AT", 0);
  times = number("PLANKLAB_FAULT_TIMES", 1);
  error_number = (int)number("PLANKLAB_FAULT_ERRNO", EIO);
  short_bytes = number("PLANKLAB_FAULT_SHORT", 0);
  late_milliseconds = (unsigned)number("PLANKLAB_FAULT_LATE", 0);
  if (late_milliseconds != 0) pthread_key_create(&late_key, end_late);
  if (spare != NULL) dl_iterate_phdr(find, &(struct wanted){spare, &spared});
  dl_iterate_phdr(find, &(struct wanted){"libdispatch", &dispatch});
  void *warm[1];
  if (copies != NULL) backtrace(warm, 1); /* which loads a library the first time */
  if (report != NULL) report_to(report);
  if (copies != NULL) copy_to(copies);
  unsetenv("LD_PRELOAD");
  has_clock = getenv("PLANKLAB_FAULT_CLOCK") != NULL;
  if (has_clock) clock_second = strtoll(getenv("PLANKLAB_FAULT_CLOCK"), NULL, 10);
  is_armed = true;
}

static bool is_in(struct range range, void *place) {
  return (uintptr_t)place >= range.from && (uintptr_t)place < range.to;
}

/* The exit code of a copy to which the system refuses its limits. */
enum { UNCONFINED = 99 };

/* In a copy: whether the calls after the first fail as well. */
static bool is_copy, is_lasting;

static bool fails_again(void) {
  atomic_store(calls_again, true);
  return is_lasting;
}

/* Where a copy reads memory which it has not got: at the beginning, where nothing ever is, it gives up as the process would;
 * elsewhere, as in memory that the process shares, it might have gone on. */
static void on_fault(int number, siginfo_t *facts, void *context) {
  (void)context;
  if ((uintptr_t)facts->si_addr < 1 << 20) abort();
  signal(number, SIG_DFL); /* which ends the copy when the instruction is tried again */
}

/* Lets this process, a copy, do nothing but compute, ask for memory, speak to a stderr that leads nowhere, and abort.
 * The kernel ends it otherwise, even where it exits or waits for a thread, since none was copied, and after two seconds. */
static void confine(void) {
  static const int harmless[] = {
    SYS_brk, SYS_munmap, SYS_mprotect, SYS_madvise, SYS_mremap, SYS_sched_yield, SYS_clock_gettime, SYS_rt_sigaction,
    SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_getpid, SYS_gettid, SYS_tgkill,
  };
  enum { COUNT = sizeof harmless / sizeof *harmless };
#define ARGUMENT(at) (offsetof(struct seccomp_data, args) + 8 * (at)) /* its lower half, which comes first */
  struct sock_filter rules[COUNT + 13] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
  int length = 1;
  for (int at = 0; at < COUNT; at++, length++)
    rules[length] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, harmless[at], COUNT - at + 10, 0);
  const struct sock_filter rest[] = {
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 2),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(0)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, STDERR_FILENO, 8, 7),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 2),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(3)),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 5, 4),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 0, 3),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ARGUMENT(1)),
    BPF_STMT(BPF_ALU | BPF_AND | BPF_K, FUTEX_CMD_MASK),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FUTEX_WAKE, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  memcpy(rules + length, rest, sizeof rest);
  struct sock_fprog program = {.len = (unsigned short)(length + sizeof rest / sizeof *rest), .filter = rules};
  const struct itimerval end = {.it_value.tv_sec = 2};
  dup2(nowhere, STDERR_FILENO);
  struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &fault, NULL);
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  sigprocmask(SIG_UNBLOCK, &alarm, NULL); /* which threads of a pool block */
  signal(SIGALRM, SIG_DFL);
  setitimer(ITIMER_REAL, &end, NULL);
  if (prctl(PR_SET_DUMPABLE, 0) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
      || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    _exit(UNCONFINED);
}

/* Whether a copy ended by a signal of a program that gives up, before it reached anything outside. */
static bool is_stopped(int status) {
  if (!WIFSIGNALED(status)) return false;
  int with = WTERMSIG(status);
  return with == SIGABRT || with == SIGILL || with == SIGTRAP;
}

/* A number of the calls that lead here: that of FNV-1a. */
static unsigned long long place_of_call(void) {
  void *frames[48];
  int count = backtrace(frames, 48);
  unsigned long long hash = 14695981039346656037u;
  for (int at = 0; at < count; at++) hash = (hash ^ (uintptr_t)frames[at]) * 1099511628211u;
  return hash;
}

/* Makes the copies of a call and notes their ends; true in a copy, whose call fails. Without another call of the
 * family, the second copy is the first. */
static bool fails_in_copy(unsigned long long call) {
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  static const enum family changing[] = {OPEN, WRITE, CLOSE, RENAME, UNLINK, MKDIR, TRUNCATE, SPAWN, LOCK, MODE};
  int error = errno;
  pthread_mutex_lock(&one_at_a_time);
  is_inside = true;
  struct copy_end found = {.call = call};
  for (size_t at = 0; at < sizeof changing / sizeof *changing; at++)
    found.changes += (unsigned)atomic_load(&tallies[changing[at]].calls);
  for (int lasting = 0; lasting < 2; lasting++) {
    int status;
    atomic_store(calls_again, false);
    pid_t copy = _Fork();
    if (copy == 0) {
      confine();
      is_inside = false;
      is_copy = true;
      is_lasting = lasting != 0;
      return true;
    }
    if (copy < 0) abort();
    while (wait4(copy, &status, 0, NULL) < 0)
      if (errno != EINTR) abort();
    if (WIFEXITED(status) && WEXITSTATUS(status) == UNCONFINED) {
      static const char message[] = "fault_injection: a copy needs seccomp, which is refused\n";
      (void)!write(STDERR_FILENO, message, sizeof message - 1);
      abort();
    }
    found.goes_on[lasting] = found.goes_on[1] = !is_stopped(status);
    if (!atomic_load(calls_again)) break;
  }
  if (found.goes_on[0] || found.goes_on[1]) found.place = place_of_call();
  if (write(copies_file, &found, sizeof found) != sizeof found) abort();
  is_inside = false;
  pthread_mutex_unlock(&one_at_a_time);
  errno = error;
  return false;
}

/* Counts a call that comes from a place in the program; whether it is one to disturb. */
static bool is_hit_from(enum family family, void *place) {
  if (is_copy) return family == target && fails_again();
  if (!is_armed || is_inside || is_in(spared, place)) return false;
  unsigned long long call = atomic_fetch_add(&tallies[family].calls, 1) + 1;
  if (family != target || first == 0 || call < first || (times != 0 && call - first >= times)) return false;
  atomic_fetch_add(&tallies[family].faults, 1);
  return copies_file < 0 || fails_in_copy(call);
}

#define is_hit(family) is_hit_from(family, __builtin_return_address(0))

/* The library's own function behind a name of this file. */
#define REAL(name)                                                             \
  ({                                                                           \
    static __typeof__(&name) found;                                            \
    if (found == NULL) found = (__typeof__(&name))dlsym(RTLD_NEXT, #name);     \
    found;                                                                     \
  })

/* A function that fails by `failed` and errno, or is the library's. */
#define CALL(family, type, name, parameters, arguments, failed)                \
  type name parameters {                                                       \
    if (is_hit(family)) {                                                      \
      errno = error_number;                                                    \
      return failed;                                                           \
    }                                                                          \
    return REAL(name) arguments;                                               \
  }

/* A function that returns the number of its error. */
#define CODE(family, name, parameters, arguments)                              \
  int name parameters {                                                        \
    return is_hit(family) ? error_number : REAL(name) arguments;               \
  }

/* A read or write of `size` bytes, which may be made short instead. */
#define MOVE(family, name, parameters, arguments)                              \
  ssize_t name parameters {                                                    \
    if (is_hit(family)) {                                                      \
      if (short_bytes == 0) {                                                  \
        errno = error_number;                                                  \
        return -1;                                                             \
      }                                                                        \
      if (size > short_bytes) size = short_bytes;                              \
    }                                                                          \
    return REAL(name) arguments;                                               \
  }

/* open and its like, whose mode is there only for a new file. */
#define OPENING(name, parameters, ...)                                         \
  int name parameters {                                                        \
    mode_t mode = 0;                                                           \
    if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {          \
      va_list list;                                                            \
      va_start(list, flags);                                                   \
      mode = va_arg(list, mode_t);                                             \
      va_end(list);                                                            \
    }                                                                          \
    if (is_hit(OPEN)) {                                                        \
      errno = error_number;                                                    \
      return -1;                                                               \
    }                                                                          \
    return REAL(name)(__VA_ARGS__, flags, mode);                               \
  }

OPENING(open, (const char *path, int flags, ...), path)
OPENING(open64, (const char *path, int flags, ...), path)
OPENING(openat, (int folder, const char *path, int flags, ...), folder, path)
CALL(OPEN, FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL)
CALL(OPEN, FILE *, fopen64, (const char *path, const char *mode), (path, mode), NULL)
CALL(OPEN, FILE *, fdopen, (int file, const char *mode), (file, mode), NULL)
CALL(OPEN, int, mkstemp, (char *path), (path), -1)

MOVE(READ, read, (int file, void *bytes, size_t size), (file, bytes, size))
MOVE(READ, pread, (int file, void *bytes, size_t size, off_t at), (file, bytes, size, at))
MOVE(READ, pread64, (int file, void *bytes, size_t size, off64_t at), (file, bytes, size, at))

/* Streams tell of an error by a flag, which the library keeps in the stream. */
static size_t fail_stream(FILE *stream) {
  stream->_flags |= 0x20; /* _IO_ERR_SEEN, what ferror looks at */
  errno = error_number;
  return 0;
}

size_t fread(void *bytes, size_t size, size_t count, FILE *stream) {
  if (is_hit(READ) && short_bytes == 0) return fail_stream(stream);
  return REAL(fread)(bytes, size, count, stream);
}

MOVE(WRITE, write, (int file, const void *bytes, size_t size), (file, bytes, size))
MOVE(WRITE, pwrite, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at))
MOVE(WRITE, pwrite64, (int file, const void *bytes, size_t size, off64_t at), (file, bytes, size, at))
MOVE(WRITE, sendfile, (int file, int from, off_t *at, size_t size), (file, from, at, size))

/* Made short, it moves the first buffer alone. */
ssize_t writev(int file, const struct iovec *list, int count) {
  size_t size = count > 0 ? list[0].iov_len : 0;
  if (!is_hit(WRITE) || (short_bytes != 0 && size == 0)) return REAL(writev)(file, list, count);
  if (short_bytes != 0) return REAL(write)(file, list[0].iov_base, size < short_bytes ? size : short_bytes);
  errno = error_number;
  return -1;
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream) {
  if (is_hit(WRITE) && short_bytes == 0) return fail_stream(stream);
  return REAL(fwrite)(bytes, size, count, stream);
}

int fflush(FILE *stream) {
  if (stream != NULL && is_hit(WRITE) && short_bytes == 0) {
    fail_stream(stream);
    return EOF;
  }
  return REAL(fflush)(stream);
}

/* A file is closed even where close says that it failed: Linux gives the number away before it finds out. */
int close(int file) {
  int result = REAL(close)(file);
  if (!is_hit(CLOSE)) return result;
  errno = error_number;
  return -1;
}

int fclose(FILE *stream) {
  int result = REAL(fclose)(stream);
  if (!is_hit(CLOSE)) return result;
  errno = error_number;
  return EOF;
}

CALL(SYNC, int, fsync, (int file), (file), -1)
CALL(SYNC, int, fdatasync, (int file), (file), -1)

CALL(RENAME, int, rename, (const char *from, const char *to), (from, to), -1)
CALL(RENAME, int, renameat, (int one, const char *from, int other, const char *to), (one, from, other, to), -1)
CALL(RENAME, int, link, (const char *from, const char *to), (from, to), -1)
CALL(RENAME, int, symlink, (const char *from, const char *to), (from, to), -1)

CALL(UNLINK, int, unlink, (const char *path), (path), -1)
CALL(UNLINK, int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags), -1)
CALL(UNLINK, int, rmdir, (const char *path), (path), -1)
CALL(UNLINK, int, remove, (const char *path), (path), -1)

CALL(MKDIR, int, mkdir, (const char *path, mode_t mode), (path, mode), -1)

CALL(STAT, int, stat, (const char *path, struct stat *facts), (path, facts), -1)
CALL(STAT, int, stat64, (const char *path, struct stat64 *facts), (path, facts), -1)
CALL(STAT, int, lstat, (const char *path, struct stat *facts), (path, facts), -1)
CALL(STAT, int, lstat64, (const char *path, struct stat64 *facts), (path, facts), -1)
CALL(STAT, int, fstat, (int file, struct stat *facts), (file, facts), -1)
CALL(STAT, int, fstat64, (int file, struct stat64 *facts), (file, facts), -1)
CALL(STAT, int, access, (const char *path, int mode), (path, mode), -1)

CALL(PATH, char *, realpath, (const char *path, char *resolved), (path, resolved), NULL)
CALL(PATH, ssize_t, readlink, (const char *path, char *bytes, size_t size), (path, bytes, size), -1)
CALL(PATH, char *, getcwd, (char *bytes, size_t size), (bytes, size), NULL)
CALL(PATH, int, chdir, (const char *path), (path), -1)

CALL(FOLDER, DIR *, opendir, (const char *path), (path), NULL)
CALL(FOLDER, DIR *, fdopendir, (int file), (file), NULL)
CALL(FOLDER, struct dirent *, readdir, (DIR *folder), (folder), NULL)
CALL(FOLDER, FTS *, fts_open, (char *const *paths, int options, int (*order)(const FTSENT **, const FTSENT **)),
     (paths, options, order), NULL)
CALL(FOLDER, FTSENT *, fts_read, (FTS *walk), (walk), NULL)

/* Copies do not get what the process shares with others: they would change it without a system call. */
#define MAPPING(name, offset)                                                  \
  void *name(void *place, size_t size, int rights, int flags, int file, offset at) {\
    if (is_hit(MMAP)) {                                                        \
      errno = error_number;                                                    \
      return MAP_FAILED;                                                       \
    }                                                                          \
    void *mapped = REAL(name)(place, size, rights, flags, file, at);           \
    if (mapped != MAP_FAILED && is_armed && copies_file >= 0 && (flags & MAP_SHARED) != 0)\
      madvise(mapped, size, MADV_DONTFORK);                                    \
    return mapped;                                                             \
  }

MAPPING(mmap, off_t)
MAPPING(mmap64, off64_t)

/* The allocator must not look anything up by name, since that allocates. */
#define ALLOCATING(name, parameters, arguments, behind)                        \
  void *name parameters {                                                      \
    if (is_hit(MALLOC)) {                                                      \
      errno = ENOMEM;                                                          \
      return NULL;                                                             \
    }                                                                          \
    return behind arguments;                                                   \
  }

ALLOCATING(malloc, (size_t size), (size), __libc_malloc)
ALLOCATING(calloc, (size_t count, size_t size), (count, size), __libc_calloc)
ALLOCATING(realloc, (void *block, size_t size), (block, size), __libc_realloc)
ALLOCATING(aligned_alloc, (size_t alignment, size_t size), (alignment, size), __libc_memalign)

int posix_memalign(void **block, size_t alignment, size_t size) {
  void *result = is_hit(MALLOC) ? NULL : __libc_memalign(alignment, size);
  if (result == NULL) return ENOMEM;
  *block = result;
  return 0;
}

/* libdispatch sleeps and asks again where it gets no memory: without end where all is refused. */
unsigned sleep(unsigned seconds) {
  if (target == MALLOC && times == 0 && copies_file < 0 && is_in(dispatch, __builtin_return_address(0))
      && atomic_load(&tallies[MALLOC].faults) > 0) {
    static const char message[] = "fault_injection: libdispatch waits for memory\n";
    (void)!write(STDERR_FILENO, message, sizeof message - 1);
    abort();
  }
  return REAL(sleep)(seconds);
}

/* What a late thread is to do. */
struct late_start {
  void *(*start)(void *);
  void *argument;
};

static void *start_late(void *argument) {
  struct late_start late = *(struct late_start *)argument;
  free(argument);
  pthread_setspecific(late_key, &late_key);
  return late.start(late.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  if (!is_hit(THREAD)) return REAL(pthread_create)(thread, attributes, start, argument);
  if (late_milliseconds == 0) return error_number;
  struct late_start *late = __libc_malloc(sizeof *late);
  if (late == NULL) return ENOMEM;
  *late = (struct late_start){start, argument};
  return REAL(pthread_create)(thread, attributes, start_late, late);
}

CALL(TRUNCATE, int, ftruncate, (int file, off_t size), (file, size), -1)
CALL(TRUNCATE, int, ftruncate64, (int file, off64_t size), (file, size), -1)
CALL(TRUNCATE, int, truncate, (const char *path, off_t size), (path, size), -1)

CALL(PIPE, int, pipe, (int files[2]), (files), -1)
CALL(PIPE, int, dup, (int file), (file), -1)
CALL(PIPE, int, eventfd, (unsigned count, int flags), (count, flags), -1)
CALL(PIPE, int, epoll_create1, (int flags), (flags), -1)

CODE(SPAWN, posix_spawn,
     (pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
      const posix_spawnattr_t *attributes, char *const *words, char *const *environment),
     (process, path, actions, attributes, words, environment))

#define CONTROLLING(name)                                                      \
  int name(int file, int command, ...) {                                       \
    va_list list;                                                              \
    va_start(list, command);                                                   \
    void *argument = va_arg(list, void *);                                     \
    va_end(list);                                                              \
    if (is_hit(LOCK)) {                                                        \
      errno = error_number;                                                    \
      return -1;                                                               \
    }                                                                          \
    return REAL(name)(file, command, argument);                                \
  }

CONTROLLING(fcntl)
CONTROLLING(fcntl64)

CALL(MODE, int, chmod, (const char *path, mode_t mode), (path, mode), -1)
CALL(MODE, int, fchmod, (int file, mode_t mode), (file, mode), -1)
CALL(MODE, int, fchmodat, (int folder, const char *path, mode_t mode, int flags), (folder, path, mode, flags), -1)
CALL(MODE, int, chown, (const char *path, uid_t user, gid_t group), (path, user, group), -1)
CALL(MODE, int, fchown, (int file, uid_t user, gid_t group), (file, user, group), -1)
CALL(MODE, int, utimes, (const char *path, const struct timeval changed[2]), (path, changed), -1)
CALL(MODE, int, utimensat, (int folder, const char *path, const struct timespec changed[2], int flags),
     (folder, path, changed, flags), -1)
CALL(MODE, int, futimens, (int file, const struct timespec changed[2]), (file, changed), -1)

CALL(WAIT, int, poll, (struct pollfd *files, nfds_t count, int milliseconds), (files, count, milliseconds), -1)
CALL(WAIT, int, ppoll,
     (struct pollfd *files, nfds_t count, const struct timespec *time, const sigset_t *signals),
     (files, count, time, signals), -1)
CALL(WAIT, int, select, (int files, fd_set *reading, fd_set *writing, fd_set *failing, struct timeval *time),
     (files, reading, writing, failing, time), -1)
CALL(WAIT, int, epoll_wait, (int set, struct epoll_event *events, int count, int milliseconds),
     (set, events, count, milliseconds), -1)
CALL(WAIT, pid_t, waitpid, (pid_t process, int *status, int options), (process, status, options), -1)

/* The clock of the day; that of intervals goes on. */
int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!has_clock || clock != CLOCK_REALTIME) return REAL(clock_gettime)(clock, now);
  *now = (struct timespec){.tv_sec = clock_second};
  return 0;
}

int gettimeofday(struct timeval *now, void *zone) {
  if (!has_clock) return REAL(gettimeofday)(now, zone);
  *now = (struct timeval){.tv_sec = clock_second};
  return 0;
}

time_t time(time_t *now) {
  if (!has_clock) return REAL(time)(now);
  if (now != NULL) *now = clock_second;
  return clock_second;
}

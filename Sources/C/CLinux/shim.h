#pragma once
// What Swift's Glibc leaves out: epoll, eventfd, signalfd, accept4, credentials of a Unix peer. No logic. Each function
// returns the call's result, or a negative errno.
// _GNU_SOURCE stays undefined: Swift's own view of these headers does without, and two views of one struct clash.
// What Swift's Glibc has stays Glibc's, so that importing that is enough to name it.
#pragma clang module import SwiftGlibc
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

// epoll_event is packed on x86-64; this one is not.
struct kin_event {
    uint32_t events;
    uint64_t data;
};

enum { KIN_EVENTS_MAX = 256 };

enum {
    KIN_EPOLLIN = EPOLLIN,
    KIN_EPOLLOUT = EPOLLOUT,
    KIN_EPOLLERR = EPOLLERR,
    KIN_EPOLLHUP = EPOLLHUP,
    KIN_EPOLLONESHOT = EPOLLONESHOT,
    KIN_EPOLLET = (int)EPOLLET,
};

static inline int kin_result(int result) { return result < 0 ? -errno : result; }

static inline int kin_epoll_create(void) { return kin_result(epoll_create1(EPOLL_CLOEXEC)); }

static inline int kin_epoll_add(int epoll, int fd, uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events, .data = {.u64 = data}};
    return kin_result(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event));
}

static inline int kin_epoll_modify(int epoll, int fd, uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events, .data = {.u64 = data}};
    return kin_result(epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event));
}

static inline int kin_epoll_remove(int epoll, int fd) {
    struct epoll_event event = {0};
    return kin_result(epoll_ctl(epoll, EPOLL_CTL_DEL, fd, &event));
}

// Fills at most KIN_EVENTS_MAX events.
static inline int kin_epoll_wait(int epoll, struct kin_event *events, int timeout) {
    struct epoll_event raw[KIN_EVENTS_MAX];
    int count = epoll_wait(epoll, raw, KIN_EVENTS_MAX, timeout);
    for (int index = 0; index < count; index++) {
        events[index].events = raw[index].events;
        events[index].data = raw[index].data.u64;
    }
    return kin_result(count);
}

static inline int kin_eventfd(void) { return kin_result(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

static inline int kin_signalfd(const sigset_t *set) { return kin_result(signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK)); }

// The number of the next signal, or a negative errno.
static inline int kin_signal_read(int fd) {
    struct signalfd_siginfo info;
    ssize_t count = read(fd, &info, sizeof info);
    if (count < 0) return -errno;
    return count == sizeof info ? (int)info.ssi_signo : -EIO;
}

// Has the disk begin to write what is dirty of a file; waits for nothing. A kernel without it writes later.
static inline void kin_begin_writing(int fd) {
#ifdef SYS_sync_file_range
    syscall(SYS_sync_file_range, fd, (int64_t)0, (int64_t)0, 2 /* SYNC_FILE_RANGE_WRITE */);
#endif
}

extern int accept4(int, struct sockaddr *, socklen_t *, int);

// The caller's address, unless `address` is null.
static inline int kin_accept(int fd, struct sockaddr_storage *address) {
    socklen_t length = sizeof *address;
    return kin_result(
        accept4(fd, (struct sockaddr *)address, address ? &length : NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

static inline int kin_socket(int family, int type) {
    return kin_result(socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

static inline int kin_set_option(int fd, int level, int name, int value) {
    return kin_result(setsockopt(fd, level, name, &value, sizeof value));
}

static inline int kin_get_option(int fd, int level, int name, int *value) {
    socklen_t length = sizeof *value;
    return kin_result(getsockopt(fd, level, name, value, &length));
}

static inline int kin_bind(int fd, const struct sockaddr_storage *address, socklen_t length) {
    return kin_result(bind(fd, (const struct sockaddr *)address, length));
}

static inline int kin_connect(int fd, const struct sockaddr_storage *address, socklen_t length) {
    return kin_result(connect(fd, (const struct sockaddr *)address, length));
}

static inline int kin_bound_address(int fd, struct sockaddr_storage *address) {
    socklen_t length = sizeof *address;
    return kin_result(getsockname(fd, (struct sockaddr *)address, &length));
}

static inline long kin_send_to(int fd, const void *bytes, size_t count, const struct sockaddr_storage *address,
                               socklen_t length) {
    long sent = sendto(fd, bytes, count, MSG_NOSIGNAL, (const struct sockaddr *)address, length);
    return sent < 0 ? -errno : sent;
}

/* Past the C library, whose send is a point at which a thread may be cancelled: with more than one thread it prepares for
   that around each call, and nobody is cancelled here. */
static inline long kin_send(int fd, const void *bytes, size_t count) {
    long sent = syscall(SYS_sendto, fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT, (void *)0, 0);
    return sent < 0 ? -errno : sent;
}

static inline long kin_receive(int fd, void *bytes, size_t count) {
    long received = recv(fd, bytes, count, MSG_DONTWAIT);
    return received < 0 ? -errno : received;
}

// struct ucred, which Glibc hides.
struct kin_credentials {
    int32_t pid;
    uint32_t uid;
    uint32_t gid;
};

static inline int kin_peer_credentials(int fd, struct kin_credentials *credentials) {
    socklen_t length = sizeof *credentials;
    return kin_result(getsockopt(fd, SOL_SOCKET, 17 /* SO_PEERCRED */, credentials, &length));
}

// An address from its parts: sixteen bytes for IPv6, the last four of them for IPv4. The length of the address.
static inline socklen_t kin_make_address(struct sockaddr_storage *storage, int family, const uint8_t *sixteen,
                                         uint16_t port) {
    __builtin_memset(storage, 0, sizeof *storage);
    if (family == AF_INET6) {
        struct sockaddr_in6 *six = (struct sockaddr_in6 *)storage;
        six->sin6_family = AF_INET6;
        six->sin6_port = htons(port);
        __builtin_memcpy(&six->sin6_addr, sixteen, 16);
        return sizeof *six;
    }
    struct sockaddr_in *four = (struct sockaddr_in *)storage;
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    __builtin_memcpy(&four->sin_addr, sixteen + 12, 4);
    return sizeof *four;
}

// The parts of an address; 0 when it is neither IPv4 nor IPv6, else its family.
static inline int kin_split_address(const void *address, uint8_t *sixteen, uint16_t *port) {
    sa_family_t family = ((const struct sockaddr *)address)->sa_family;
    __builtin_memset(sixteen, 0, 16);
    if (family == AF_INET6) {
        const struct sockaddr_in6 *six = address;
        __builtin_memcpy(sixteen, &six->sin6_addr, 16);
        *port = ntohs(six->sin6_port);
        return AF_INET6;
    }
    if (family == AF_INET) {
        const struct sockaddr_in *four = address;
        __builtin_memcpy(sixteen + 12, &four->sin_addr, 4);
        *port = ntohs(four->sin_port);
        return AF_INET;
    }
    return 0;
}

// A Unix address of `count` bytes (a leading zero byte makes it abstract); 0 when it is too long.
static inline socklen_t kin_make_unix_address(struct sockaddr_storage *storage, const uint8_t *path, size_t count) {
    struct sockaddr_un *local = (struct sockaddr_un *)storage;
    __builtin_memset(storage, 0, sizeof *storage);
    if (count == 0 || count >= sizeof local->sun_path) return 0;
    local->sun_family = AF_UNIX;
    __builtin_memcpy(local->sun_path, path, count);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + count + (path[0] != 0));
}

// open and fcntl take variable arguments, which Swift cannot pass.
static inline int kin_open(const char *path, int flags, unsigned mode) {
    return kin_result(open(path, flags | O_CLOEXEC, mode));
}

static inline int kin_set_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 ? -errno : kin_result(fcntl(fd, F_SETFL, flags | O_NONBLOCK));
}

static inline int kin_set_close_on_exec(int fd) { return kin_result(fcntl(fd, F_SETFD, FD_CLOEXEC)); }

// Where the program's stack begins, as the C library's loader found or left it: the count of the words of the command
// line, and the words, ended by a null pointer.
extern void *__libc_stack_end;

static inline long kin_argument_count(void) { return *(const long *)__libc_stack_end; }

static inline const char *kin_argument(long number) { return ((char *const *)__libc_stack_end + 1)[number]; }

// Columns of the terminal, or 0.
static inline int kin_terminal_width(int fd) {
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// Switches echo off. Control-C then ends the line, as the last character of it, and raises no signal: nobody is left
// behind with a silent terminal.
static inline int kin_terminal_silence(int fd, struct termios *former) {
    if (tcgetattr(fd, former) != 0) return -errno;
    struct termios silent = *former;
    silent.c_lflag &= ~(tcflag_t)(ECHO | ISIG);
    silent.c_lflag |= ECHONL | ICANON;
    silent.c_cc[VEOL] = 3;
    return kin_result(tcsetattr(fd, TCSAFLUSH, &silent));
}

// The input key by key: no lines, no echo, and no signals, so that control-C is a key like others.
static inline int kin_terminal_keys(int fd, struct termios *former) {
    if (tcgetattr(fd, former) != 0) return -errno;
    struct termios keys = *former;
    keys.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG | IEXTEN);
    keys.c_iflag &= ~(tcflag_t)(ICRNL | IXON);
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    return kin_result(tcsetattr(fd, TCSADRAIN, &keys));
}

static inline int kin_terminal_restore(int fd, const struct termios *former) {
    return kin_result(tcsetattr(fd, TCSAFLUSH, former));
}

// Whether the kernel says that something sets its clock right: 1 or 0. Only asks, which needs no right.
static inline int kin_clock_is_synchronised(void) {
    struct timex state;
    __builtin_memset(&state, 0, sizeof state);
    return adjtimex(&state) >= 0 && !(state.status & STA_UNSYNC);
}

extern int pthread_setname_np(pthread_t, const char *);

static inline void kin_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

static inline void kin_ignore_pipe(void) { signal(SIGPIPE, SIG_IGN); }

// Raises the soft limit of descriptors to the hard one; the limit in force.
static inline long kin_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
    if (limit.rlim_cur < limit.rlim_max) {
        struct rlimit raised = {limit.rlim_max, limit.rlim_max};
        if (setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
    }
    return limit.rlim_cur > INT32_MAX ? INT32_MAX : (long)limit.rlim_cur;
}

static inline int kin_limit_descriptors(unsigned count) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -errno;
    limit.rlim_cur = count;
    return kin_result(setrlimit(RLIMIT_NOFILE, &limit));
}

// Voluntary and involuntary context switches of the whole process.
static inline long kin_context_switches(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nvcsw + usage.ru_nivcsw : 0;
}

// Makes the caller, this thread alone, give way to others.
static inline int kin_be_nicer(int by) { return kin_result(setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + by)); }

// Keeps a thread on one core; 0 is the caller.
static inline int kin_pin(int thread, unsigned core) {
    unsigned long mask = 1ul << core;
    if (core >= 8 * sizeof mask) return -EINVAL;
    return kin_result((int)syscall(SYS_sched_setaffinity, thread, sizeof mask, &mask));
}

// A file that lives in memory only, for this process and whom it is given to.
static inline int kin_memory_file(const char *name) {
    return kin_result((int)syscall(SYS_memfd_create, name, 1u /* MFD_CLOEXEC */));
}

extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

// Starts a program with two descriptors as its input and output and no others but a silent one for errors, without
// environment; its number, or a negative errno.
static inline int kin_spawn(const char *path, char *const *arguments, int input, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    char *environment[] = {NULL};
    pid_t started = 0;
    sigemptyset(&none);
    sigfillset(&all);
    if (posix_spawn_file_actions_init(&actions) != 0) return -ENOMEM;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int result = posix_spawn_file_actions_adddup2(&actions, input, 0);
    if (!result) result = posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (!result) result = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (!result) result = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (!result) result = posix_spawn(&started, path, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return result ? -result : started;
}

extern pid_t wait4(pid_t, int *, int, struct rusage *);

struct kin_ending {
    int status;
    // Of a processor, its threads' together.
    int64_t microseconds;
    int was_too_slow;
};

// Waits for a program that was started, and ends it where it takes longer than it may. 0, or a negative errno.
static inline int kin_wait_for(int process, int milliseconds, struct kin_ending *ending) {
    __builtin_memset(ending, 0, sizeof *ending);
    int descriptor = (int)syscall(SYS_pidfd_open, process, 0), ready = 0;
    if (descriptor >= 0) {
        struct pollfd watched = {.fd = descriptor, .events = POLLIN};
        do ready = poll(&watched, 1, milliseconds);
        while (ready < 0 && errno == EINTR);
        close(descriptor);
    }
    if (ready <= 0) {
        ending->was_too_slow = 1;
        kill(process, SIGKILL);
    }
    struct rusage usage;
    int status = 0;
    pid_t ended;
    do ended = wait4(process, &status, 0, &usage);
    while (ended < 0 && errno == EINTR);
    if (ended < 0) return -errno;
    ending->status = status;
    ending->microseconds = (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 + usage.ru_utime.tv_usec +
                           usage.ru_stime.tv_usec;
    return 0;
}

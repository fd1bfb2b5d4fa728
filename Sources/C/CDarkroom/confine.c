#define _GNU_SOURCE
#include "CDarkroom.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "The walls of the darkroom are known for x86-64 and AArch64."
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
// The lower half of an argument.
#define LOAD_ARGUMENT(index) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[index]))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
#define ALLOW(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), ANSWER(SECCOMP_RET_ALLOW)
#define REFUSE(error) ANSWER(SECCOMP_RET_ERRNO | (error))
// Allowed where an argument has none of these bits.
#define ALLOW_WITHOUT(name, index, bits)                                                                     \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4), LOAD_ARGUMENT(index),                            \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), REFUSE(EPERM), ANSWER(SECCOMP_RET_ALLOW)
// Allowed where an argument has this bit.
#define ALLOW_WITH(name, index, bit)                                                                         \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 4), LOAD_ARGUMENT(index),                            \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bit, 1, 0), REFUSE(EPERM), ANSWER(SECCOMP_RET_ALLOW)

static int limit(int which, uint64_t most) {
    struct rlimit value = {most, most};
    return setrlimit((__rlimit_resource_t)which, &value) == 0 ? 0 : -errno;
}

int kin_confine(uint64_t memory_bytes, unsigned seconds, uint64_t output_bytes) {
    // One arena, whatever threads a decoder starts: each would reserve 64 MiB of addresses.
    mallopt(M_ARENA_MAX, 1);
    int result = limit(RLIMIT_AS, memory_bytes);
    if (!result) result = limit(RLIMIT_CPU, seconds);
    if (!result) result = limit(RLIMIT_FSIZE, output_bytes);
    if (!result) result = limit(RLIMIT_CORE, 0);
    // No new descriptor; those that are open stay.
    if (!result) result = limit(RLIMIT_NOFILE, 0);
    if (result) return result;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -errno;
    // What is not named here answers EPERM: a decoder that asks for the time of day or its own name goes on without.
    struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        ANSWER(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        // Output goes to the one descriptor for it, whose end is the limit above.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_write, 0, 4),
        LOAD_ARGUMENT(0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 1, 0),
        REFUSE(EPERM),
        ANSWER(SECCOMP_RET_ALLOW),
        // Memory, none of it code. What is mapped is no file: none is open but the output.
        ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mmap, 0, 7),
        LOAD_ARGUMENT(2),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        REFUSE(EPERM),
        LOAD_ARGUMENT(3),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 1, 0),
        REFUSE(EPERM),
        ANSWER(SECCOMP_RET_ALLOW),
        ALLOW(munmap),
        ALLOW(mremap),
        ALLOW(brk),
        ALLOW(madvise),
        // Threads, and no processes. glibc falls back to clone where it is told that there is no clone3.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
        REFUSE(ENOSYS),
        ALLOW_WITH(clone, 0, CLONE_THREAD),
        ALLOW(futex),
        ALLOW(set_robust_list),
        ALLOW(rseq),
        ALLOW(sched_yield),
        ALLOW(sched_getaffinity),
        ALLOW(rt_sigprocmask),
        ALLOW(rt_sigreturn),
        ALLOW(gettid),
        ALLOW(getrandom),
        ALLOW(clock_gettime),
        ALLOW(clock_nanosleep),
        ALLOW(exit),
        ALLOW(exit_group),
        REFUSE(EPERM),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : -errno;
}

#pragma once
// The interfaces of plugins, and the calls that put a worker process under restraint. Only what Swift cannot call by
// itself stands here: macros, variadic functions, and a table of instructions.
#include <errno.h>
#include <fcntl.h>
#include <frei0r.h>
#include <ladspa.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef F_ADD_SEALS
#define F_ADD_SEALS 1033
#endif

// A file in memory that can be sealed, closed on exec. -1 and errno on failure.
static inline int editor_memory_file(const char *name) {
    return (int)syscall(SYS_memfd_create, name, 3u);  // MFD_CLOEXEC | MFD_ALLOW_SEALING
}

// Declared here, as the header has it for GNU sources only.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
static inline int editor_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// Lets nobody change the file's size any more.
static inline int editor_seal_size(int file) { return fcntl(file, F_ADD_SEALS, 1 | 2 | 4); }  // SEAL, SHRINK, GROW

static inline int editor_limit_memory(uint64_t bytes) {
    struct rlimit limit = {bytes, bytes};
    return setrlimit(RLIMIT_AS, &limit);
}

static inline int editor_limit_file_size(uint64_t bytes) {
    struct rlimit limit = {bytes, bytes};
    return setrlimit(RLIMIT_FSIZE, &limit);
}

static inline int editor_forbid_core_files(void) {
    struct rlimit limit = {0, 0};
    return setrlimit(RLIMIT_CORE, &limit);
}

// Refuses sockets (and io_uring, which makes them too), new programs, and reaching into other processes, with EACCES,
// for the rest of the process' life. -1 and errno where the kernel has no such filters.
static inline int editor_forbid_network(void) {
#if defined(__x86_64__)
    const uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
    const uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "which audit architecture is this?"
#endif
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 0, 9),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        // The x32 numbers of x86-64 lie above; no other architecture has any there.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 7, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 6, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 425 /* io_uring_setup */, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execveat, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
    };
    struct sock_fprog filter = {sizeof(program) / sizeof(program[0]), program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

// Names the compiler that Swift was built with; it differs from one release of Swift to the next.
static inline const char *editor_compiler(void) { return __clang_version__; }

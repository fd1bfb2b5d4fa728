"""Runs a command in the sandbox that a systemd unit describes, as far as that is possible without systemd.

    sandbox.py UNIT WRITABLE COMMAND…

Read from the unit: SystemCallFilter, SystemCallArchitectures, RestrictAddressFamilies, RestrictNamespaces,
RestrictSUIDSGID, LockPersonality and MemoryDenyWriteExecute, as a seccomp filter made the way systemd makes it. By
bubblewrap: everything read-only but WRITABLE, no capabilities, a user namespace, private devices, processes and IPC.
"""

import errno, os, resource, subprocess, sys, tempfile
import seccomp

unit, writable, *command = sys.argv[1:]
settings = {}
for line in open(unit):
    name, sign, value = line.strip().partition("=")
    if sign and not name.startswith("#"):
        settings.setdefault(name, []).append(value)


def calls(group):
    """The system calls of a group, with those of the groups inside it."""
    said = subprocess.run(["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, check=True)
    words = [word.strip() for word in said.stdout.splitlines()[1:]]
    words = [word for word in words if word and not word.startswith("#")]
    return set().union(*([calls(word) if word[0] == "@" else {word} for word in words]))


def wanted():
    allowed = set()
    for value in settings["SystemCallFilter"]:
        named = set().union(*(calls(word) if word[0] == "@" else {word} for word in value.lstrip("~").split()))
        allowed = allowed - named if value[0] == "~" else allowed | named
    # What systemd always leaves a service, to be started at all.
    return allowed | {"execve", "exit", "exit_group", "rt_sigreturn", "brk", "mmap", "mprotect", "getrlimit", "prlimit64"}


def says(name, value="yes"):
    assert value in settings.get(name, []), f"{unit} does not say {name}={value}"


assert settings["SystemCallErrorNumber"] == ["EPERM"]
for name in "RestrictNamespaces RestrictSUIDSGID LockPersonality MemoryDenyWriteExecute NoNewPrivileges".split():
    says(name)
says("CapabilityBoundingSet", "")
says("SystemCallArchitectures", "native")

Arg, EQ, MASKED = seccomp.Arg, seccomp.EQ, seccomp.MASKED_EQ
filter = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
allowed = wanted()
write, execute, namespaces, set_ids = 2, 4, 0x7E020080, 0o6000
special = {
    # Memory is writable or executable, never both, and never becomes executable.
    "mmap": [[Arg(2, MASKED, write, 0)], [Arg(2, MASKED, write | execute, write)]],
    "mprotect": [[Arg(2, MASKED, execute, 0)]],
    "pkey_mprotect": [[Arg(2, MASKED, execute, 0)]],
    "shmat": [[Arg(2, MASKED, 0o100000, 0)]],
    "clone": [[Arg(0, MASKED, namespaces, 0)]],
    "personality": [[Arg(0, EQ, 0)]],
    "chmod": [[Arg(1, MASKED, set_ids, 0)]],
    "fchmod": [[Arg(1, MASKED, set_ids, 0)]],
    "fchmodat": [[Arg(2, MASKED, set_ids, 0)]],
    "socket": [
        [Arg(0, EQ, {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10, "AF_NETLINK": 16}[family])]
        for family in settings["RestrictAddressFamilies"][0].split()
    ],
}
for name in sorted(allowed - {"unshare", "setns", "clone3"}):
    try:
        for rule in special.get(name, [[]]):
            filter.add_rule(seccomp.ALLOW, name, *rule)
    except (RuntimeError, ValueError):
        pass  # A call of another architecture or a newer kernel.
# Its flags lie in memory, where no filter looks: glibc falls back to clone.
filter.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")

limit = int(settings.get("LimitNOFILE", ["1024"])[0])
limit = min(limit, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
os.umask(int(settings["UMask"][0], 8))

program = tempfile.TemporaryFile()
filter.export_bpf(program)
program.seek(0)
os.set_inheritable(program.fileno(), True)
os.execvp(
    "bwrap",
    ["bwrap", "--ro-bind", "/", "/", "--bind", writable, writable, "--proc", "/proc", "--dev", "/dev"]
    + ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-cgroup-try", "--cap-drop", "ALL"]
    + ["--die-with-parent", "--seccomp", str(program.fileno()), "--"] + command,
)

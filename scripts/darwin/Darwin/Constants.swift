// The constants of Apple's C library that PlankLab uses, with Apple's values. Macros of a plain
// number are Int32; what is a macro of an expression in C comes from Swift's overlay.

public let O_RDONLY: Int32 = 0x0000
public let O_WRONLY: Int32 = 0x0001
public let O_NONBLOCK: Int32 = 0x0004
public let O_APPEND: Int32 = 0x0008
public let O_NOFOLLOW: Int32 = 0x0100
public let O_CREAT: Int32 = 0x0200
public let O_TRUNC: Int32 = 0x0400
public let O_EXCL: Int32 = 0x0800
public let O_NOCTTY: Int32 = 0x0002_0000
public let O_DIRECTORY: Int32 = 0x0010_0000
public let O_CLOEXEC: Int32 = 0x0100_0000
public let F_GETFD: Int32 = 1
public let F_SETFD: Int32 = 2
public let FD_CLOEXEC: Int32 = 1
public let F_OK: Int32 = 0
public let W_OK: Int32 = 2
public let X_OK: Int32 = 1
public let LOCK_EX: Int32 = 2
public let SEEK_SET: Int32 = 0
public let SEEK_END: Int32 = 2
public let STDIN_FILENO: Int32 = 0
public let STDOUT_FILENO: Int32 = 1
public let STDERR_FILENO: Int32 = 2

public var S_IFMT: mode_t { 0o170000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFREG: mode_t { 0o100000 }

public let PROT_READ: Int32 = 0x01
public let PROT_WRITE: Int32 = 0x02
public let MAP_PRIVATE: Int32 = 0x0002
public let MAP_ANON: Int32 = 0x1000
public var MAP_FAILED: UnsafeMutableRawPointer! { UnsafeMutableRawPointer(bitPattern: -1) }

public var errno: Int32 {
  get { fatalError("a declaration for the compiler's eyes") }
  set { fatalError("a declaration for the compiler's eyes: \(newValue)") }
}
public let EPERM: Int32 = 1
public let ENOENT: Int32 = 2
public let EINTR: Int32 = 4
public let EIO: Int32 = 5
public let ECHILD: Int32 = 10
public let ENOMEM: Int32 = 12
public let EACCES: Int32 = 13
public let EEXIST: Int32 = 17
public let ENOTDIR: Int32 = 20
public let EISDIR: Int32 = 21
public let ENFILE: Int32 = 23
public let EMFILE: Int32 = 24
public let EFBIG: Int32 = 27
public let ENOSPC: Int32 = 28
public let EROFS: Int32 = 30
public let EPIPE: Int32 = 32
public let ELOOP: Int32 = 62
public let ENAMETOOLONG: Int32 = 63
public let EDQUOT: Int32 = 69

public let SIGHUP: Int32 = 1
public let SIGINT: Int32 = 2
public let SIGTERM: Int32 = 15
public let SIGXFSZ: Int32 = 25
public let SIG_UNBLOCK: Int32 = 2
public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { unsafeBitCast(1, to: sig_t.self) }
public let POLLOUT: Int32 = 0x0004
public var TIOCGWINSZ: UInt { 0x4008_7468 }

public let POSIX_SPAWN_SETSIGMASK: Int32 = 0x0008
public let WNOHANG: Int32 = 0x0001
public let RUSAGE_SELF: Int32 = 0  // Linux: an enumeration
public let RTLD_NOW: Int32 = 0x2
public let CLOCK_PROCESS_CPUTIME_ID = clockid_t(rawValue: 12)

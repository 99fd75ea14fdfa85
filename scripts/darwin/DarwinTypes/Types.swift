// The types of Apple's C library that PlankLab uses, as Swift sees them on a Mac.
//
// Written from what Apple publishes of its system: the headers of xnu and Libc, and Swift's overlay
// of `Darwin`. A type has the fields that matter here with Apple's names and widths; where Linux has
// another width, another name or another shape, a comment says so. Types are a module of their own,
// because C lets a structure and a function have one name, and a Swift module does not.

public typealias mode_t = UInt16  // Linux: 32 bits
public typealias dev_t = Int32  // Linux: UInt64
public typealias ino_t = UInt64
public typealias nlink_t = UInt16  // Linux: UInt
public typealias off_t = Int64  // Linux: Int
public typealias blkcnt_t = Int64
public typealias blksize_t = Int32
public typealias uid_t = UInt32
public typealias gid_t = UInt32
public typealias pid_t = Int32
public typealias time_t = Int
public typealias useconds_t = UInt32
public typealias suseconds_t = Int32  // Linux: Int
public typealias nfds_t = UInt32  // Linux: UInt
public typealias sigset_t = UInt32  // Linux: a structure
public typealias sig_t = @convention(c) (Int32) -> Void
/// A pointer that may be nil; a structure on Linux.
public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
public typealias posix_spawnattr_t = UnsafeMutableRawPointer

/// A pointer; a number on Linux.
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public struct _opaque_pthread_t {}
public struct pthread_attr_t {
  public init() {}
}
public struct pthread_mutex_t {
  public init() {}
}
public struct pthread_mutexattr_t {}
public struct pthread_cond_t {
  public init() {}
}
public struct pthread_condattr_t {}

/// An enumeration of C; an Int32 on Linux.
public struct clockid_t: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

public struct timespec {
  public var tv_sec: time_t = 0
  public var tv_nsec: Int = 0
  public init() {}
}

public struct timeval {
  public var tv_sec: time_t = 0
  public var tv_usec: suseconds_t = 0
  public init() {}
}

public struct stat {
  public var st_dev: dev_t = 0
  public var st_mode: mode_t = 0
  public var st_nlink: nlink_t = 0
  public var st_ino: ino_t = 0
  public var st_uid: uid_t = 0
  public var st_gid: gid_t = 0
  public var st_rdev: dev_t = 0
  // Linux: st_atim, st_mtim, st_ctim, and no time of birth.
  public var st_atimespec = timespec()
  public var st_mtimespec = timespec()
  public var st_ctimespec = timespec()
  public var st_birthtimespec = timespec()
  public var st_size: off_t = 0
  public var st_blocks: blkcnt_t = 0
  public var st_blksize: blksize_t = 0
  public var st_flags: UInt32 = 0
  public var st_gen: UInt32 = 0
  public init() {}
}

/// Behind pointers only; a name of its own only on Linux.
public struct DIR {}

public struct dirent {
  public var d_ino: UInt64 = 0
  public var d_seekoff: UInt64 = 0  // Linux: d_off
  public var d_reclen: UInt16 = 0
  public var d_namlen: UInt16 = 0  // Linux: none
  public var d_type: UInt8 = 0
  /// Bytes of a name; 1,024 of them on a Mac, which no code counts on.
  public var d_name: (CChar, CChar) = (0, 0)
  public init() {}
}

public struct rusage {
  public var ru_utime = timeval()
  public var ru_stime = timeval()
  public var ru_maxrss: Int = 0  // bytes; Linux: kibibytes
  public init() {}
}

public struct pollfd {
  public var fd: Int32 = 0
  public var events: Int16 = 0
  public var revents: Int16 = 0
  public init() {}
  public init(fd: Int32, events: Int16, revents: Int16) {}
}

public struct winsize {
  public var ws_row: UInt16 = 0
  public var ws_col: UInt16 = 0
  public var ws_xpixel: UInt16 = 0
  public var ws_ypixel: UInt16 = 0
  public init() {}
}

/// Behind pointers only.
public struct __sFILE {}
public typealias FILE = __sFILE

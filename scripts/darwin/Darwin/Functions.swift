// The functions of Apple's C library that PlankLab uses, as Swift sees them on a Mac; none is ever
// called. Apple's headers say of few pointers whether they may be nil, so most are implicitly
// unwrapped. A name that is missing here is an error in `scripts/prove-darwin`: declare it as
// Apple's headers do, or guard its use.

@_exported import DarwinTypes

private var neverCalled: Never { fatalError("a declaration for the compiler's eyes") }

// Files
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { neverCalled }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
  neverCalled
}
@discardableResult public func close(_: Int32) -> Int32 { neverCalled }
public func read(_: Int32, _: UnsafeMutableRawPointer!, _: Int) -> Int { neverCalled }
public func pread(_: Int32, _: UnsafeMutableRawPointer!, _: Int, _: off_t) -> Int { neverCalled }
public func write(_ fd: Int32, _ buffer: UnsafeRawPointer!, _ count: Int) -> Int { neverCalled }
@discardableResult public func lseek(_: Int32, _: off_t, _: Int32) -> off_t { neverCalled }
@discardableResult public func ftruncate(_: Int32, _: off_t) -> Int32 { neverCalled }
@discardableResult public func fchmod(_: Int32, _: mode_t) -> Int32 { neverCalled }
@discardableResult public func mkdir(_: UnsafePointer<CChar>!, _: mode_t) -> Int32 { neverCalled }
@discardableResult public func rename(
  _ old: UnsafePointer<CChar>!, _ new: UnsafePointer<CChar>!
) -> Int32 { neverCalled }
@discardableResult public func fstat(_: Int32, _: UnsafeMutablePointer<stat>!) -> Int32 {
  neverCalled
}
@discardableResult public func stat(
  _: UnsafePointer<CChar>!, _: UnsafeMutablePointer<stat>!
) -> Int32 { neverCalled }
@discardableResult public func lstat(
  _: UnsafePointer<CChar>!, _: UnsafeMutablePointer<stat>!
) -> Int32 { neverCalled }
@discardableResult public func futimens(_: Int32, _: UnsafePointer<timespec>!) -> Int32 {
  neverCalled
}
@discardableResult public func unlink(_: UnsafePointer<CChar>!) -> Int32 { neverCalled }
@discardableResult public func flock(_: Int32, _: Int32) -> Int32 { neverCalled }
@discardableResult public func rmdir(_: UnsafePointer<CChar>!) -> Int32 { neverCalled }
@discardableResult public func access(_: UnsafePointer<CChar>!, _: Int32) -> Int32 { neverCalled }
public func opendir(_: UnsafePointer<CChar>!) -> UnsafeMutablePointer<DIR>! { neverCalled }
public func readdir(_: UnsafeMutablePointer<DIR>!) -> UnsafeMutablePointer<dirent>! {
  neverCalled
}
@discardableResult public func closedir(_: UnsafeMutablePointer<DIR>!) -> Int32 { neverCalled }
public func realpath(
  _: UnsafePointer<CChar>!, _: UnsafeMutablePointer<CChar>!
) -> UnsafeMutablePointer<CChar>! { neverCalled }
@discardableResult public func fcntl(_ fd: Int32, _ command: Int32) -> Int32 { neverCalled }
@discardableResult public func fcntl(
  _ fd: Int32, _ command: Int32, _ value: Int32
) -> Int32 { neverCalled }
@discardableResult public func fcntl(
  _ fd: Int32, _ command: Int32, _ pointer: UnsafeMutableRawPointer
) -> Int32 { neverCalled }

// Streams
public func fopen(
  _ path: UnsafePointer<CChar>!, _ mode: UnsafePointer<CChar>!
) -> UnsafeMutablePointer<FILE>! { neverCalled }
public func fdopen(_: Int32, _: UnsafePointer<CChar>!) -> UnsafeMutablePointer<FILE>! {
  neverCalled
}
@discardableResult public func fclose(_: UnsafeMutablePointer<FILE>!) -> Int32 { neverCalled }
@discardableResult public func fread(
  _ buffer: UnsafeMutableRawPointer!, _ size: Int, _ count: Int,
  _ stream: UnsafeMutablePointer<FILE>!
) -> Int { neverCalled }
@discardableResult public func fwrite(
  _ buffer: UnsafeRawPointer!, _ size: Int, _ count: Int, _ stream: UnsafeMutablePointer<FILE>!
) -> Int { neverCalled }
public func ferror(_: UnsafeMutablePointer<FILE>!) -> Int32 { neverCalled }
@discardableResult public func fseek(
  _: UnsafeMutablePointer<FILE>!, _: Int, _: Int32
) -> Int32 { neverCalled }

// Memory and text
public func mmap(
  _: UnsafeMutableRawPointer!, _: Int, _: Int32, _: Int32, _: Int32, _: off_t
) -> UnsafeMutableRawPointer! { neverCalled }
@discardableResult public func munmap(_: UnsafeMutableRawPointer!, _: Int) -> Int32 { neverCalled }
public func free(_: UnsafeMutableRawPointer!) { neverCalled }
public func memchr(_: UnsafeRawPointer!, _: Int32, _: Int) -> UnsafeMutableRawPointer! {
  neverCalled
}
@discardableResult public func memmove(
  _: UnsafeMutableRawPointer!, _: UnsafeRawPointer!, _: Int
) -> UnsafeMutableRawPointer! { neverCalled }
public func strdup(_: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { neverCalled }
public func strerror(_: Int32) -> UnsafeMutablePointer<CChar>! { neverCalled }

// Terminals, signals, pipes
public func isatty(_: Int32) -> Int32 { neverCalled }
@discardableResult public func ioctl(_ fd: Int32, _ request: UInt) -> Int32 { neverCalled }
@discardableResult public func ioctl(
  _ fd: Int32, _ request: UInt, _ pointer: UnsafeMutableRawPointer
) -> Int32 { neverCalled }
@discardableResult public func signal(_: Int32, _: sig_t!) -> sig_t! { neverCalled }
@discardableResult public func raise(_: Int32) -> Int32 { neverCalled }
@discardableResult public func sigemptyset(_: UnsafeMutablePointer<sigset_t>!) -> Int32 {
  neverCalled
}
@discardableResult public func sigaddset(
  _: UnsafeMutablePointer<sigset_t>!, _: Int32
) -> Int32 { neverCalled }
@discardableResult public func pthread_sigmask(
  _: Int32, _: UnsafePointer<sigset_t>!, _: UnsafeMutablePointer<sigset_t>!
) -> Int32 { neverCalled }
@discardableResult public func pipe(_: UnsafeMutablePointer<Int32>!) -> Int32 { neverCalled }
@discardableResult public func poll(
  _: UnsafeMutablePointer<pollfd>!, _: nfds_t, _: Int32
) -> Int32 { neverCalled }

// Threads
@discardableResult public func pthread_mutex_init(
  _: UnsafeMutablePointer<pthread_mutex_t>, _: UnsafePointer<pthread_mutexattr_t>?
) -> Int32 { neverCalled }
@discardableResult public func pthread_mutex_destroy(
  _: UnsafeMutablePointer<pthread_mutex_t>
) -> Int32 { neverCalled }
@discardableResult public func pthread_mutex_lock(
  _: UnsafeMutablePointer<pthread_mutex_t>
) -> Int32 { neverCalled }
@discardableResult public func pthread_mutex_unlock(
  _: UnsafeMutablePointer<pthread_mutex_t>
) -> Int32 { neverCalled }
@discardableResult public func pthread_cond_init(
  _: UnsafeMutablePointer<pthread_cond_t>, _: UnsafePointer<pthread_condattr_t>?
) -> Int32 { neverCalled }
@discardableResult public func pthread_cond_destroy(
  _: UnsafeMutablePointer<pthread_cond_t>
) -> Int32 { neverCalled }
@discardableResult public func pthread_cond_wait(
  _: UnsafeMutablePointer<pthread_cond_t>, _: UnsafeMutablePointer<pthread_mutex_t>
) -> Int32 { neverCalled }
@discardableResult public func pthread_cond_signal(
  _: UnsafeMutablePointer<pthread_cond_t>
) -> Int32 { neverCalled }
@discardableResult public func pthread_cond_broadcast(
  _: UnsafeMutablePointer<pthread_cond_t>
) -> Int32 { neverCalled }
@discardableResult public func pthread_create(
  _: UnsafeMutablePointer<pthread_t?>, _: UnsafePointer<pthread_attr_t>?,
  _: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
  _: UnsafeMutableRawPointer?
) -> Int32 { neverCalled }
@discardableResult public func pthread_join(
  _: pthread_t, _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 { neverCalled }
@discardableResult public func pthread_detach(_: pthread_t) -> Int32 { neverCalled }

// Processes
public func getenv(_: UnsafePointer<CChar>!) -> UnsafeMutablePointer<CChar>! { neverCalled }
public func geteuid() -> uid_t { neverCalled }
@discardableResult public func clock_gettime(
  _ clock: clockid_t, _ time: UnsafeMutablePointer<timespec>!
) -> Int32 { neverCalled }
@discardableResult public func getrusage(
  _: Int32, _: UnsafeMutablePointer<rusage>!
) -> Int32 { neverCalled }
@discardableResult public func wait4(
  _: pid_t, _: UnsafeMutablePointer<Int32>!, _: Int32, _: UnsafeMutablePointer<rusage>!
) -> pid_t { neverCalled }
@discardableResult public func waitpid(
  _: pid_t, _: UnsafeMutablePointer<Int32>!, _: Int32
) -> pid_t { neverCalled }
@discardableResult public func posix_spawn(
  _: UnsafeMutablePointer<pid_t>!, _: UnsafePointer<CChar>!,
  _: UnsafePointer<posix_spawn_file_actions_t?>!, _: UnsafePointer<posix_spawnattr_t?>!,
  _ argv: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
  _ envp: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { neverCalled }
@discardableResult public func posix_spawnattr_init(
  _: UnsafeMutablePointer<posix_spawnattr_t?>!
) -> Int32 { neverCalled }
@discardableResult public func posix_spawnattr_destroy(
  _: UnsafeMutablePointer<posix_spawnattr_t?>!
) -> Int32 { neverCalled }
@discardableResult public func posix_spawnattr_setsigmask(
  _: UnsafeMutablePointer<posix_spawnattr_t?>!, _: UnsafePointer<sigset_t>!
) -> Int32 { neverCalled }
@discardableResult public func posix_spawnattr_setflags(
  _: UnsafeMutablePointer<posix_spawnattr_t?>!, _: Int16
) -> Int32 { neverCalled }
@discardableResult public func posix_spawn_file_actions_adddup2(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _: Int32, _: Int32
) -> Int32 { neverCalled }
@discardableResult public func posix_spawnp(
  _: UnsafeMutablePointer<pid_t>!, _: UnsafePointer<CChar>!,
  _: UnsafePointer<posix_spawn_file_actions_t?>!, _: UnsafePointer<posix_spawnattr_t?>!,
  _ argv: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
  _ envp: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { neverCalled }
@discardableResult public func posix_spawn_file_actions_init(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { neverCalled }
@discardableResult public func posix_spawn_file_actions_destroy(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { neverCalled }
@discardableResult public func posix_spawn_file_actions_addopen(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _: Int32, _: UnsafePointer<CChar>!,
  _: Int32, _: mode_t
) -> Int32 { neverCalled }
@discardableResult public func usleep(_: useconds_t) -> Int32 { neverCalled }
public func dlopen(_: UnsafePointer<CChar>!, _: Int32) -> UnsafeMutableRawPointer! { neverCalled }
public func dlsym(
  _: UnsafeMutableRawPointer!, _: UnsafePointer<CChar>!
) -> UnsafeMutableRawPointer! { neverCalled }

// Mathematics
public func sin(_: Double) -> Double { neverCalled }
public func cos(_: Double) -> Double { neverCalled }
public func tan(_: Double) -> Double { neverCalled }
public func asin(_: Double) -> Double { neverCalled }
public func acos(_: Double) -> Double { neverCalled }
public func atan2(_: Double, _: Double) -> Double { neverCalled }
public func exp(_: Double) -> Double { neverCalled }
public func expm1(_: Double) -> Double { neverCalled }
public func log(_: Double) -> Double { neverCalled }
public func log2(_: Double) -> Double { neverCalled }
public func log10(_: Double) -> Double { neverCalled }
public func pow(_: Double, _: Double) -> Double { neverCalled }
public func acosf(_: Float) -> Float { neverCalled }
public func atan2f(_: Float, _: Float) -> Float { neverCalled }
// Swift's overlay has these for both widths.
public func sin(_: Float) -> Float { neverCalled }
public func cos(_: Float) -> Float { neverCalled }
public func exp(_: Float) -> Float { neverCalled }
public func log(_: Float) -> Float { neverCalled }
public func sqrt<T: FloatingPoint>(_: T) -> T { neverCalled }

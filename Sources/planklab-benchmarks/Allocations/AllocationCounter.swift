#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The count of heap allocations that `scripts/proofs/malloc_counter.c` keeps when it is preloaded.
struct AllocationCounter {
  private let read: @convention(c) () -> UInt

  /// Finds the counter; nil where it is not preloaded.
  init?() {
    guard let program = dlopen(nil, RTLD_NOW),
      let symbol = dlsym(program, "planklab_allocation_count")
    else { return nil }
    read = unsafeBitCast(symbol, to: (@convention(c) () -> UInt).self)
  }

  /// How many allocations a body makes.
  func count(_ body: () throws -> Void) rethrows -> Int {
    let before = read()
    try body()
    return Int(read() - before)
  }
}

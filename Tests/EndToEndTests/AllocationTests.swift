import Foundation
import Testing

/// What apps link must not allocate while frames come; `make prove` runs more frames.
@Suite("Heap allocations of the detector")
struct AllocationTests {
  #if os(Linux)
    static let isSupported = true
  #else
    static let isSupported = false
  #endif

  private static let counter = Program.root
    .appendingPathComponent("scripts/proofs/malloc_counter.c").path

  @Test(
    "A preloaded counter sees planted allocations, and then none per frame",
    .enabled(if: isSupported, "not on this system: the counter needs glibc"))
  func nothingIsAllocated() throws {
    let workspace = try Workspace()
    let library = workspace.path("malloc_counter.so")
    // The toolchain has a C compiler of its own where the system has none.
    let compiled = try Program.shell(
      "$(command -v cc || command -v clang) -shared -fPIC -O2 -o \(library) \(Self.counter)")
    #expect(compiled.status == 0, "\(compiled.errors)")
    let run = try Program.shell("LD_PRELOAD=\(library) planklab-benchmarks allocations 1200")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("planted: 1000 allocations in 1000 frames are seen"))
    #expect(run.output.contains("session with log: 0 allocations"))
  }

  @Test("Without the counter nothing is claimed")
  func unsupported() throws {
    #expect(try Program.shell("planklab-benchmarks allocations").status == 69)
  }
}

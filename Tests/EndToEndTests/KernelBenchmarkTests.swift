import Testing

/// The twin in Swift that the sweep's kernel in C is timed against must do the same work.
@Suite("Benchmark of kernels")
struct KernelBenchmarkTests {
  @Test("The kernel in C and its twin in Swift give the same counts and hits")
  func kernelsAgree() throws {
    let run = try Program.shell("planklab-benchmarks kernels 20000")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("all kernels agree on every count and hit"))
    #expect(run.output.contains("kernel, plank, Swift:"))
    #expect(run.output.contains("kernel, form, Swift:"))
  }
}

import Foundation
import Testing

/// What a Mac compiles, as far as Linux can show it.
@Suite("Sources on a Mac")
struct AppleSourcesTests {
  @Test(
    "All that planklab and apps are made of compiles against stand-ins of Apple's libraries",
    .enabled(
      if: FailingCalls.canBe, "not on this system: the proof needs Linux, cc and Python 3.10"))
  func typecheck() throws {
    let built = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path
    let run = try Program.shell("exec scripts/prove-darwin --sample '\(built)'")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let end = "Tuning, PlankBench\ninjected faults found: 1"
    #expect(run.output.contains(end), "\(run.output)")
  }
}

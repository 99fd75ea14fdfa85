import Foundation
import TestSupport
import Testing

/// A small instance of `experiments/gate-errors/gate_power.py`, whose tables `docs/ci.md` shows.
@Suite("Gate, simulated")
struct GateSimulationTests {
  /// Frames of a recording that are right or not; 80 are scored.
  private static let frames = 80.0

  /// How many of twelve gates say that six people lost more than a margin of 5 points.
  ///
  /// - Parameter loss: the true loss in points; it differs between people by 5 points.
  private func alarms(loss: Double) throws -> Int {
    let gated = try GateWorkspace()
    try gated.gate("  - {metric: plank.accuracy, margin: 0.05, inconclusive: warn}\n")
    try gated.answers("answers", late: Array(repeating: 20, count: 6))
    let update = try gated.update()
    try #require(update.status == 0, "\(update.errors)")
    var random = SplitMix64(seed: UInt64(loss) + 1)
    return try (0..<12).count { _ in
      let late = (0..<6).map { _ in
        20 + Int((Self.frames * (loss + 5 * random.nearlyNormal()) / 100).rounded())
      }
      try gated.answers("candidate", late: late)
      let run = try gated.run("candidate")
      try #require(run.status == 0 || run.status == 2, "\(run.errors)")
      return run.status == 2
    }
  }

  // 2.5 % of such gates alarm in the long run: 3 or more of 12 have a probability of 0.3 %.
  @Test("A loss as large as the margin seldom regresses")
  func falseAlarms() throws { #expect(try alarms(loss: 5) <= 2) }

  // Four of five gates find 12 points, nearly all find 20.
  @Test("A loss that is far beyond what the gate says it finds regresses")
  func power() throws { #expect(try alarms(loss: 20) >= 10) }
}

internal import Evaluation
internal import Platform
internal import PoseDatasets
internal import PoseModel
internal import Statistics

/// The result of `planklab gate --self-test`: what a gate finds on its data, and how often it
/// alarms falsely.
struct GateSelfTest: CommandResult {
  static let command = "gate --self-test"
  static let schemaVersion = 1

  /// What became of changes of one size.
  struct Size: Hashable, Sendable, Codable {
    /// The planted loss: a share of the scored time, 0...1.
    var loss: Double
    /// How many of the changes the gate stopped.
    var stopped: ShareOfTrials
    /// How many of the changes each rule called regressed, in the order of the rules.
    var byRule: [ShareOfTrials]
    /// The mean loss in each rule's metric, in its unit; nil where it is undefined.
    var metricLosses: [Double?]

    private enum CodingKeys: String, CodingKey {
      case loss, stopped
      case byRule = "by_rule"
      case metricLosses = "metric_losses"
    }

    /// Refuses numbers that no self-test of some rules can have.
    ///
    /// - Parameter path: where the size is.
    fileprivate func check(_ path: [any CodingKey], rules: Int) throws(FieldError) {
      guard (0...1).contains(loss), byRule.count == rules, metricLosses.count == rules else {
        throw FieldError(
          path, found: "numbers that do not go together",
          allowed: "a loss of 0 to 1, and a number for each of the rules",
          remedy: "run `planklab \(GateSelfTest.command)` again")
      }
    }
  }

  /// The gate's file.
  var gate: String
  /// The candidate whose answers were changed.
  var candidate: String
  /// The rules that compare with a baseline.
  var rules: [GateRule]
  /// How many rules have only limits, which were not tried.
  var limits: Int
  /// How many people there are.
  var people: Int
  /// The standard deviation of a change between people: a share of the scored time.
  var spread: Double
  /// The verdict on the same answers twice.
  var same: GateVerdict
  /// Changes without a true loss.
  var harmless: Size
  /// Changes with a loss, in order of size; the last is the first that is found often enough, or
  /// the largest that was tried.
  var planted: [Size]

  /// How often a loss must be found to count as found.
  static let power = SampleSize.power
  /// The largest share of false alarms that a gate may have.
  static let mostAlarms = 0.025
  /// The planted losses, as shares of the scored time.
  static let losses = [0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5]

  /// The smallest planted loss that is found often enough; nil if none is.
  var found: Size? { planted.first { $0.stopped.share >= Self.power } }

  /// Whether more changes without a loss are stopped than a gate may stop, beyond chance.
  var criesWolf: Bool { harmless.stopped.interval.lowerBound > Self.mostAlarms }

  /// The exit code: a gate that stops the same answers, or too many harmless changes, has failed;
  /// one that finds no loss tells nothing.
  var status: ExitStatus {
    guard same == .pass, !criesWolf else { return .gateFailed }
    return found == nil ? .notComparable : .success
  }
}

extension GateSelfTest {
  func check(_ path: [any CodingKey]) throws(FieldError) {
    try harmless.check(path + [CodingKeys.harmless], rules: rules.count)
    for size in planted { try size.check(path + [CodingKeys.planted], rules: rules.count) }
    guard (0...1).contains(spread) else {
      throw FieldError(
        path + [CodingKeys.spread], found: "\(spread)", allowed: "0 to 1",
        remedy: "run `planklab \(Self.command)` again")
    }
  }
}

extension GateSelfTest {
  /// Tries a gate on a candidate's answers.
  ///
  /// - Parameters:
  ///   - trials: how many changes of every size, and twice as many without a loss.
  ///   - spread: the standard deviation of a change between people, a share of the scored time.
  /// - Throws: with the exit code `notComparable` if no rule compares, or nothing is scored.
  init(
    _ gate: GateSettings, name: String, _ candidate: GateCandidate, trials: Int, spread: Double,
    progress: @escaping ProgressReport
  ) async throws {
    let prepared = GateTrials(
      candidate.runs.map(\.outcome), rules: gate.rules, spread: spread,
      resamples: gate.resamples, seed: gate.seed)
    guard !prepared.rules.isEmpty else {
      throw WorkflowFailure(
        .notComparable,
        "\(gate.places.message(["rules"], "no rule compares with a baseline; add `margin` or `largest_drop` to one"))"
      )
    }
    guard prepared.people > 0 else {
      throw WorkflowFailure(
        .notComparable, "\(gate.dataset): no frame is scored; a self-test needs labels")
    }
    self.gate = name
    self.candidate = gate.candidate
    rules = prepared.rules
    limits = gate.rules.count - prepared.rules.count
    people = prepared.people
    self.spread = spread
    same = GateResult(name: name, findings: prepared.same()).verdict
    harmless = await Self.size(prepared, 0, 2 * trials, progress)
    planted = []
    for loss in Self.losses where found == nil {
      planted.append(await Self.size(prepared, loss, trials, progress))
    }
  }

  /// Tries changes of one size.
  private static func size(
    _ trials: GateTrials, _ loss: Double, _ count: Int, _ progress: @escaping ProgressReport
  ) async -> Size {
    let what =
      loss == 0 ? "harmless changes" : "changes with a loss of \(NumberText.percent(loss))"
    let found = await ConcurrentMap.run(Array(0..<count), of: what, progress: progress) {
      trials.findings(loss: loss, number: $0)
    }
    let stopped = found.count { findings in
      findings.contains { $0.stops && $0.verdict == .regressed }
    }
    return Size(
      loss: loss, stopped: ShareOfTrials(stopped, of: count),
      byRule: trials.rules.indices.map { rule in
        ShareOfTrials(found.count { $0[rule].verdict == .regressed }, of: count)
      },
      metricLosses: trials.rules.enumerated().map { index, rule in
        let losses = found.compactMap { $0[index].difference }
        guard !losses.isEmpty else { return nil }
        let mean = losses.reduce(0, +) / Double(losses.count)
        return rule.higherIsBetter ? -mean : mean
      })
  }
}

package import Evaluation
package import PlankDetection
package import PoseModel

package struct ParameterLine: Sendable {
  package let definition: ParameterDefinition
  package let values: [Double]
  package let stream: AnswerStream
  package let own: Int
  private let table: SubjectTable
  private let other: SubjectTable?
  private let people: SweptPeople

  /// About how many values of a threshold are tried, and how many if the detector has to answer frame
  /// by frame.
  static let thresholds = (bitParallel: 60, streaming: 12)
  /// The longest debounce that is tried, in every recording: one that is longer fits long rests,
  /// and loses the holds between push-ups.
  static let longestDebounce = Seconds(0.3)

  /// Parameters that change nothing are left out.
  ///
  /// O(parameters x values x frames / 64), or without the 64 with a debounce that the bit-parallel
  /// engine cannot express.
  package static func map<Found>(
    _ stream: AnswerStream, _ detector: DetectorVariant, _ people: SweptPeople, jobs: Int,
    progress: () -> Void = {}, _ body: (ParameterLine) throws -> Found
  ) async throws -> [Found] {
    let keys = detector.keys(stream)
    let fixed = try await FixedSweeps(stream, detector, people, jobs: jobs)
    var found: [Found] = []
    for (definition, own) in detector.base.entries where keys.contains(definition.key) {
      defer { progress() }
      let isFast = detector.isBitParallel(stream)
      let values = RoundValues.values(
        of: definition, own: own,
        observed: ObservedRange(
          of: definition.key, detector.definition, people.data.sequences),
        least: isFast ? thresholds.bitParallel : thresholds.streaming,
        mostFrames: people.frames(within: longestDebounce))
      guard values.count > 1 else { continue }
      found.append(
        try body(
          try await ParameterLine(
            definition, values, own: own, stream, detector, people, fixed, jobs: jobs)))
    }
    return found
  }

  private struct FixedSweeps {
    private let sweeps: [AnswerStream: FixedSweep]

    init(
      _ stream: AnswerStream, _ detector: DetectorVariant, _ people: SweptPeople, jobs: Int
    ) async throws {
      let grid = try GridDefinition([detector], axes: [])
      var sweeps: [AnswerStream: FixedSweep] = [:]
      for own in AnswerStream.allCases
      where own == stream || !Set(detector.keys(stream)).isDisjoint(with: detector.keys(own)) {
        sweeps[own] = await FixedSweep(
          try grid.grid(own, people.data), people.data, jobs: jobs)
      }
      self.sweeps = sweeps
    }

    subscript(_ stream: AnswerStream) -> FixedSweep? { sweeps[stream] }
  }

  private init(
    _ definition: ParameterDefinition, _ values: [Double], own: Double, _ stream: AnswerStream,
    _ detector: DetectorVariant, _ people: SweptPeople, _ fixed: FixedSweeps, jobs: Int
  ) async throws {
    self.definition = definition
    self.values = values
    self.stream = stream
    self.own = values.firstIndex(of: own) ?? 0
    self.people = people
    let line = try GridDefinition([detector], axes: [ParameterAxis(definition.key, .list(values))])
    func sweep(_ stream: AnswerStream) async throws -> SubjectTable {
      let grid = try line.grid(stream, people.data)
      let cells = try await StreamSweep(
        grid, people.data, engine: .automatic, jobs: jobs, fixed: fixed[stream]
      ).evaluate(0..<grid.cellCount, jobs: jobs)
      return try SubjectTable(cells, allowsUngrouped: true)
    }
    let second = stream == .plank ? AnswerStream.form : .plank
    table = try await sweep(stream)
    other = detector.keys(second).contains(definition.key) ? try await sweep(second) : nil
  }

  /// Nil if no value gains `least` of balanced accuracy.
  ///
  /// A value is not allowed if it costs the other stream anything.
  package func choice(least: Double) -> RoundChoice? {
    let drawn = Array(table.subjects.indices)
    let key = MetricKey(.balancedAccuracy, in: stream)
    let scores = values.indices.map { place -> Double? in
      isAllowed(place, drawn) ? table.value(key, at: place, drawn) : nil
    }
    return RoundChoice(values, scores, own: own, least: least)
  }

  /// The share of scored time that each value makes right, in their order; nil where nothing is
  /// scored.
  package var shares: [Double?] { scores(MetricKey(.accuracy, in: stream)) }

  package func scores(_ key: MetricKey) -> [Double?] {
    let all = Array(table.subjects.indices)
    return values.indices.map { table.value(key, at: $0, all) }
  }

  /// What is right with the start's value and with another one.
  package func counts(of choice: RoundChoice) -> PairedCounts {
    func frames(_ place: Int) -> [RightFrames] {
      table.rightFrames(at: place).map(people.named)
    }
    return PairedCounts(frames(own), frames(choice.place))
  }

  private func isAllowed(_ place: Int, _ drawn: [Int]) -> Bool {
    guard let other else { return true }
    let key = MetricKey(.balancedAccuracy, in: stream == .plank ? .form : .plank)
    guard let start = other.value(key, at: own, drawn),
      let value = other.value(key, at: place, drawn)
    else { return true }
    return value >= start
  }
}

/// Each person in one source of data is a subject of its own: tables refuse a subject in two
/// sources; people are held out with all of their sources.
package struct SweptPeople: Sendable {
  let data: MeasuredData
  private let person: [String: String]

  package init(_ sequences: [MeasuredSequence]) throws {
    var person: [String: String] = [:]
    let renamed = sequences.map { sequence in
      let own = sequence.subject.map { "subject\u{0}\($0)" } ?? "sequence\u{0}\(sequence.name)"
      let subject = own + "\u{0}" + (sequence.source ?? "")
      person[subject] = own
      return sequence.with(subject: subject)
    }
    data = try MeasuredData(variants: [renamed])
    self.person = person
  }

  package var count: Int { Set(person.values).count }

  /// How many frames last at most `duration`, in every recording.
  fileprivate func frames(within duration: Seconds) -> Int {
    let longest = data.sequences.map(\.frameWeight.value).max() ?? duration.value
    return Int(duration.value / longest + 1e-9)
  }

  /// The frames with their own person's name, or none.
  fileprivate func named(_ frames: RightFrames) -> RightFrames {
    let own = frames.subject.flatMap { person[$0] } ?? ""
    let prefix = "subject\u{0}"
    return RightFrames(
      name: frames.name, subject: own.hasPrefix(prefix) ? String(own.dropFirst(prefix.count)) : nil,
      source: frames.source, weight: frames.weight, scored: frames.scored, right: frames.right)
  }
}

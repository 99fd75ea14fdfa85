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
        least: isFast ? thresholds.bitParallel : thresholds.streaming)
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

  /// Nil if no value gains `least`, a share of scored time.
  ///
  /// A value is not allowed if it costs the other stream anything. `subjects` are positions; nil
  /// for all.
  package func choice(of subjects: [Int]? = nil, least: Double) -> RoundChoice? {
    let drawn = subjects ?? Array(table.subjects.indices)
    let key = MetricKey(.accuracy, in: stream)
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

  package func gain(of choice: RoundChoice) -> Double {
    let all = Array(table.subjects.indices)
    let key = MetricKey(.accuracy, in: stream)
    return (table.value(key, at: choice.place, all) ?? 0) - (table.value(key, at: own, all) ?? 0)
  }

  private func isAllowed(_ place: Int, _ drawn: [Int]) -> Bool {
    guard let other else { return true }
    let key = MetricKey(.accuracy, in: stream == .plank ? .form : .plank)
    guard let start = other.value(key, at: own, drawn),
      let value = other.value(key, at: place, drawn)
    else { return true }
    return value >= start
  }

  private func isScored(_ subjects: [Int]) -> Bool {
    table.value(MetricKey(.accuracy, in: stream), at: own, subjects) != nil
  }

  /// What the values that are chosen without each fold's people do to these people; nil with fewer
  /// than two.
  ///
  /// `least` is the smallest gain for which a fold changes the value.
  package func heldOut(
    least: Double, seed: UInt64 = 0
  ) throws -> (people: Int, estimate: HeldOutEstimate)? {
    let clusters = people.clusters(table.subjects).filter { isScored($0) }
    guard clusters.count > 1 else { return nil }
    let folds = try SubjectFolds(.automatic, subjects: clusters.count, seed: seed)
    var places = Array(repeating: own, count: table.subjects.count)
    for (fold, members) in folds.heldOut.enumerated() {
      let others = folds.heldIn(fold, of: clusters.count).flatMap { clusters[$0] }
      let place = choice(of: others, least: least)?.place ?? own
      for subject in members.flatMap({ clusters[$0] }) { places[subject] = place }
    }
    let estimate = HeldOutEstimate(
      .people, MetricKey(.accuracy, in: stream), found: try table.mixed(places),
      start: try table.mixed(places.map { _ in own }), clusters: clusters,
      folds: folds.heldOut.count, seed: seed)
    return (people: clusters.count, estimate: estimate)
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

  fileprivate func clusters(_ subjects: [String]) -> [[Int]] {
    Dictionary(grouping: subjects.indices) { person[subjects[$0]] ?? "" }.values
      .sorted { $0[0] < $1[0] }
  }
}

extension SubjectTable {
  fileprivate func mixed(_ places: [Int]) throws -> SubjectTable {
    let layout = cells.layout
    var storage = [UInt32](repeating: 0, count: layout.stride)
    for (subject, place) in places.enumerated() {
      for piece in sequences[subject].flatMap(layout.pieces) {
        for offset in piece.own.indices.map({ $0 - piece.own.lowerBound }) {
          storage[piece.start + offset] =
            cells.storage[place * layout.stride + piece.start + offset]
        }
      }
    }
    return try SubjectTable(
      CellTable(layout: layout, ids: [0], storage: storage), allowsUngrouped: true)
  }
}

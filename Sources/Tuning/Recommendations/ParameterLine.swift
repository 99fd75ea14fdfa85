package import Evaluation
package import PlankDetection
package import PoseModel

/// What one stream scores along the values of one parameter, everything else as it is.
package struct ParameterLine: Sendable {
  /// The parameter.
  package let definition: ParameterDefinition
  /// The values, ascending.
  package let values: [Double]
  /// The stream.
  package let stream: AnswerStream
  /// The position of the current value.
  package let own: Int
  private let table: SubjectTable
  /// The other stream, if its answers depend on the parameter too.
  private let other: SubjectTable?
  private let people: SweptPeople

  /// About how many values of a threshold are tried, and how many if the detector has to answer frame
  /// by frame.
  static let thresholds = (bitParallel: 60, streaming: 12)

  /// What is found on the lines of every parameter on which a stream's answers depend, in the order of
  /// the detector's; parameters that change nothing whatever their value are left out.
  ///
  /// - Parameters:
  ///   - detector: with its values and its debounce.
  ///   - people: the sequences.
  ///   - jobs: how many cores work at the same time; the lines do not depend on it.
  ///   - progress: called after each parameter.
  ///   - body: takes a line, which is then released.
  /// - Throws: `TuningError` for a detector that the engine refuses; that of an evaluation does not.
  /// - Complexity: O(parameters x values x frames / 64); O(parameters x values x frames) with a
  ///   debounce that the bit-parallel engine cannot express.
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

  /// The detector with its own values, prepared once for the lines of all parameters.
  private struct FixedSweeps {
    private let sweeps: [AnswerStream: FixedSweep]

    /// Prepares a stream, and the other one if a parameter of the first changes its answers, too.
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

  /// The value to take; nil if none gains enough.
  ///
  /// A value is not allowed if it costs the other stream anything.
  ///
  /// - Parameters:
  ///   - subjects: those on whom it is chosen, as positions; nil for all.
  ///   - least: the smallest gain of scored time, as a share.
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

  /// What a metric of the stream is with each value, in their order; nil where it is undefined.
  package func scores(_ key: MetricKey) -> [Double?] {
    let all = Array(table.subjects.indices)
    return values.indices.map { table.value(key, at: $0, all) }
  }

  /// The share of scored time that a choice makes right.
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

  /// What the values that are chosen without each fold's people do to these people.
  ///
  /// - Parameter least: the smallest gain for which a fold changes the value.
  /// - Returns: the estimate and how many people it is of; nil with fewer than two.
  /// - Complexity: O(folds x values x people).
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

/// Sequences by person, each person in one source of data a subject of its own.
///
/// Tables refuse a subject in two sources; people are held out with all of their sources.
package struct SweptPeople: Sendable {
  /// The sequences.
  let data: MeasuredData
  private let person: [String: String]

  /// Takes sequences.
  ///
  /// - Throws: `TuningError` for no sequences and repeated names.
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

  /// How many people there are; recordings that do not name their person count as one each.
  package var count: Int { Set(person.values).count }

  /// The positions of subjects by person.
  fileprivate func clusters(_ subjects: [String]) -> [[Int]] {
    Dictionary(grouping: subjects.indices) { person[subjects[$0]] ?? "" }.values
      .sorted { $0[0] < $1[0] }
  }
}

extension SubjectTable {
  /// One cell in which every subject has the numbers of a cell of its own.
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

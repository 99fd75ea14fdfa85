internal import PlankDetection
internal import PoseModel
internal import Tuning

extension PreparedExperiment {
  static let largestStore = 10e9
  static let largestTables = 8e9

  func checkedStore(_ grids: [StreamGrid], _ shard: Shard) throws -> String {
    let sizes = grids.map { SweepSize($0, data, range: shard.range(of: $0.cellCount)) }
    let bytes = sizes.reduce(8 * Double(frameCount)) { $0 + $1.cells * $1.storedBytesPerCell }
    let parts = sizes.map {
      "\(SizeText.count($0.cells)) \($0.stream.rawValue) \($0.cells == 1 ? "cell" : "cells") of about "
        + "\(SizeText.bytes($0.storedBytesPerCell))"
    }
    let sentence =
      "\(parts.joined(separator: " and ")): about \(SizeText.bytes(bytes)) in the store"
    try check(
      bytes, Self.largestStore, sentence,
      remedy: "coarsen the axes, sweep a shard (--shard)")
    let chunks = 2 * Double(max(1, options.jobs))
    let kept =
      sizes.map {
        min(chunks * Double(StreamSweep.cellsAtOnce($0.numbers)), $0.cells) * Double($0.numbers)
      }.max() ?? 0
    let memory = measuredBytes + grids.reduce(4 * kept) { $0 + bitBytes($1) }
    return "\(sentence), \(SizeText.bytes(memory)) of memory"
  }

  private var measuredBytes: Double {
    let bytes = data.variants.reduce(0) { sum, sequences in
      sum + 10 + 4 * (sequences.first?.columns.measurements.members.count ?? 0)
    }
    return Double(frameCount) * Double(bytes)
  }

  private func bitBytes(_ grid: StreamGrid) -> Double {
    let rows = grid.variants.reduce(0.0) { sum, variant in
      let holds = variant.axes.first { $0.key == .holdSeconds }?.values.count ?? 1
      let others = variant.axes.filter { $0.key != .holdSeconds }
      return sum + Double(holds) * Double(others.reduce(0) { $0 + $1.values.count })
    }
    return Double(frameCount) * rows / 8
  }

  func checkedTables() throws -> String {
    var sizes: [(size: SweepSize, copies: Double)] = []
    for (index, goal) in experiment.goals.enumerated() {
      let size: SweepSize
      do {
        size =
          try index == 0
          ? wholeSize(goal.stream) : restSize(goal.stream, after: experiment.goals[0].stream)
      } catch {
        throw experiment.failure(error)
      }
      let isRepeated = index > 0 || experiment.grid.dependsOnData
      sizes.append((size: size, copies: isRepeated ? 1 + Double(min(options.jobs, foldCount)) : 1))
    }
    let bytes = sizes.map { size, copies in
      size.cells * copies
        * size.chosenBytesPerCell(subjects: subjectCount, jobs: options.jobs)
    }
    let parts = zip(sizes, bytes).map { size, bytes in
      "\(SizeText.count(size.size.cells)) \(size.size.stream.rawValue) "
        + "\(size.size.cells == 1 ? "cell" : "cells"), about "
        + "\(SizeText.bytes(bytes)) of memory"
    }
    let sentence = parts.joined(separator: "; then ")
    try check(
      bytes.max() ?? 0, Self.largestTables, sentence,
      remedy: "coarsen the axes, tune fewer parameters at a time")
    return "\(sentence); the \(NumberText.count(frameCount)) measured frames take about "
      + SizeText.bytes(measuredBytes)
  }

  private func check(_ bytes: Double, _ limit: Double, _ sentence: String, remedy: String) throws {
    guard bytes > limit, !experiment.flags.allowLarge else { return }
    throw WorkflowFailure(
      .usage,
      experiment.places.message(
        ["axes"],
        "\(sentence), and \(SizeText.bytes(limit)) is the limit; \(remedy), or give --allow-large"))
  }

  private func wholeSize(_ stream: AnswerStream) throws -> SweepSize {
    SweepSize(try experiment.grid.grid(stream, data), data)
  }

  private func restSize(_ stream: AnswerStream, after first: AnswerStream) throws -> SweepSize {
    let grid = try experiment.grid.grid(stream, data)
    let cells = grid.variants.map { variant in
      let taken = variant.variant.keys(first)
      return variant.axes.filter { !taken.contains($0.key) }
        .reduce(1.0) { $0 * Double($1.values.count) }
    }
    return SweepSize(stream, cells: cells.max() ?? 0, numbers: SweepSize(grid, data).numbers)
  }

  /// How many people there are; every sequence without a subject counts as one.
  var subjectCount: Int {
    let names = data.sequences.map(\.subject)
    return Set(names.compactMap(\.self)).count + names.count { $0 == nil }
  }

  private var foldCount: Int {
    switch options.validation?.settled(subjects: subjectCount) {
    case nil: 0
    case .leaveOneSubjectOut, .automatic: subjectCount
    case .leaveOneSourceOut: Set(data.sequences.map(\.source)).count
    case .subjectFolds(let count): count
    }
  }
}

extension Experiment {
  func steps(fromStore: Bool) -> [WorkProgress.Step] {
    let choices = goals.enumerated().flatMap { index, goal in
      [
        index == 0 && fromStore ? nil : "cells", options.validation == nil ? nil : "folds",
        options.resamples == 0 ? nil : "resamples",
      ].compactMap { $0.map { WorkProgress.Step("\(goal.stream.rawValue) \($0)") } }
    }
    return ["files", "sequences"] + choices + [WorkProgress.Step(StressTest.what)]
  }
}

enum SizeText {
  /// A number of bytes with its unit: `782 bytes`, `1.6 MB`, `95 GB`.
  static func bytes(_ bytes: Double) -> String {
    let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
    guard bytes >= 1000 else { return "\(count(bytes.rounded())) bytes" }
    var (value, unit) = (bytes / 1000, 0)
    while value >= 999.5, unit + 1 < units.count { (value, unit) = (value / 1000, unit + 1) }
    return NumberText.fixed(value, value < 10 ? 1 : 0) + " " + units[unit]
  }

  static func count(_ number: Double) -> String {
    number < 1e15 ? NumberText.count(Int(number)) : "\(number)"
  }
}

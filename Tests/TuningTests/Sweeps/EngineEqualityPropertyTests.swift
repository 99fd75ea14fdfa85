import Evaluation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@testable import Tuning

/// Every number of every cell equals what the production detector and the scoring code give.
@Suite("Bit-parallel engine") struct EngineEqualityPropertyTests {
  @Test(
    "Every count and latency of every cell equals the streaming engine's",
    arguments: Draws.seeds(400))
  func enginesAgree(seed: Int) async throws {
    let example = try RandomCase(seed: seed)
    for stream in AnswerStream.allCases {
      let grid = try example.grid.grid(stream, example.data)
      let parallel = StreamSweep(grid, example.data)
      let streaming = StreamSweep(grid, example.data, engine: .streaming)
      let range = sample(grid.cellCount, seed: seed)
      let found = try await parallel.evaluate(range, jobs: 2)
      let expected = try await streaming.evaluate(range)
      #expect(found.ids == expected.ids)
      #expect(found.storage == expected.storage, "seed \(seed) \(stream)")
    }
  }

  @Test("A sweep that takes over what no axis changes counts the same", arguments: Draws.seeds(100))
  func fixedParts(seed: Int) async throws {
    let example = try RandomCase(seed: seed)
    let bare = try GridDefinition(example.grid.detectors, axes: [])
    for stream in AnswerStream.allCases {
      let fixed = try await FixedSweep(bare.grid(stream, example.data), example.data, jobs: 2)
      for axis in try example.grid.grid(stream, example.data).variants[0].axes {
        let line = try GridDefinition(
          example.grid.detectors, axes: [ParameterAxis(axis.key, .list(axis.values))])
        let grid = try line.grid(stream, example.data)
        let sweep = await StreamSweep(grid, example.data, engine: .automatic, jobs: 2, fixed: fixed)
        let expected = try await StreamSweep(grid, example.data).evaluate(0..<grid.cellCount)
        #expect(
          try await sweep.evaluate(0..<grid.cellCount).storage == expected.storage,
          "seed \(seed) \(stream) \(axis.key)")
      }
    }
  }

  @Test(
    "Short recordings joined to one sequence give every person the same numbers",
    arguments: Draws.seeds(100))
  func shortOnesJoined(seed: Int) async throws {
    let example = try RandomCase(seed: seed)
    var random = SplitMix64(spread: seed + 7)
    let data = try MeasuredData(
      variants: [(0..<30).map { RandomCase.sequence("r\($0)", size: 150, &random) }])
    let joined = data.withShortOnesJoined
    #expect(joined.sequences.count < data.sequences.count)
    for stream in AnswerStream.allCases {
      let grid = try example.grid.grid(stream, example.data)
      let range = sample(grid.cellCount, seed: seed).prefix(40)
      for engine in [SweepEngine.automatic, .streaming] {
        let found = try await numbers(grid, joined, engine, range)
        let expected = try await numbers(grid, data, engine, range)
        #expect(found == expected, "seed \(seed) \(stream) \(engine)")
      }
    }
  }

  private func numbers(
    _ grid: StreamGrid, _ data: MeasuredData, _ engine: SweepEngine, _ range: Range<Int>
  ) async throws -> [[String]] {
    let sweep = StreamSweep(grid, data, engine: engine)
    let table = try SubjectTable(try await sweep.evaluate(range), allowsUngrouped: true)
    return table.cells.ids.indices.map { position in
      table.subjects.indices.map { subject in
        let numbers = SubjectNumbers(
          subject: table.subjects[subject], source: nil, table.sequences[subject], table.cells,
          at: position)
        let events = numbers.events.map { "\($0)" }.sorted()
        return "\(numbers.subject) \(numbers.confusion) "
          + "\(numbers.confusionSeconds.map { $0.map { ($0 * 1e7).rounded() } }) "
          + "\(numbers.transitions) \(numbers.trueTransitions) "
          + "\((numbers.evaluated.value * 1e6).rounded()) \(events)"
      }
    }
  }

  /// At most 400 cells somewhere in the grid.
  private func sample(_ count: Int, seed: Int) -> Range<Int> {
    var random = SplitMix64(spread: seed + 1)
    guard count > 400 else { return 0..<count }
    let start = random.index(below: count - 400)
    return start..<start + 400
  }

  @Test("Sequences in which no threshold decides have no rows, and others have")
  func takenOver() async throws {
    var (without, with) = (0, 0)
    for seed in 0..<40 {
      let example = try RandomCase(seed: seed)
      let bare = try GridDefinition(example.grid.detectors, axes: [])
      for stream in AnswerStream.allCases {
        let fixed = try await FixedSweep(bare.grid(stream, example.data), example.data, jobs: 1)
        for axis in try example.grid.grid(stream, example.data).variants[0].axes {
          let line = try GridDefinition(
            example.grid.detectors, axes: [ParameterAxis(axis.key, .list(axis.values))])
          let outline = PreparedVariant.Outline(
            try line.grid(stream, example.data).variants[0], example.data.variants[0],
            fixed.facts, fixed: fixed.variants[0])
          let sequences = (0..<outline.count).map(outline.sequence)
          without += sequences.count { $0.rows == nil }
          with += sequences.count { $0.rows != nil }
        }
      }
    }
    #expect(without > 100 && with > 100, "\(without) without, \(with) with")
  }

  @Test("Where every frame sets the answer, pieces go on across times longer than the hold")
  func joinedPieces() async throws {
    func layouts(_ seed: Int, plankFrames: Double) throws -> [WordLayout] {
      let example = try RandomCase(seed: seed)
      let own = example.grid.detectors[0]
      var base = own.base
      try base.set(.plankFrames, to: plankFrames)
      try base.set(.holdSeconds, to: 0)
      let grid = try GridDefinition([own.with(base)], axes: []).grid(.plank, example.data)
      let outline = PreparedVariant.Outline(
        grid.variants[0], example.data.variants[0],
        StreamFacts(.plank, example.data.variants[0]))
      return (0..<outline.count).map { outline.sequence($0).layout }
    }
    var (joined, words, wordsApart) = (0, 0, 0)
    for seed in 0..<40 {
      for (one, two) in zip(
        try layouts(seed, plankFrames: 1), try layouts(seed, plankFrames: 2))
      {
        #expect(one.frames == two.frames && !two.hasJoinedPieces)
        #expect(one.wordCount <= two.wordCount)
        #expect(one.hasJoinedPieces || one.wordCount == two.wordCount)
        if one.hasJoinedPieces { joined += 1 }
        (words, wordsApart) = (words + one.wordCount, wordsApart + two.wordCount)
      }
    }
    #expect(joined > 20 && words * 10 < wordsApart, "\(joined), \(words) of \(wordsApart) words")
  }

  @Test("The streaming engine equals the detector's own scores", arguments: Draws.seeds(60))
  func streamingEqualsScores(seed: Int) async throws {
    let example = try RandomCase(seed: seed)
    for stream in AnswerStream.allCases {
      let grid = try example.grid.grid(stream, example.data)
      let sweep = StreamSweep(grid, example.data, engine: .streaming)
      let table = try await sweep.evaluate(0..<min(grid.cellCount, 10))
      for (position, id) in table.ids.enumerated() {
        let detector = try BatchDetector(
          grid.variants[0].detector, parameters: try grid.parameters(of: id))
        for (index, sequence) in example.data.sequences.enumerated() {
          let scores = sequence.scores(of: detector)[stream]
          let all = table.confusion(at: position, sequence: index)
          #expect(scores.confusion.rows.flatMap(\.self) == all)
          #expect(
            scores.stability.predictedTransitions
              == table.transitions(at: position, sequence: index))
          Self.expectDetections(scores.temporal.classes, table, at: position, sequence: index)
        }
      }
    }
  }

  /// Expects the latencies of the cells to be those of the scores, class by class.
  private static func expectDetections(
    _ classes: [ClassTemporalCounts], _ table: CellTable, at position: Int, sequence: Int
  ) {
    let facts = table.layout.facts.sequences[sequence]
    for (code, counts) in classes.enumerated() {
      let onsets = facts.onsets.indices.filter { Int(facts.onsets[$0].label) == code + 1 }
      #expect(onsets.count == counts.detections.count)
      for (index, latency) in zip(onsets, counts.detections) {
        let onset = facts.onsets[index]
        let frames = table.latency(at: position, sequence: sequence, onset: index)
        let seconds = frames.map { facts.latency(frames: $0, of: onset) } ?? onset.duration
        #expect((frames == nil) == latency.isCensored)
        #expect(abs(seconds.value - latency.seconds) <= 1e-9)
        #expect(onset.isObserved == (latency.change == .observed))
      }
    }
  }

  @Test("Every copy of the kernel gives the same numbers", arguments: Draws.seeds(20))
  func kernelCopies(seed: Int) async throws {
    let example = try RandomCase(seed: seed + 500)
    let grid = try example.grid.grid(.plank, example.data)
    let sweep = StreamSweep(grid, example.data)
    let range = sample(grid.cellCount, seed: seed)
    let own = SweepKernelPath.current
    let expected = try await sweep.evaluate(range)
    for name in SweepKernelPath.names where SweepKernelPath.use(name) {
      let copy = StreamSweep(grid, example.data)
      #expect(try await copy.evaluate(range).storage == expected.storage, "\(name)")
    }
    #expect(SweepKernelPath.use(own))
  }

  @Test("The number of cores and the division into ranges change nothing", arguments: 0..<10)
  func threadsDoNotMatter(seed: Int) async throws {
    let example = try RandomCase(seed: seed)
    let grid = try example.grid.grid(.plank, example.data)
    let sweep = StreamSweep(grid, example.data)
    let count = min(grid.cellCount, 2000)
    let whole = try await sweep.evaluate(0..<count, jobs: 1)
    #expect(try await sweep.evaluate(0..<count, jobs: 3).storage == whole.storage)
    let (first, second) = (count / 3, 2 * count / 3)
    var parts = try await sweep.evaluate(0..<first)
    parts.append(try await sweep.evaluate(first..<second))
    parts.append(try await sweep.evaluate(second..<count))
    #expect(parts.ids == whole.ids)
    #expect(parts.storage == whole.storage)
  }
}

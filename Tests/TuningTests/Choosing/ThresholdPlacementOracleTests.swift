import Evaluation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@testable import Tuning

@Suite("Threshold placement against a naive one")
struct ThresholdPlacementOracleTests {
  /// A recording as the naive placement sees it.
  private struct Plain {
    let subject: String
    let source: String?
    let rate: Double
    let frames: [(form: FormClass, height: Float)]
  }

  private static let typical: [FormClass: Double] = [.sag: -0.07, .aligned: 0.02, .pike: 0.12]

  private func recordings(_ random: inout SplitMix64) -> [Plain] {
    let sources = random.pick([1, 3])
    return (0..<random.integer(4...8)).map { index in
      let source = "d\(index % sources)"
      let forms = random.shuffled(FormClass.allCases).prefix(random.integer(1...3))
      return Plain(
        subject: "\(source)/s\(index / 2)", source: sources > 1 ? source : nil,
        rate: random.pick([4, 30, 60]),
        frames: (0..<random.integer(1...25)).map { _ in
          let form = random.pick(Array(forms))
          let height = (Self.typical[form] ?? 0) + random.uniform(-0.04, 0.04)
          let measured = Float((height * 50).rounded() / 50)
          return (form: form, height: random.chance(0.1) ? .nan : measured)
        })
    }
  }

  /// The middle of all numbers with at most half of the weight on either side.
  private func median(_ frames: [(value: Double, weight: Double)]) -> Double? {
    let half = frames.reduce(0) { $0 + $1.weight } * (0.5 + 1e-9)
    let middles = frames.map(\.value).filter { value in
      frames.filter { $0.value < value }.reduce(0) { $0 + $1.weight } <= half
        && frames.filter { $0.value > value }.reduce(0) { $0 + $1.weight } <= half
    }
    guard let least = middles.min(), let most = middles.max() else { return nil }
    return (least + most) / 2
  }

  private func median(_ form: FormClass, _ drawn: [String], _ all: [Plain]) -> Double? {
    let medians = Set(all.map(\.source)).sorted { ($0 ?? "") < ($1 ?? "") }.compactMap { source in
      median(
        drawn.flatMap { subject in
          all.filter { $0.subject == subject && $0.source == source }.flatMap { recording in
            recording.frames.filter { $0.form == form && $0.height.isFinite }
              .map { (value: Double($0.height), weight: 1 / recording.rate) }
          }
        })
    }
    return medians.isEmpty ? nil : medians.reduce(0, +) / Double(medians.count)
  }

  @Test(
    "Medians are those of the drawn people's time, averaged over sources",
    arguments: Draws.seeds(60))
  func medians(seed: Int) throws {
    var random = SplitMix64(spread: seed)
    let all = recordings(&random)
    let data = try MeasuredData(variants: [
      try all.enumerated().map { index, plain in
        try PlacementCase.sequence(
          "q\(index)", subject: plain.subject, source: plain.source, rate: plain.rate,
          plain.frames)
      }
    ])
    let subjects = Set(all.map(\.subject)).sorted()
    let drawn = subjects.map { _ in random.index(below: subjects.count) }
    let found = try PlacementCase.placements(
      PlacementCase.definition(), .form, data, drawn: drawn)
    let names = drawn.map { subjects[$0] }
    let (sag, aligned, pike) = (
      median(.sag, names, all), median(.aligned, names, all), median(.pike, names, all)
    )
    // What sags is told from the nearer of the two others that lies above it.
    let others = [aligned, pike].compactMap(\.self)
    let above = others.filter { other in sag.map { other > $0 } ?? false }
    let lower = sag.flatMap { sag in above.min().map { -(sag + $0) / 2 } }
    let upper = pike.flatMap { pike in aligned.flatMap { $0 < pike ? ($0 + pike) / 2 : nil } }
    for (key, expected) in [(ParameterKey.sag, lower), (.pike, upper)] {
      let middle = found.first { $0.key == key }?.middle
      #expect((middle == nil) == (expected == nil))
      if let middle, let expected { #expect(abs(middle - expected) < 1e-9) }
    }
  }
}

@Suite("Threshold placement on any data")
struct ThresholdPlacementPropertyTests {
  private func data(_ seed: Int, sources: Int = 1) throws -> MeasuredData {
    var people = SimulatedPeople(seed: seed, personBias: 0.01, sourceBias: 0.01)
    return try MeasuredData(variants: [
      try people.sequences(sources: sources, people: 4, recordings: 1)
    ])
  }

  @Test(
    "No cell of the plateau with the same frames is nearer to the middles", arguments: 0..<10)
  func nearest(seed: Int) async throws {
    let report = try await PlacementCase.tune(try data(seed, sources: 1 + seed % 3))
    let plateau = try #require(report.choice.plateau)
    #expect(plateau.cells.contains(report.choice.cell))
    func distance(_ cell: Int) throws -> Double {
      let values = try report.grid.parameters(of: cell)
      return report.choice.placements.reduce(0) { sum, placement in
        let offset = ((values[placement.key] ?? 0) - placement.middle) / placement.gap
        return sum + offset * offset
      }
    }
    let own = try distance(report.choice.cell)
    let frames = try report.grid.parameters(of: report.choice.cell)[.formFrames]
    for cell in plateau.cells where try report.grid.parameters(of: cell)[.formFrames] == frames {
      #expect(try distance(cell) >= own - 1e-9)
    }
  }

  @Test(
    "The order of axes, values and recordings, and the engine, change nothing", arguments: 0..<6)
  func order(seed: Int) async throws {
    var random = SplitMix64(spread: seed)
    let plain = try data(seed, sources: 2)
    let lists: [(ParameterKey, [Double])] = [
      (.sag, [0, 0.015, 0.03, 0.045, 0.06]), (.pike, [0.01, 0.02, 0.03, 0.05]),
      (.formFrames, [1, 2, 4]),
    ]
    let first = try await PlacementCase.tune(
      plain, try PlacementCase.definition(lists.map { ParameterAxis($0.0, .list($0.1)) }))
    let mixed = try await PlacementCase.tune(
      try MeasuredData(variants: [random.shuffled(plain.sequences)]),
      try PlacementCase.definition(
        random.shuffled(lists).map { ParameterAxis($0.0, .list(random.shuffled($0.1))) }),
      engine: .streaming)
    #expect(first.parameters == mixed.parameters)
    #expect(first.choice.placements.map(\.middle).count == 2)
    #expect(
      Set(first.choice.placements.map(\.middle)) == Set(mixed.choice.placements.map(\.middle)))
  }
}

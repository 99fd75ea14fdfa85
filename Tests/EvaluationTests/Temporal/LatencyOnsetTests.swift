import Evaluation
import PoseModel
import TestSupport
import Testing

@Suite("Latency from onsets")
struct LatencyOnsetTests {
  /// Eight frames per second; a forearm plank, or something else, starts at a frame.
  private func latencies(
    _ truth: String, _ answers: String, _ onset: Int, _ plank: PlankClass = .forearm
  ) -> (detections: [Latency], releases: [Latency]) {
    var scenario = Scenario(truth, answers: answers, rate: 8)
    scenario.onsets = [LabelOnset(time: Seconds(Double(onset) / 8), plank: plank)]
    return scenario.outcome.latencies(.plank, of: Scenario.plankCode("f"))
  }

  @Test("A detection takes from the onset to the first answer, in scoring or before it")
  func detection() {
    #expect(
      latencies("nxxxxffff", "nnnffffff", 2).detections
        == [Latency(seconds: 0.125, isCensored: false)])
    #expect(
      latencies("nxxxxffff", "nnnnnnfff", 2).detections
        == [Latency(seconds: 0.5, isCensored: false)])
  }

  @Test("An answer that is there at the onset is early")
  func early() {
    #expect(
      latencies("nxxxxffff", "nffffffff", 2).detections
        == [Latency(seconds: 0, isCensored: false, isEarly: true)])
  }

  @Test("An answer that ends before scoring starts answers nothing")
  func gone() {
    #expect(
      latencies("nxxxxffff", "nnffnnnnn", 2).detections
        == [Latency(seconds: 0.875, isCensored: true)])
  }

  @Test("A release takes from the onset of what follows to the first other answer")
  func release() {
    #expect(
      latencies("fffxxxxnn", "ffffffnnn", 4, .none).releases
        == [Latency(seconds: 0.25, isCensored: false)])
    #expect(
      latencies("fffxxxxnn", "fffnnnnnn", 4, .none).releases
        == [Latency(seconds: 0, isCensored: false, isEarly: true)])
  }

  @Test("Without an onset the same start is hidden")
  func withoutOnset() {
    let scenario = Scenario("nxxxxffff", answers: "nnnffffff", rate: 8)
    let found = scenario.outcome.latencies(.plank, of: Scenario.plankCode("f")).detections
    #expect(found.map(\.change) == [.hidden(upTo: 0.25)])
  }
}

@Suite("Latency from onsets, on random sequences")
struct LatencyOnsetPropertyTests {
  @Test(
    "Leaving out a movement whose onset is known changes no latency of an event that is seen answered",
    arguments: UInt64(0)..<60)
  func asIfAllWereScored(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var whole = Scenario.random(seed: seed, frames: 300)
    whole.plankTruth = String(whole.plankTruth.map { ".x".contains($0) ? "n" : $0 })
    whole.formTruth = nil
    let (partial, hidden) = Self.leftOut(whole, &random)
    #expect(!partial.onsets.isEmpty)
    let answers = whole.outcome.plank.answers
    for code in UInt8(1)..<6 {
      let expected = whole.outcome.latencies(.plank, of: code).detections
      let found = partial.outcome.latencies(.plank, of: code).detections
      let events = Self.events(whole, of: code)
      try #require(expected.count == found.count && events.count == found.count)
      for (event, (all, some)) in zip(events, zip(expected, found)) {
        let isSeen = event.contains { !hidden.contains($0) && answers[$0] == code }
        #expect(some == (isSeen ? all : Self.missed(event, whole, all.change)))
      }
    }
  }

  /// The scenario with frames around most changes ignored, and an onset at each of these changes.
  private static func leftOut(
    _ whole: Scenario, _ random: inout SplitMix64
  ) -> (Scenario, hidden: Set<Int>) {
    var partial = whole
    var truth = Array(whole.plankTruth)
    let changes = truth.indices.dropFirst().filter { truth[$0] != truth[$0 - 1] }
    let limits = [0] + changes + [truth.count]
    var hidden: Set<Int> = []
    for (index, change) in changes.enumerated() where random.unit() < 0.7 {
      let before = (change - limits[index] - 1) / 2
      let after = (limits[index + 2] - change - 1) / 2
      let frames =
        change - random.index(below: before + 1)..<change + random.index(below: after + 1)
      guard !frames.isEmpty else { continue }
      hidden.formUnion(frames)
      partial.onsets.append(
        LabelOnset(
          time: Seconds(whole.times[change]),
          plank: PlankClass(code: Scenario.plankCode(truth[change]))))
    }
    for frame in hidden { truth[frame] = "x" }
    partial.plankTruth = String(truth)
    return (partial, hidden)
  }

  private static func events(_ scenario: Scenario, of code: UInt8) -> [Range<Int>] {
    let codes = scenario.outcome.truth.plank
    var events: [Range<Int>] = []
    for frame in codes.indices where codes[frame] == code {
      if let last = events.last, last.upperBound == frame {
        events[events.count - 1] = last.lowerBound..<frame + 1
      } else {
        events.append(frame..<frame + 1)
      }
    }
    return events
  }

  /// A miss lasts as long as its event.
  private static func missed(
    _ event: Range<Int>, _ scenario: Scenario, _ change: Latency.Change
  ) -> Latency {
    let times = scenario.times
    let last = event.upperBound - 1
    let end =
      last + 1 < times.count
      ? times[last + 1] : times[last] + scenario.outcome.frameWeight.value
    return Latency(seconds: end - times[event.lowerBound], isCensored: true, change: change)
  }
}

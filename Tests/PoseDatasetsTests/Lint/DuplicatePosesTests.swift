import PoseModel
import Testing

@testable import PoseDatasets

@Suite("Poses that two files share")
struct DuplicatePosesTests {
  private static let joints = Skeleton.vision3d.joints

  /// A pose that no other seed gives.
  private func pose(_ seed: Int, scale: Double = 1, decimals: Double = 1e9) -> [Float] {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    return (0..<(3 * Self.joints.count)).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let number = Double(state >> 40) / Double(1 << 24) - 0.5
      return Float((number * scale * decimals).rounded() / decimals)
    }
  }

  private func prints(
    _ name: String, _ poses: [[Float]?], joints: [Joint] = joints, start: Double = 0
  ) -> PoseFingerprints {
    var recording = Recording(
      header: RecordingHeader(skeleton: .vision3d, joints: joints, frame: .camera))
    for (index, pose) in poses.enumerated() {
      recording.append(time: Seconds(start + Double(index) / 30), pose: pose)
    }
    return PoseFingerprints(path: name, recording: recording)
  }

  private func pairs(_ files: PoseFingerprints...) -> [DuplicatePoses.Pair] {
    var duplicates = DuplicatePoses()
    for file in files { duplicates.add(file) }
    return duplicates.pairs
  }

  @Test("A run is found at other times and behind other frames")
  func run() {
    let earlier = prints("a", (0..<171).map { pose($0) })
    let others = (1000..<1010).map { pose($0) }
    let later = prints("b", others + (0..<171).map { pose($0) } + [pose(2000)], start: 99)
    let expected = DuplicatePoses.Run(earlierStart: 0, laterStart: 10, length: 171)
    #expect(pairs(earlier, later) == [.init(earlier: 0, later: 1, runs: [expected])])
  }

  @Test(
    "A run of five is told, one of four is not", arguments: [(4, false), (5, true), (6, true)])
  func shortest(length: Int, isTold: Bool) {
    let earlier = prints("a", (0..<20).map { pose($0) })
    let later = prints("b", (10..<(10 + length)).map { pose($0) } + [pose(100), pose(101)])
    #expect(pairs(earlier, later).isEmpty != isTold)
  }

  @Test("Frames without a pose do not break a run")
  func gaps() {
    let poses = (0..<8).map { pose($0) }
    let later = prints("b", [pose(50), poses[0], nil, poses[1], nil] + poses[2...].map { $0 })
    let pair = pairs(prints("a", poses + [pose(51)]), later)
    #expect(pair.first?.runs.first?.length == 8)
    #expect(later.frames == [0, 1, 3, 5, 6, 7, 8, 9, 10])
  }

  @Test("The order of joints, the scale and rounding to 0.1 mm do not matter")
  func normalized() {
    let earlier = prints("a", (0..<10).map { pose($0) })
    let reversed = prints(
      "b",
      (0..<10).map { seed in
        let slots = stride(from: 0, to: 51, by: 3).map { pose(seed)[$0..<($0 + 3)] }
        return slots.reversed().flatMap { $0 }
      }, joints: Self.joints.reversed())
    let scaled = prints("c", (0..<10).map { pose($0, scale: 1.07, decimals: 1e4) })
    let found = pairs(earlier, reversed, scaled)
    #expect(found.count == 3)
    #expect(found.allSatisfy { $0.runs.map(\.length) == [10] })
  }

  @Test("A joint that is missing in one file, or noise of a centimeter, makes other poses")
  func different() {
    let poses = (0..<10).map { pose($0) }
    let missing = poses.map { pose in [.nan, .nan, .nan] + pose[3...] }
    let noisy = poses.map { pose in
      pose.enumerated().map { $0.element + ($0.offset % 2 == 0 ? 0.01 : -0.01) }
    }
    #expect(pairs(prints("a", poses), prints("b", missing), prints("c", noisy)) == [])
  }

  @Test("Runs within one file are not reported")
  func withinOneFile() {
    let poses = (0..<6).map { pose($0) }
    #expect(pairs(prints("a", poses + poses)) == [])
  }

  @Test("Still against alternating poses takes linear time", .timeLimit(.minutes(1)))
  func alternating() {
    let still = prints("a", Array(repeating: pose(1), count: 20_000))
    let found = pairs(still, prints("b", (0..<20_000).map { pose($0 % 2) }))
    #expect(found.isEmpty)
  }

  @Test("Many alike recordings take linear time", .timeLimit(.minutes(1)))
  func alike() {
    let poses = (0..<30).map { pose($0) }
    var duplicates = DuplicatePoses()
    for index in 0..<3000 { duplicates.add(prints("\(index)", poses)) }
    // Each is reported as a copy of the first ones.
    #expect(duplicates.pairs.last?.later == 2999)
    #expect(duplicates.pairs.count { $0.later == 2999 } == 8)
    #expect(duplicates.pairs.count { $0.earlier == 0 } == 2999)
  }

  @Test("A piece out of the middle of a slow hold is found")
  func slowHold() {
    let hold = (0..<3000).map { index in
      pose(1).enumerated().map { $1 + Float($0 % 7) * Float(index) * 2e-5 }
    }
    let found = pairs(prints("a", hold), prints("b", [pose(7)] + hold[1500..<1600] + [pose(8)]))
    #expect(found.first?.runs.map(\.length) == [100])
  }

  @Test("Still recordings are compared in reasonable time", .timeLimit(.minutes(1)))
  func still() {
    let still = prints("a", Array(repeating: pose(1), count: 3000))
    let found = pairs(still, prints("b", Array(repeating: pose(1), count: 3000)))
    #expect(found.first?.runs.map(\.length) == [3000])
  }
}

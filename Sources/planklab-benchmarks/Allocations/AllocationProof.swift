import PlankDetection
import Platform
import PoseDatasets
import PoseModel

/// The counter must first detect planted allocations.
struct AllocationProof {
  private let counter: AllocationCounter
  private let frames: [PoseFrame]
  private let warmUp: Int
  private var failures = 0

  init(_ counter: AllocationCounter, frames count: Int) throws {
    self.counter = counter
    frames = try Self.frames(of: LoadBenchmark(frames: count, seed: 3).read())
    warmUp = count / 2
  }

  mutating func run() throws -> Bool {
    guard seesPlanted() else {
      print("the counter does not see a planted allocation: it proves nothing")
      return false
    }
    print("planted: 1000 allocations in 1000 frames are seen")
    for definition in DetectorDefinition.builtIn { try detector(definition.name, definition) }
    for definition in [try ExpressionDetectors.gravity(), try ExpressionDetectors.windows()] {
      try detector(definition.name, definition)
    }
    for kind in SmoothingKind.allCases {
      for target in SmoothingTarget.allCases { try smoothing(kind, target) }
    }
    for kind in DebounceKind.allCases { try debounce(kind) }
    try session()
    print(failures == 0 ? "nothing is allocated per frame" : "\(failures) cases allocate")
    return failures == 0
  }

  private func seesPlanted() -> Bool {
    var kept: [[UInt8]] = []
    kept.reserveCapacity(1000)
    let seen = counter.count {
      for frame in 0..<1000 { kept.append(Array(repeating: UInt8(frame % 256), count: 100)) }
    }
    return seen == 1000 && kept.count == 1000
  }

  private mutating func smoothing(_ kind: SmoothingKind, _ target: SmoothingTarget) throws {
    var values: [[ParameterKey: Double]] = [[:]]
    if kind.alternatives.contains(.windowSeconds) { values.append([.windowSeconds: 0.3]) }
    for value in values {
      let name = "\(kind.rawValue)\(value.isEmpty ? "" : " in seconds")@\(target.rawValue)"
      try detector(
        name, .gravity, smoothing: SmoothingStrategy([SmoothingStep(kind, value, on: target)]))
    }
  }

  private mutating func debounce(_ kind: DebounceKind) throws {
    let rule = try StrategySettings(kind)
    let bands = [try SchmittBand(.sag, halfWidth: 0.01)]
    try detector(
      kind.rawValue + " with bands", .gravity,
      debounce: DebounceStrategy(plank: rule, form: rule, bands: bands))
  }

  private mutating func detector(
    _ name: String, _ definition: DetectorDefinition, smoothing: SmoothingStrategy = .none,
    debounce: DebounceStrategy = .parameters
  ) throws {
    let frames = definition.axes.isImage ? Self.pictures(of: frames) : frames
    var detector = try PlankDetector(definition, smoothing: smoothing, debounce: debounce)
    var planks = 0
    for frame in frames[..<warmUp] where try detector.update(frame).plank != .none { planks += 1 }
    let count = try counter.count {
      for frame in frames[warmUp...] where try detector.update(frame).plank != .none { planks += 1 }
    }
    report(name, count, answers: planks)
  }

  private static func pictures(of frames: [PoseFrame]) -> [PoseFrame] {
    let axes = ImageScale(.vision2d, widthPixels: 1, heightPixels: 1).flatMap {
      FrameAxes(image: $0)
    }
    return frames.map { frame in
      var picture = frame
      picture.axes = axes ?? frame.axes
      for joint in Joint.allCases {
        guard let position = frame.pose?[joint] else { continue }
        picture.pose?.setPoint(of: joint, x: position.x, y: position.y, confidence: 0.9)
      }
      return picture
    }
  }

  private mutating func session() throws {
    var detector = try PlankDetector(.gravity)
    // The body sags, and only a session that tolerates this stays active.
    let patient = try SessionParameters([.sessionBad: 60])
    var log = SessionLog(patient, reservedFrames: frames.count)
    for frame in frames[..<warmUp] {
      try log.append(SessionFrame(time: frame.time, answer: detector.update(frame)))
    }
    let count = try counter.count {
      for frame in frames[warmUp...] {
        try log.append(SessionFrame(time: frame.time, answer: detector.update(frame)))
      }
    }
    report("session with log", count, answers: log.stateNames.count { $0 == "active" })
  }

  private mutating func report(_ name: String, _ count: Int, answers: Int) {
    if count != 0 { failures += 1 }
    print("\(name): \(count) allocations in \(frames.count - warmUp) frames, \(answers) planks")
  }

  private static func frames(of recording: Recording) throws -> [PoseFrame] {
    var judge = try PlankDetector(.gravity)
    var still = Pose()
    for index in 0..<recording.frameCount {
      still.load(recording, frame: index)
      let axes = FrameAxes(up: .unitY)
      let frame = PoseFrame(time: Seconds(Double(index)), pose: still, axes: axes)
      if try judge.update(frame).plank != .none { break }
    }
    var time = 0.0
    return (0..<recording.frameCount).map { index in
      time += index % 300 == 299 ? 0.7 : 1.0 / 30
      var pose = still
      for joint in Joint.allCases {
        let noise = Double((index * 7919 + joint.index * 104_729) % 101) / 101 - 0.5
        pose[joint] = pose[joint].map { $0 + Vector3(noise, -noise, noise) * 0.01 }
      }
      if index % 41 == 5 { pose[.leftWrist] = nil }
      return PoseFrame(
        time: Seconds(time), pose: index % 97 < 4 ? nil : pose, axes: FrameAxes(up: .unitY),
        bodyHeight: Meters(1.75))
    }
  }
}

struct AllocationCounter {
  private let read: @convention(c) () -> UInt

  init?() {
    guard let program = dlopen(nil, RTLD_NOW),
      let symbol = dlsym(program, "planklab_allocation_count")
    else { return nil }
    read = unsafeBitCast(symbol, to: (@convention(c) () -> UInt).self)
  }

  func count(_ body: () throws -> Void) rethrows -> Int {
    let before = read()
    try body()
    return Int(read() - before)
  }
}

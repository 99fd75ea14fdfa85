import PoseModel
import Testing

@testable import PoseSynthesis

@Suite("Noise presets")
struct PresetTests {
  /// A straight plank from the side at 2 m for two minutes.
  private func frames(_ preset: NoisePreset) throws -> [WorldFrame] {
    var script = Session.still(.forearm, seconds: 120)
    script.camera.height = Meters(0.25)
    script.noise = preset.parameters
    let recording = try Session.made(script).recording
    return (0..<recording.frameCount).compactMap { WorldFrame(recording, script, frame: $0) }
  }

  @Test("The article's preset reproduces its figures: depth jitter and angle")
  func article() throws {
    let frames = try frames(.article)
    // The camera stands along the world's x. Joints share the root's error: it is taken out.
    let depths = frames.map { frame in
      frame[.leftKnee].x - frame.all.map(\.x).reduce(0, +) / Double(frame.all.count)
    }
    #expect((0.02...0.03).contains(moments(depths).deviation))
    let angles = moments(frames.map(\.bodyAngle))
    #expect((2.0...3.1).contains(angles.deviation))
    #expect((174.3...176.3).contains(angles.mean))
    let offsets = moments(frames.map(\.hipOffset))
    #expect((0.009...0.013).contains(offsets.deviation))
  }

  @Test("A clean recording holds nothing but rounding")
  func clean() throws {
    let frames = try frames(.clean)
    #expect(frames.allSatisfy { $0.bodyAngle > 179.95 })
    #expect(moments(frames.map { $0[.leftKnee].x }).deviation < 1e-12)
  }

  @Test("The phone's preset is colored: neighboring frames err alike")
  func phone() throws {
    let offsets = try frames(.phone).map(\.hipOffset)
    let (mean, deviation) = moments(offsets)
    let lagged = zip(offsets, offsets.dropFirst()).map { ($0 - mean) * ($1 - mean) }
    let correlation = lagged.reduce(0, +) / Double(lagged.count) / (deviation * deviation)
    #expect(correlation > 0.3)
    #expect((0.005...0.04).contains(deviation))
  }

  @Test("Every preset is valid, and harsh is the worst", arguments: NoisePreset.allCases)
  func valid(preset: NoisePreset) throws {
    try preset.parameters.validate()
    let harsh = NoisePreset.harsh.parameters.joints
    for field in JointNoiseParameters.fields where field.key != "colored_time_s" {
      guard preset != .article || !field.key.hasPrefix("white") else { continue }
      #expect(preset.parameters.joints[keyPath: field.path] <= harsh[keyPath: field.path])
    }
  }
}

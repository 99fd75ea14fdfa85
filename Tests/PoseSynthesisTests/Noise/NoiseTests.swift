import PoseModel
import Testing

@testable import PoseSynthesis

/// The standard deviation of one session's joint error, joint by joint and axis by axis.
@Suite("Noise")
struct NoiseTests {
  /// Errors of the wrists of a still session, one array per axis, root error taken out of none:
  /// the root's own noise is part of every position.
  private func series(
    _ change: (inout NoiseParameters) -> Void, seconds: Double = 300, rate: Double = 30,
    distance: Double = 2
  ) throws -> (across: [Double], depth: [Double], times: [Double]) {
    var script = Session.still(.forearm, seconds: seconds)
    script.camera.distance = Meters(distance)
    script.camera.height = Meters(0.25)
    script.clock.rate = Hertz(rate)
    let clean = try Session.made(script).recording
    change(&script.noise)
    let noisy = try Session.made(script).recording
    var (across, depth): ([Double], [Double]) = ([], [])
    for frame in 0..<noisy.frameCount {
      guard let p = noisy.position(of: .leftWrist, at: frame),
        let q = clean.position(of: .leftWrist, at: frame)
      else { continue }
      across.append(p.x - q.x)
      depth.append(p.z - q.z)
    }
    return (across, depth, noisy.times)
  }

  private func correlation(_ values: [Double], lag: Int = 1) -> Double {
    let (mean, deviation) = moments(values)
    let pairs = zip(values, values.dropFirst(lag)).map { ($0 - mean) * ($1 - mean) }
    return pairs.reduce(0, +) / Double(pairs.count) / (deviation * deviation)
  }

  /// Allan deviation: half the mean square of differences of neighboring block means.
  private func allan(_ values: [Double], block: Int) -> Double {
    let means = stride(from: 0, through: values.count - block, by: block).map {
      values[$0..<$0 + block].reduce(0, +) / Double(block)
    }
    let squares = zip(means, means.dropFirst()).map { ($0 - $1) * ($0 - $1) }
    return (squares.reduce(0, +) / Double(squares.count) / 2).squareRoot()
  }

  @Test("White noise has the scripted spread, without memory; the root's adds in squares")
  func white() throws {
    let (across, depth, _) = try series {
      $0.joints.whiteAcross = Meters(0.01)
      $0.joints.whiteDepth = Meters(0.025)
    }
    // Seven of the nine thousand frames' standard errors: 1 % of the spread.
    #expect((moments(across).deviation / 0.01 / 2.0.squareRoot() - 1).magnitude < 0.04)
    #expect((moments(depth).deviation / 0.025 / 2.0.squareRoot() - 1).magnitude < 0.04)
    #expect(correlation(across).magnitude < 0.04)
  }

  @Test(
    "The Allan deviation of white noise falls with the root of the block", arguments: [4, 16, 64])
  func allanOfWhite(block: Int) throws {
    let (across, _, _) = try series { $0.joints.whiteAcross = Meters(0.01) }
    let expected = 0.01 * 2.0.squareRoot() / Double(block).squareRoot()
    #expect((allan(across, block: block) / expected - 1).magnitude < 0.25)
  }

  @Test(
    "Colored noise has its spread and its lag-one autocorrelation at any rate",
    arguments: [8.0, 30, 60])
  func colored(rate: Double) throws {
    let (across, _, _) = try series(
      {
        $0.joints.coloredAcross = Meters(0.01)
        $0.joints.coloredTime = Seconds(0.5)
      }, seconds: 600, rate: rate)
    let expected = exponential(-1 / (rate * 0.5))
    #expect((correlation(across) - expected).magnitude < 0.02)
    #expect((moments(across).deviation / 0.01 / 2.0.squareRoot() - 1).magnitude < 0.12)
  }

  @Test("The Allan deviation of colored noise stays up to its correlation time")
  func allanOfColored() throws {
    let (across, _, _) = try series(
      {
        $0.joints.coloredAcross = Meters(0.01)
        $0.joints.coloredTime = Seconds(0.5)
      }, seconds: 600)
    // AR(1): sigma^2 (1 - f(m)) up to constants; the ratio of blocks of 15 and 1 is over 2.
    #expect(allan(across, block: 15) > 2 * allan(across, block: 1))
  }

  /// exp without a platform import, exact enough for a bound of two percent.
  private func exponential(_ x: Double) -> Double {
    (0..<30).reversed().reduce(1) { 1 + x / Double($1 + 1) * $0 }
  }

  @Test("Errors grow with distance by their powers", arguments: [1.0, 4.0])
  func distance(meters: Double) throws {
    let (across, depth, _) = try series(
      {
        $0.joints.whiteAcross = Meters(0.01)
        $0.joints.whiteDepth = Meters(0.02)
        $0.joints.depthExponent = 2
      }, seconds: 60, distance: meters)
    let factor = meters / 2
    #expect((moments(across).deviation / (0.01 * factor) / 2.0.squareRoot() - 1).magnitude < 0.08)
    #expect(
      (moments(depth).deviation / (0.02 * factor * factor) / 2.0.squareRoot() - 1).magnitude < 0.08)
  }

  @Test("Bias is constant within a session and differs between sessions")
  func bias() throws {
    var means: [Double] = []
    for seed in 1...60 as ClosedRange<UInt64> {
      var script = Session.still(.forearm)
      script.seed = seed
      script.noise.joints.biasDepth = Meters(0.025)
      let recording = try Session.made(script).recording
      let first = try #require(recording.position(of: .leftWrist, at: 0))
      let last = try #require(recording.position(of: .leftWrist, at: recording.frameCount - 1))
      #expect((first - last).norm < 1e-3)
      means.append(first.z)
    }
    #expect((0.6...1.4).contains(moments(means).deviation / 0.025 / 2.0.squareRoot()))
  }

  @Test("Limb lengths vary by the scripted share, and not at all on the template")
  func limbs() throws {
    var script = Session.still(.forearm, seconds: 120)
    script.noise.joints.limbLength = 0.03
    let recording = try Session.made(script).recording
    let lengths = try (0..<recording.frameCount).map { frame in
      let knee = try #require(recording.position(of: .leftKnee, at: frame))
      return (knee - (try #require(recording.position(of: .leftHip, at: frame)))).norm
    }
    #expect((0.022...0.038).contains(moments(lengths).deviation / moments(lengths).mean))
  }
}

import PoseModel
import Statistics

package struct StudioParameters: Hashable, Sendable {
  package var seed: UInt64 = 1
  package var subjects = 12
  /// The smallest number of frames; the plan also goes through all its tasks at least once.
  package var frames = 300_000
  package var program = StudioProgram.textbook
  package var noise = NoisePreset.phone.parameters
  package var noiseName = NoisePreset.phone.rawValue
  package var errors: ErrorBank?
  package var criterion = FormCriterion()
  package var overrides: [ScriptAssignment] = []
  package var only: [Int]?

  package static let subjectRange = 1...500
  package static let frameRange = 1...20_000_000

  package init() {}

  package init(preset: NoisePreset, subjects: Int = 12, seed: UInt64 = 1, frames: Int = 300_000) {
    self.seed = seed
    self.subjects = subjects
    self.frames = frames
    noise = preset.parameters
    noiseName = preset.rawValue
  }

  package func validate() throws {
    try Self.check(subjects, in: Self.subjectRange, field: "studio.subjects", unit: "subjects")
    try Self.check(frames, in: Self.frameRange, field: "studio.frames", unit: "frames")
    try noise.validate()
    try criterion.validate()
    var session = SessionScript(holds: [])
    for override in overrides { try session.apply(override) }
    for (position, index) in (only ?? []).enumerated() {
      try Self.check(index, in: 0...999_999, field: "studio.only[\(position)]", unit: "")
    }
    if let only, only.isEmpty || Set(only).count != only.count {
      throw ScriptError.sessionsRepeatOrMissing
    }
  }

  private static func check(
    _ value: Int, in range: ClosedRange<Int>, field: String, unit: String
  ) throws {
    guard range.contains(value) else {
      throw ScriptError.outOfRange(
        field: field, found: Double(value),
        allowed: Double(range.lowerBound)...Double(range.upperBound), unit: unit)
    }
  }
}

package enum StudioProgram: String, CaseIterable, Hashable, Sendable {
  /// Planks and faults one at a time; phones in every orientation, level or aimed, untouched.
  case textbook
  /// Also several planks with rests between them, planks in motion, exercises that look like planks,
  /// stacked feet; bodies as pose estimators see them; phones mostly upright, also on the floor and
  /// tilted up, never quite level, and nudged at times; some apps that tell nothing of mirroring or
  /// of turned buffers.
  case everyday
}

/// Sessions are divided into blocks as long as the list of choices, and each block has its own
/// random order (randomized blocks; Fisher 1925): every choice occurs once per block, and no two
/// factors are coupled.
struct StudioChoices {
  let seed: UInt64
  let index: Int

  func choice<Value>(of values: [Value], for factor: String) -> Value {
    let block = index / values.count
    let stream = RandomStream(seed: seed, purpose: "studio.\(factor).\(block)")
    return values[stream.permutation(of: values.count)[index % values.count]]
  }
}

enum StudioCast {
  /// A person: women and men alternate, stature N(mean, sd) of the sex, 1.45 to 2.05 m.
  static func subject(_ index: Int, of count: Int, seed: UInt64) -> SubjectParameters {
    let stream = RandomStream(seed: seed, purpose: "studio.subject.\(index)")
    var subject = SubjectParameters()
    let digits = String(index + 1)
    let width = max(2, String(count).count)
    subject.name = "s" + String(repeating: "0", count: width - digits.count) + digits
    subject.seed = StreamSeed.derive64(seed: seed, purpose: "subject.\(index)")
    subject.sex = index.isMultiple(of: 2) ? .female : .male
    let (mean, spread) = subject.sex.stature
    let height = stream.gaussian(mean: mean, standardDeviation: spread)
    subject.height = Meters((min(max(height, 1.45), 2.05) * 1000).rounded() / 1000)
    return subject
  }

  /// Gives a person of the everyday program the proportions that pose estimators show: real sources
  /// agree on shorter upper arms, wider hips and higher ankles than the tables (docs/studio.md).
  static func fit(_ subject: inout SubjectParameters, index: Int, seed: UInt64) {
    let stream = RandomStream(seed: seed, purpose: "studio.body.\(index)")
    func draw(_ mean: Double, _ spread: Double) -> Double {
      let value = mean + spread * min(max(stream.gaussian(), -2), 2)
      return (value * 10_000).rounded() / 10_000
    }
    subject.upperArm = draw(0.157, 0.008)
    subject.hipWidth = draw(0.122, 0.007)
    subject.tuckedAnkle = draw(0.09, 0.014)
  }
}

enum StudioView: String, CaseIterable {
  case side, otherSide, headSide, otherHeadSide, feetSide, otherFeetSide, head, feet

  /// The direction of the camera, up to 12 degrees off the view's own.
  func azimuth(_ stream: RandomStream) -> Degrees {
    let middle: Double
    switch self {
    case .side: middle = 90
    case .otherSide: middle = 270
    case .headSide: middle = 45
    case .otherHeadSide: middle = 315
    case .feetSide: middle = 135
    case .otherFeetSide: middle = 225
    case .head: middle = 15
    case .feet: middle = 165
    }
    return Degrees(middle + stream.uniform(in: -12...12))
  }
}

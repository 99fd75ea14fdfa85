import PoseModel
import Statistics

/// The people of a studio.
enum StudioCast {
  /// A person: women and men by turns, stature N(mean, sd) of the sex, 1.45 to 2.05 m.
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
}

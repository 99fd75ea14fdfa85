/// Segment lengths as fractions of stature.
///
/// Source: Drillis and Contini 1966, as in Winter 2009, figure 4.1: shoulder height 0.818, hip
/// 0.530, knee 0.285, ankle 0.039, elbow 0.630, wrist 0.485, eye 0.936. Lengths are differences of
/// those heights. Widths are between joint centers, which are narrower than the published soft
/// tissue (0.259 and 0.191): half-widths 0.105 and 0.0525.
struct BodyProportions: Hashable, Sendable {
  /// Length of every bone over stature, by `Bone`.
  var fractions: [Double]

  /// An adult's anatomy.
  static let anatomical = BodyProportions(shoulderHalfWidth: 0.105, hipHalfWidth: 0.0525)

  /// The rigid template that Vision fits: hips 0.1565 m to each side at 1.8 m, as observed.
  ///
  /// The rest of Vision's table is not public; anatomy stands in for it until a capture shows it.
  static let template = BodyProportions(shoulderHalfWidth: 0.105, hipHalfWidth: 0.087)

  private init(shoulderHalfWidth: Double, hipHalfWidth: Double) {
    let (thigh, shank, upperArm, forearm) = (0.245, 0.246, 0.186, 0.146)
    let (trunk, headAndNeck, topOfHead) = (0.288, 0.182, 0.065)
    fractions = [
      trunk / 2, trunk / 2, headAndNeck - topOfHead, topOfHead,
      hipHalfWidth, hipHalfWidth, shoulderHalfWidth, shoulderHalfWidth,
      thigh, thigh, shank, shank, upperArm, upperArm, forearm, forearm,
    ]
  }
}

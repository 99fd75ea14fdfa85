import PoseModel
import Statistics

/// From where a studio's camera looks.
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

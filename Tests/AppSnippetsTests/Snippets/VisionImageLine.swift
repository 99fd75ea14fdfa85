import Foundation

/// One line of a dump of 2D poses: everybody in the image, with all points and their confidence.
nonisolated func imageLine(of observations: [VNHumanBodyPoseObservation], at seconds: Double) throws
  -> Data
{
  var people: [[String: Any]] = []
  for observation in observations {
    var joints: [String: [Double]] = [:]
    for (name, point) in try observation.recognizedPoints(.all) {
      joints[name.rawValue.rawValue] = [point.x, point.y, Double(point.confidence)]
    }
    people.append(["joints": joints])
  }
  let frame: [String: Any] = ["timestamp": seconds, "observations": people]
  return try JSONSerialization.data(withJSONObject: frame) + Data("\n".utf8)
}

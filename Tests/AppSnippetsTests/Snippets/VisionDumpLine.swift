import Foundation

/// One line of a dump with image points, which reveal the meaning of the camera matrix.
nonisolated func dumpLine(of observation: VNHumanBodyPose3DObservation?, at seconds: Double) throws
  -> Data
{
  var frame: [String: Any] = ["timestamp": seconds, "joints": NSNull()]
  if let observation {
    var joints: [String: Any] = [:]
    for name in observation.availableJointNames {
      let column = try observation.recognizedPoint(name).position.columns.3
      let image = try observation.pointInImage(name)
      joints[name.rawValue.rawValue] = [
        "position": [column.x, column.y, column.z].map(Double.init),
        "pointInImage": [image.x, image.y],
      ]
    }
    let (x, y, z, t) = observation.cameraOriginMatrix.columns
    frame["joints"] = joints
    frame["cameraOriginMatrix"] = [x, y, z, t].map { [$0.x, $0.y, $0.z, $0.w].map(Double.init) }
    frame["bodyHeight"] = Double(observation.bodyHeight)
    frame["heightEstimation"] = observation.heightEstimation.rawValue
  }
  return try JSONSerialization.data(withJSONObject: frame) + Data("\n".utf8)
}

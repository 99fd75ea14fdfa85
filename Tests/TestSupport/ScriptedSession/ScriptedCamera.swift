internal import Platform
package import PoseModel

/// A level camera of a device that looks at the body.
///
/// Its axes come from how the device is held, not from the table of up vectors: device axes are
/// x to the screen's right, y to its top, z out of it. The back camera shares them; the front
/// camera looks the other way, so its x and z are turned around.
package struct ScriptedCamera: Hashable, Sendable {
  /// Which camera of the device looks.
  package var position: CameraPosition
  /// How the device is held.
  package var orientation: DeviceOrientation
  /// The image that the pose detector is given.
  package var buffer: ImageBuffer
  /// Whether the image is flipped left to right before detection.
  package var isMirrored: Bool
  /// The camera's direction: 0 at the body's side (+z in the world), 90 beyond its head (+x).
  package var azimuth: Degrees

  /// Makes a camera; by default a plain one in portrait at the body's side.
  package init(
    _ position: CameraPosition = .back, _ orientation: DeviceOrientation = .portrait,
    _ buffer: ImageBuffer = .fixed, isMirrored: Bool = false, azimuth: Degrees = Degrees(0)
  ) {
    self.position = position
    self.orientation = orientation
    self.buffer = buffer
    self.isMirrored = isMirrored
    self.azimuth = azimuth
  }

  /// Every camera side, orientation, buffer and mirroring: 32 cameras at one place.
  package static func all(azimuth: Degrees) -> [ScriptedCamera] {
    CameraPosition.allCases.flatMap { position in
      DeviceOrientation.allCases.flatMap { orientation in
        ImageBuffer.allCases.flatMap { buffer in
          [false, true].map { isMirrored in
            ScriptedCamera(
              position, orientation, buffer, isMirrored: isMirrored, azimuth: azimuth)
          }
        }
      }
    }
  }

  /// The rotation from world axes to the camera's, before any mirroring.
  package var rotation: Rotation3 {
    let (x, y, z) = axes
    return Rotation3(Vector3(x.x, y.x, z.x), Vector3(x.y, y.y, z.y), Vector3(x.z, y.z, z.z))
  }

  /// The camera's axes in the world: right in the image, up in it, toward the camera.
  private var axes: (Vector3, Vector3, Vector3) {
    let angle = azimuth.value * Double.pi / 180
    let toCamera = Vector3(sin(angle), 0, cos(angle))
    if buffer == .upright { return (Vector3.unitY.cross(toCamera), .unitY, toCamera) }
    let (x, y, z) = deviceAxes(toCamera)
    return position == .back ? (x, y, z) : (-x, y, -z)
  }

  /// The device's axes in the world: the lens in use looks at the body, gravity says the rest.
  private func deviceAxes(_ toCamera: Vector3) -> (Vector3, Vector3, Vector3) {
    let z = position == .back ? toCamera : -toCamera
    switch orientation {
    case .portrait: return (Vector3.unitY.cross(z), .unitY, z)
    case .portraitUpsideDown: return ((-Vector3.unitY).cross(z), -.unitY, z)
    // Home button (the device's -y) at the right: its x points up, gravity is (-1, 0, 0).
    case .landscapeLeft: return (.unitY, z.cross(.unitY), z)
    case .landscapeRight: return (-.unitY, z.cross(-.unitY), z)
    }
  }
}

package import PoseModel

/// What the fields of another program's file mean: the way from its frames to a recording.
///
/// People write it as YAML, `planklab doctor` does too, and some are built in (`ready`).
package struct TableMap: Hashable, Sendable {
  /// Where a joint is in a frame: a point, or its coordinates one by one.
  package enum Place: Hashable, Sendable {
    /// A point: a list of numbers, an object with coordinates, or a matrix of 16 numbers.
    case point(FieldPath)
    /// Fields for x, y and, in 3D, z; a further one is the confidence.
    case fields([FieldPath])
  }

  /// The order of the numbers of a matrix.
  package enum MatrixOrder: String, CaseIterable, Sendable {
    /// Column by column, as Apple's `simd` types are; the translation is in the last column.
    case columns
    /// Row by row, as NumPy writes them.
    case rows
  }

  /// What one of the numbers of a position measures.
  package enum Units: String, CaseIterable, Sendable {
    /// Meters.
    case m
    /// Centimeters.
    case cm
    /// Millimeters.
    case mm
    /// Inches.
    case inches = "in"
    /// Feet.
    case feet = "ft"
    /// One unknown unit for all axes: bodies are scaled to the reference body.
    case body
    /// In 3D, x and z in widths and y in heights of the image, scaled to the reference body; in 2D,
    /// shares of the image's width and height.
    case image
    /// Pixels of the image (2D).
    case pixels

    /// The unit of length; nil where bodies or the image give the size.
    package var length: LengthUnit? {
      switch self {
      case .m: .meters
      case .cm: .centimeters
      case .mm: .millimeters
      case .inches: .inches
      case .feet: .feet
      case .body, .image, .pixels: nil
      }
    }

    /// Meters per unit; nil where bodies or the image give the size.
    package var meters: Double? { length?.meters }
  }

  /// One of a file's axes, or its opposite.
  package struct Axis: Hashable, Sendable {
    /// 0 for x, 1 for y, 2 for z.
    package let index: Int
    /// Whether the opposite direction is meant.
    package let isNegative: Bool

    /// Makes an axis.
    package init(_ index: Int, isNegative: Bool = false) {
      self.index = index
      self.isNegative = isNegative
    }

    /// The opposite direction.
    package var opposite: Axis { Axis(index, isNegative: !isNegative) }

    /// `x`, `-z` and so on; nil for anything else.
    package init?(_ text: String) {
      let name = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
      guard let index = ["x", "y", "z"].firstIndex(of: name.lowercased()) else { return nil }
      self.init(index, isNegative: text.hasPrefix("-"))
    }

    /// The axis as text.
    package var text: String { (isNegative ? "-" : "") + ["x", "y", "z"][index] }

    func callAsFunction(_ position: Vector3) -> Double {
      let value = [position.x, position.y, position.z][index]
      return isNegative ? -value : value
    }
  }

  /// When frames are.
  package struct Time: Hashable, Sendable {
    /// What one of a time's numbers measures.
    package enum Unit: String, CaseIterable, Sendable {
      case s, ms, us, ns
      /// Numbers of frames, at the rate.
      case frames
      /// Dates such as 2026-11-25T22:00:00.125Z.
      case date

      /// Seconds per unit; nil for frames and dates.
      package var seconds: Double? { time?.seconds }

      /// The unit of time; nil for dates.
      var time: TimeUnit? {
        switch self {
        case .s: .seconds
        case .ms: .milliseconds
        case .us: .microseconds
        case .ns: .nanoseconds
        case .frames: .frames
        case .date: nil
        }
      }
    }

    /// The field; nil if frames come at the rate.
    package var field: FieldPath?
    /// What its numbers measure.
    package var unit = Unit.s
    /// Frames per second, where no field has times.
    package var rate: Double?
  }

  /// How sure the detector was of a joint.
  package struct Confidence: Hashable, Sendable {
    /// The field within a point; nil where places of joints list it.
    package var field: FieldPath?
    /// Joints below it are missing.
    package var floor: Double
  }

  /// The source's own labels.
  package struct Labels: Hashable, Sendable {
    /// The field.
    package var field: FieldPath
    /// What labels mean, as `LabelTarget` reads it; `*` is any other.
    package var classes: [String: String]
  }

  /// The version of the format.
  package static let version = 1

  /// What the map is for, in one sentence.
  package var about: String?
  /// Where the frames are.
  package var layout = PoseTable.Layout()
  /// The skeleton of the recording.
  package var skeleton = Skeleton.vision3d
  /// The axes of the recording.
  package var frame = FrameOfReference.camera
  /// Where joints are.
  package var joints: [Joint: Place] = [:]
  /// The names of a point's coordinates.
  package var coordinates = ["x", "y", "z"]
  /// The order of the numbers of matrices.
  package var matrices = MatrixOrder.columns
  /// Which of the file's axes point right, up and toward the camera (in a world: y is up).
  package var axes = [Axis(0), Axis(1), Axis(2)]
  /// What positions are measured in.
  package var units = Units.m
  /// The size of the images.
  package var imageSize: ImageSize?
  /// When frames are.
  package var time = Time(field: nil, rate: 30)
  /// How sure the detector was.
  package var confidence: Confidence?
  /// Whether a joint at exactly 0 is missing.
  package var zerosAreMissing = false
  /// The camera matrix of a frame, for `pelvis` axes.
  package var camera: FieldPath?
  /// The matrix that leads from joints to the world, for joints that hang on an anchor.
  package var anchor: FieldPath?
  /// The field of a frame's own up vector, in the file's axes.
  package var upField: FieldPath?
  /// The up vector of the whole recording, in the recording's axes.
  package var up: Vector3?
  /// The field of the body height in meters.
  package var bodyHeightField: FieldPath?
  /// The body height in meters.
  package var bodyHeight: Double?
  /// How the device was held.
  package var orientation: DeviceOrientation?
  /// Which camera recorded.
  package var cameraPosition: CameraPosition?
  /// The image that the detector was given.
  package var buffer: ImageBuffer?
  /// Whether the image was flipped before detection.
  package var isMirrored = false
  /// The source's own labels.
  package var labels: Labels?

  /// Makes an empty map.
  package init() {}
}

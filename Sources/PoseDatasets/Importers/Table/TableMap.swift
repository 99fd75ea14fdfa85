import Platform
package import PoseModel
import PoseRecording

package struct TableMap: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// A point: a list of numbers, an object with coordinates, or a matrix of 16 numbers.
    case point(FieldPath)
    /// Fields for x, y and, in 3D, z; an additional one is the confidence.
    case fields([FieldPath])
  }

  package enum MatrixOrder: String, CaseIterable, Sendable {
    /// Column by column, as in Apple's `simd` types; the translation is in the last column.
    case columns
    case rows
  }

  package enum Units: String, CaseIterable, Sendable {
    case m
    case cm
    case mm
    case inches = "in"
    case feet = "ft"
    /// One unknown unit for all axes; bodies are scaled to the reference body.
    case body
    /// In 3D, x and z in widths and y in heights of the image, scaled to the reference body; in 2D,
    /// shares of the image's width and height.
    case image
    case pixels

    private static let lengths: [Self: LengthUnit] = [
      .m: .meters, .cm: .centimeters, .mm: .millimeters, .inches: .inches, .feet: .feet,
    ]

    package var length: LengthUnit? { Self.lengths[self] }

    package var meters: Double? { length?.meters }
  }

  package struct Axis: Hashable, Sendable {
    package let index: Int
    package let isNegative: Bool

    package init(_ index: Int, isNegative: Bool = false) {
      self.index = index
      self.isNegative = isNegative
    }

    package var opposite: Axis { Axis(index, isNegative: !isNegative) }

    package init?(_ text: String) {
      let name = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
      guard let index = ["x", "y", "z"].firstIndex(of: name.lowercased()) else { return nil }
      self.init(index, isNegative: text.hasPrefix("-"))
    }

    package var text: String { (isNegative ? "-" : "") + ["x", "y", "z"][index] }

    func callAsFunction(_ position: Vector3) -> Double {
      let value = index == 0 ? position.x : index == 1 ? position.y : position.z
      return isNegative ? -value : value
    }
  }

  package struct Time: Hashable, Sendable {
    package enum Unit: String, CaseIterable, Sendable {
      case s, ms, us, ns
      case frames
      /// Days and fractions of days, as spreadsheets count them.
      case days
      case min
      /// Texts such as `00:07.367` or `7367 ms`, or `00:00:07:11` together with the frame rate.
      case clock
      /// Dates in which the order of day and month is clear: ISO 8601, or names of months.
      case date
      case dmy
      case mdy

      private static let lengths: [Self: Double] = [
        .s: 1, .ms: 1e-3, .us: 1e-6, .ns: 1e-9, .days: 86_400, .min: 60,
      ]

      package var seconds: Double? { Self.lengths[self] }
    }

    /// The number of parts in a second, as in `CMTime`.
    package enum Timescale: Hashable, Sendable {
      case number(Double)
      case field(FieldPath)
    }

    package var field: FieldPath?
    package var fileNumber: Int?
    package var unit = Unit.s
    package var rate: Double?
    /// The timescale, which replaces the unit.
    package var timescale: Timescale?
    /// A second field that is added, such as the nanoseconds beside whole seconds.
    package var fraction: FieldPath?
    package var fractionUnit = Unit.ns
    /// Which number of a text is the time, counted from the end of the text; nil for a text that is
    /// a number.
    package var number: Int?

    var source: String? {
      fileNumber == nil ? field.map { "`\($0.text)`" } : "the number in the file's name"
    }
  }

  package struct Confidence: Hashable, Sendable {
    /// The field within a point; nil if the places of joints list it.
    package var field: FieldPath?
    /// The confidence below which joints are missing, as a share, whatever the scale of the file.
    package var floor: Double
    package var scale = Scale.number(1)

    package enum Scale: Hashable, Sendable {
      /// The number that means certainty, such as 100.
      case number(Double)
      /// The file has logarithms of odds.
      case logit
    }

    /// The file's number as a share; a number of 0 or less, which marks a missing joint, stays
    /// below or at 0.
    func share(_ value: Double) -> Double {
      switch scale {
      case .number(let one): min(1, value / one)
      case .logit: 1 / (1 + exp(-value))
      }
    }
  }

  /// Where a file that contains several clips is cut.
  package struct Cut: Hashable, Sendable {
    /// The largest median step of the numbers between two frames of one recording.
    package var step: Double
    /// Names of fields, such as `*_x`; without them, the numbers are x and y of the joints, in the
    /// file's unit.
    package var fields: [PersonName] = []

    package init(step: Double) { self.step = step }

    init(_ node: YAMLNode) throws {
      guard case .mapping = node.content else {
        self.init(step: try Self.step(node))
        return
      }
      let map = try node.map()
      try map.rejectUnknownKeys(known: ["step", "fields"])
      self.init(step: try Self.step(map.required("step")))
      fields = try map.required("fields").fieldNames(
        allowed: "names with * for the rest", remedy: "write for example [*_x, *_y]")
    }

    private static func step(_ node: YAMLNode) throws -> Double {
      let step = try node.double()
      guard step > 0 else {
        throw node.error(allowed: "a step above 0", remedy: "write for example 0.02 of an image")
      }
      return step
    }

    var yaml: String {
      let names = fields.map { TableMap.scalar($0.text) }.joined(separator: ", ")
      return fields.isEmpty ? "\(step)" : "{step: \(step), fields: [\(names)]}"
    }

    func numbers(of node: JSONNode) -> [Double] {
      guard !fields.isEmpty, case .object(let keys, let values) = node.content else { return [] }
      return zip(keys, values).compactMap { key, value in
        fields.contains { $0.field(key) != nil } ? value.number ?? .nan : nil
      }
    }
  }

  package struct Labels: Hashable, Sendable {
    package var field: FieldPath
    /// What labels mean, in the form that `LabelTarget` reads; the key `*` covers all other labels.
    package var classes: [String: String]
  }

  package static let version = 1

  package var about: String?
  package var layout = PoseTable.Layout()
  package var skeleton = Skeleton.vision3d
  package var frame = FrameOfReference.camera
  package var joints: [Joint: Place] = [:]
  /// Where the people of a frame are; nil if a frame has the fields of only one person.
  package var people: People?
  package var coordinates = ["x", "y", "z"]
  package var matrices = MatrixOrder.columns
  /// Which of the file's axes point right, up and toward the camera (in a world: y is up).
  package var axes = [Axis(0), Axis(1), Axis(2)]
  package var units = Units.m
  package var imageSize: ImageSize?
  package var time = Time(field: nil, rate: 30)
  package var confidence: Confidence?
  package var fillers: [PoseFiller] = []
  /// A flag or state by which a frame, or a person in it, has no pose, such as `isTracked`.
  package var presence: FieldPath?
  /// The largest number of frames in which a pose may stay exactly the same; in a longer run, all
  /// but the first are repeats of the last pose found, not poses.
  package var longestRepeat: Int?
  package var camera: FieldPath?
  /// The matrix that leads from joints to the world, for joints that are relative to an anchor.
  package var anchor: FieldPath?
  package var upField: FieldPath?
  package var up: Vector3?
  package var bodyHeightField: FieldPath?
  package var bodyHeight: Double?
  package var orientation: DeviceOrientation?
  package var cameraPosition: CameraPosition?
  package var buffer: ImageBuffer?
  package var isMirrored = false
  package var labels: Labels?
  package var cut: Cut?
  /// Whether every frame is a recording of its own.
  package var isStills = false
  package var depth = LandmarkDepth.asItIs
  /// How people are found in PoseNet's tensors, which have no joints that could be mapped.
  package var poseNet: PoseNetMap?

  package var needsImageSize: Bool { skeleton.dimension == 2 || units == .image }
  /// Whether points in an image are written as row and column, `[y, x]`; no rotation results in
  /// these axes.
  var isRowFirst: Bool { axes == [Axis(1), Axis(0, isNegative: true)] }

  /// The size of the images after they are rotated as `axes` say, for points in an image.
  var uprightImageSize: ImageSize? {
    guard skeleton.dimension == 2, axes[0].index == 1, !isRowFirst else { return imageSize }
    return imageSize.map { ImageSize(width: $0.height, height: $0.width) }
  }

  package init() {}
}

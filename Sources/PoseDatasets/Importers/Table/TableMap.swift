import Platform
package import PoseModel
import PoseRecording

package struct TableMap: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    /// A point: a list of numbers, an object with coordinates, or a matrix of 16 numbers.
    case point(FieldPath)
    /// One field for x, one for y and, in 3D, one for z; an additional field is the confidence.
    case fields([FieldPath])
  }

  package enum MatrixOrder: String, CaseIterable, Sendable {
    /// Column-major, as in Apple's `simd` types: the last four numbers are the translation.
    case columns
    case rows
  }

  package enum Units: String, CaseIterable, Sendable {
    case m
    case cm
    case mm
    case inches = "in"
    case feet = "ft"
    /// An unknown unit, the same on all axes; bodies are scaled to the reference body.
    case body
    /// Fractions of the image's width and height; in 3D, z is in image widths.
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
      /// Days with fractions, as spreadsheets count them.
      case days
      case min
      /// Texts such as `00:07.367` or `7367 ms`; `00:00:07:11` also needs the frame rate.
      case clock
      /// Dates with a clear order of day and month: ISO 8601, or with month names.
      case date
      case dmy
      case mdy

      private static let lengths: [Self: Double] = [
        .s: 1, .ms: 1e-3, .us: 1e-6, .ns: 1e-9, .days: 86_400, .min: 60,
      ]

      package var seconds: Double? { Self.lengths[self] }
    }

    package enum Timescale: Hashable, Sendable {
      case number(Double)
      case field(FieldPath)
    }

    package var field: FieldPath?
    package var fileNumber: Int?
    package var unit = Unit.s
    package var rate: Double?
    package var timescale: Timescale?
    /// A second field that is added to the time, such as nanoseconds beside whole seconds.
    package var fraction: FieldPath?
    package var fractionUnit = Unit.ns
    /// Which number in a text is the time, counted from the end; nil if the whole text is the
    /// number.
    package var number: Int?

    var source: String? {
      fileNumber == nil ? field.map { "`\($0.text)`" } : "the number in the file's name"
    }
  }

  package struct Confidence: Hashable, Sendable {
    package var field: FieldPath?
    /// The confidence, from 0 to 1 after scaling, below which joints are missing.
    package var floor: Double
    package var scale = Scale.number(1)

    package enum Scale: Hashable, Sendable {
      /// The number that means certainty, such as 100.
      case number(Double)
      case logit
    }

    func share(_ value: Double) -> Double {
      switch scale {
      case .number(let one): min(1, value / one)
      case .logit: 1 / (1 + exp(-value))
      }
    }
  }

  package struct Cut: Hashable, Sendable {
    /// The largest step within a recording: the median change of all numbers between two frames.
    package var step: Double
    /// Patterns of field names, such as `*_x`, whose numbers are compared; if empty, x and y of the
    /// joints are compared, in the file's unit.
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
        allowed: "names with * for the rest", remedy: "write, for example, [*_x, *_y]")
    }

    private static func step(_ node: YAMLNode) throws -> Double {
      let step = try node.double()
      guard step > 0 else {
        throw node.error(allowed: "a step above 0", remedy: "write, for example, 0.02 of an image")
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
    package var classes: [String: String]
  }

  package static let version = 1

  package var about: String?
  package var layout = PoseTable.Layout()
  package var skeleton = Skeleton.vision3d
  package var frame = FrameOfReference.camera
  package var joints: [Joint: Place] = [:]
  package var people: People?
  package var coordinates = ["x", "y", "z"]
  package var matrices = MatrixOrder.columns
  /// The file's axes that point right, up and toward the camera; in a world, y is up.
  package var axes = [Axis(0), Axis(1), Axis(2)]
  package var units = Units.m
  package var imageSize: ImageSize?
  package var time = Time(field: nil, rate: 30)
  package var confidence: Confidence?
  package var fillers: [PoseFiller] = []
  package var presence: FieldPath?
  /// The largest number of frames in a row with exactly the same pose.
  ///
  /// In a longer run, all frames but the first repeat the last pose found and have no pose.
  package var longestRepeat: Int?
  package var camera: FieldPath?
  /// The matrix from joint coordinates to the world, for joints that are relative to an anchor.
  package var anchor: FieldPath?
  package var upField: FieldPath?
  /// Whether the field points down, as gravity does.
  package var isUpReversed = false
  package var up: Vector3?
  package var bodyHeightField: FieldPath?
  package var bodyHeight: Double?
  package var orientation: DeviceOrientation?
  package var cameraPosition: CameraPosition?
  package var buffer: ImageBuffer?
  package var isMirrored = false
  package var labels: Labels?
  package var cut: Cut?
  package var isStills = false
  package var depth = LandmarkDepth.asItIs
  package var poseNet: PoseNetMap?

  package var needsImageSize: Bool { skeleton.dimension == 2 || units == .image }
  var isRowFirst: Bool { axes == [Axis(1), Axis(0, isNegative: true)] }

  var uprightImageSize: ImageSize? {
    guard skeleton.dimension == 2, axes[0].index == 1, !isRowFirst else { return imageSize }
    return imageSize.map { ImageSize(width: $0.height, height: $0.width) }
  }

  package init() {}
}

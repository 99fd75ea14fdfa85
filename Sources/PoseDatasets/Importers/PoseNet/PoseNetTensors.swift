package struct PixelPoint: Hashable, Sendable {
  package let x: Double
  package let y: Double
}

package struct Cell: Hashable, Sendable {
  package let row: Int
  package let column: Int
}

/// PoseNet's output: scores, offsets and displacements on a grid of cells.
///
/// A grid has (size - 1) / stride + 1 cells along each side of the network's input. Each cell has a
/// score and an offset to the joint for each part, and a displacement from parent to child and one
/// back for each edge of the tree. Offsets and displacements are in pixels, y before x.
package struct PoseNetTensors: Sendable {
  package static let partCount = 17
  static let edgeCount = 16

  package let rows: Int
  package let columns: Int
  package let stride: Int
  private let scores: [Float]
  private let offsets: [Float]
  private let forward: [Float]
  private let backward: [Float]

  /// Takes arrays in the order [row, column, channel], with 17, 34, 32 and 32 channels.
  package init(
    rows: Int, columns: Int, stride: Int, scores: [Float], offsets: [Float], forward: [Float],
    backward: [Float]
  ) {
    let cells = rows * columns
    precondition(
      scores.count == cells * Self.partCount && offsets.count == 2 * scores.count
        && forward.count == 2 * cells * Self.edgeCount && backward.count == forward.count,
      "all tensors have one grid")
    self.rows = rows
    self.columns = columns
    self.stride = stride
    self.scores = scores
    self.offsets = offsets
    self.forward = forward
    self.backward = backward
  }

  package var inputSize: (width: Int, height: Int) {
    ((columns - 1) * stride + 1, (rows - 1) * stride + 1)
  }

  package var isEmpty: Bool { scores.allSatisfy { $0 <= 0 } }

  func score(at cell: Cell, _ part: Int) -> Float {
    scores[(cell.row * columns + cell.column) * Self.partCount + part]
  }

  /// Returns a part's position according to one cell: cell * stride + offset.
  func position(at cell: Cell, _ part: Int) -> PixelPoint {
    let offset = vector(offsets, at: cell, part, of: Self.partCount)
    return PixelPoint(
      x: Double(cell.column * stride) + Double(offset.x),
      y: Double(cell.row * stride) + Double(offset.y))
  }

  func forward(at cell: Cell, _ edge: Int) -> (y: Float, x: Float) {
    vector(forward, at: cell, edge, of: Self.edgeCount)
  }

  func backward(at cell: Cell, _ edge: Int) -> (y: Float, x: Float) {
    vector(backward, at: cell, edge, of: Self.edgeCount)
  }

  func nearestCell(to position: PixelPoint) -> Cell {
    func index(_ value: Double, _ count: Int) -> Int {
      Int(min(max((value / Double(stride) + 0.5).rounded(.down), 0), Double(count - 1)))
    }
    return Cell(row: index(position.y, rows), column: index(position.x, columns))
  }

  func isInGrid(_ position: PixelPoint) -> Bool {
    func isIn(_ value: Double, _ count: Int) -> Bool {
      let index = (value / Double(stride) + 0.5).rounded(.down)
      return index >= 0 && index < Double(count)
    }
    return isIn(position.y, rows) && isIn(position.x, columns)
  }

  private func vector(
    _ values: [Float], at cell: Cell, _ channel: Int, of count: Int
  ) -> (y: Float, x: Float) {
    let start = (cell.row * columns + cell.column) * 2 * count + channel
    return (values[start], values[start + count])
  }
}

struct PoseNetArrays {
  enum Layout {
    /// [row, column, channel], as in TensorFlow.js.
    case channelsLast
    /// [channel, row, column], as in Core ML.
    case channelsFirst
  }

  enum Role: String, CaseIterable {
    case heatmaps
    case offsets
    case forward = "displacements forward"
    case backward = "displacements backward"

    private var traits: (channels: Int, words: [String]) {
      switch self {
      case .heatmaps: (PoseNetTensors.partCount, ["heatmap"])
      case .offsets: (2 * PoseNetTensors.partCount, ["offset"])
      case .forward: (2 * PoseNetTensors.edgeCount, ["fwd", "forward"])
      case .backward: (2 * PoseNetTensors.edgeCount, ["bwd", "backward"])
      }
    }

    var channels: Int { traits.channels }
    var words: [String] { traits.words }

    init?(name: String) {
      let name = name.lowercased()
      guard let role = Self.allCases.first(where: { $0.words.contains { name.contains($0) } })
      else { return nil }
      self = role
    }
  }

  let imageCount: Int
  private let arrays: [Role: NumpyArray]
  private let layout: Layout
  private let rows: Int
  private let columns: Int
  private let stride: Int

  init(_ arrays: [Role: NumpyArray], file: String, stride: Int) throws {
    let missing = Role.allCases.filter { arrays[$0] == nil }
    guard let heatmaps = arrays[.heatmaps], missing.isEmpty else {
      throw PoseSourceError.missingArrays(
        file: file, missing: missing.map(\.words[0]), found: arrays.values.map(\.name).sorted())
    }
    let shape = heatmaps.shape
    let grid = Array(shape.count == 4 ? shape[1...] : shape[...])
    var fitting: (Layout, Int, Int)?
    if grid.count == 3 {
      for (layout, rows, columns) in [
        (Layout.channelsLast, grid[0], grid[1]), (.channelsFirst, grid[1], grid[2]),
      ] {
        let fits = Role.allCases.allSatisfy { role in
          let own =
            layout == .channelsLast
            ? [rows, columns, role.channels] : [role.channels, rows, columns]
          return arrays[role]?.shape == (shape.count == 4 ? [shape[0]] : []) + own
        }
        if fits, rows > 0, columns > 0 { fitting = (layout, rows, columns) }
      }
    }
    guard let (layout, rows, columns) = fitting else {
      throw PoseSourceError.unusable(
        file, Self.shapes(arrays),
        "give [rows, columns, channels] or [channels, rows, columns] with 17 channels of "
          + "scores, 34 of offsets and 32 of displacements each way, with the images as a first "
          + "axis if there are several")
    }
    self.arrays = arrays
    self.layout = layout
    self.rows = rows
    self.columns = columns
    self.stride = stride
    imageCount = shape.count == 4 ? shape[0] : 1
  }

  func tensors(ofImage image: Int) throws -> PoseNetTensors {
    var values: [Role: [Float]] = [:]
    for role in Role.allCases { values[role] = try self.values(role, image: image) }
    return PoseNetTensors(
      rows: rows, columns: columns, stride: stride, scores: values[.heatmaps] ?? [],
      offsets: values[.offsets] ?? [], forward: values[.forward] ?? [],
      backward: values[.backward] ?? [])
  }

  private func values(_ role: Role, image: Int) throws -> [Float] {
    guard let array = arrays[role] else { return [] }
    let (cells, channels) = (rows * columns, role.channels)
    let start = image * cells * channels
    var values = [Float](repeating: 0, count: cells * channels)
    for position in 0..<cells * channels {
      let value = array[start + position]
      guard value.isFinite, role != .heatmaps || (0...1).contains(value) else {
        throw PoseSourceError.unusable(
          array.name, "value \(position + 1) of image \(image + 1) is \(value)",
          value.isFinite
            ? "scores range from 0 to 1; apply the sigmoid to the network's output"
            : "give finite numbers; run the network again")
      }
      let target =
        layout == .channelsLast
        ? position : position % cells * channels + position / cells
      values[target] = Float(value)
    }
    return values
  }

  private static func shapes(_ arrays: [Role: NumpyArray]) -> String {
    "the shapes are "
      + Role.allCases.compactMap { role in
        arrays[role].map { "\(role.rawValue) \(ArrayProblem.text($0.shape))" }
      }.joined(separator: ", ")
  }
}

package struct PoseNetMap: Hashable, Sendable {
  package var decoding: PoseNetDecoding
  /// The number of pixels of the network's input per cell: 8, 16 or 32.
  package var stride = 16
  package var fit = InputFit.stretch

  package init(_ reading: PoseNetDecoding.Reading = .published) {
    decoding = PoseNetDecoding(reading)
  }

  private static let keys = [
    "reading", "stride", "fit", "single", "root_score", "window_radius", "matching_distance",
    "refinements", "people", "person_score", "diagonal_maxima",
  ]

  init(_ node: YAMLNode) throws {
    let map = try node.map()
    try map.rejectUnknownKeys(known: Self.keys)
    self.init(try map.optional("reading")?.word() ?? .published)
    if let node = map.optional("stride") {
      stride = try node.integer()
      guard [8, 16, 32].contains(stride) else {
        throw node.error(allowed: "8, 16 or 32", remedy: "write the output stride of the network")
      }
    }
    fit = try map.optional("fit")?.word() ?? fit
    decoding.isSingle = try map.optional("single")?.bool() ?? false
    decoding.comparesDiagonalsOnly = try map.optional("diagonal_maxima")?.bool() ?? false
    decoding.rootScore = try map.optional("root_score")?.double() ?? decoding.rootScore
    decoding.windowRadius = try map.optional("window_radius")?.integer() ?? decoding.windowRadius
    decoding.matchingDistance =
      try map.optional("matching_distance")?.double() ?? decoding.matchingDistance
    decoding.refinements = try map.optional("refinements")?.integer() ?? decoding.refinements
    decoding.maximumPeople = try map.optional("people")?.integer() ?? decoding.maximumPeople
    decoding.minimumPersonScore =
      try map.optional("person_score")?.double() ?? decoding.minimumPersonScore
    do { try decoding.check() } catch { throw node.error(error) }
  }

  var yaml: [String] {
    [
      "posenet:", "  reading: \(decoding.reading.rawValue)", "  stride: \(stride)",
      "  fit: \(fit.rawValue)", "  single: \(decoding.isSingle)",
      "  root_score: \(decoding.rootScore)", "  window_radius: \(decoding.windowRadius)",
      "  matching_distance: \(decoding.matchingDistance)", "  refinements: \(decoding.refinements)",
      "  people: \(decoding.maximumPeople)", "  person_score: \(decoding.minimumPersonScore)",
      "  diagonal_maxima: \(decoding.comparesDiagonalsOnly)",
    ]
  }
}

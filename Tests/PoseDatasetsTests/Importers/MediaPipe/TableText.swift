import PoseDatasets

/// A hand-made landmark table: one body, lying along the image, moved as a whole from row to row.
struct TableText {
  /// How columns are called.
  enum Naming: String, CaseIterable {
    case suffix
    case prefix
    case upperCase
  }

  /// A row: its label and how far the body is moved to the right.
  struct Row {
    var label = "C"
    var shift = 0.0
    /// Fields that replace the body's, by column as in `left_hip_x`.
    var replaced: [String: String] = [:]
  }

  /// Landmark positions in the image; sizes are sums of halves, quarters and so on.
  static let body: [(name: String, position: SIMD3<Double>)] = [
    ("nose", SIMD3(0.125, 0.5, 0)),
    ("left_shoulder", SIMD3(0.25, 0.5, -0.125)), ("right_shoulder", SIMD3(0.25, 0.5, 0.125)),
    ("left_elbow", SIMD3(0.25, 0.625, -0.125)), ("right_elbow", SIMD3(0.25, 0.625, 0.125)),
    ("left_wrist", SIMD3(0.125, 0.625, -0.125)), ("right_wrist", SIMD3(0.125, 0.625, 0.125)),
    ("left_hip", SIMD3(0.5, 0.5, -0.0625)), ("right_hip", SIMD3(0.5, 0.5, 0.0625)),
    ("left_knee", SIMD3(0.625, 0.5, -0.0625)), ("right_knee", SIMD3(0.625, 0.5, 0.0625)),
    ("left_ankle", SIMD3(0.75, 0.5, -0.0625)), ("right_ankle", SIMD3(0.75, 0.5, 0.0625)),
  ]

  var naming = Naming.suffix
  /// Landmarks that the table lacks.
  var without: Set<String> = []
  /// Whether the columns are in the opposite order, with the label last.
  var isReversed = false
  var labelColumn = "label"
  var lineEnd = "\n"
  var rows: [Row]

  /// The columns as in `left_hip_x`, whatever their names in the table.
  private var columns: [(key: String, landmark: SIMD3<Double>?, axis: Int)] {
    let landmarks = Self.body.filter { !without.contains($0.name) }.flatMap { name, position in
      ["x", "y", "z", "v"].enumerated().map { axis, letter in
        (key: "\(name)_\(letter)", landmark: Optional(position), axis: axis)
      }
    }
    let all = [(key: "label", landmark: SIMD3<Double>?.none, axis: 0)] + landmarks
    return isReversed ? all.reversed() : all
  }

  /// The table.
  var text: String {
    let header = columns.map { $0.landmark == nil ? labelColumn : name(of: $0.key) }
    let lines = rows.map { row in
      columns.map { column in field(column.key, column.landmark, column.axis, of: row) }
    }
    return ([header] + lines).map { $0.joined(separator: ",") + lineEnd }.joined()
  }

  /// The table with a name.
  var file: NamedText { NamedText(name: "tables/clip.csv", text: text) }

  private func field(_ key: String, _ body: SIMD3<Double>?, _ axis: Int, of row: Row) -> String {
    if let replaced = row.replaced[key] { return replaced }
    guard let body else { return row.label }
    if axis == 3 { return "0.9" }
    return "\(body[axis] + (axis == 0 ? row.shift : 0))"
  }

  private func name(of key: String) -> String {
    switch naming {
    case .suffix: key
    case .prefix: "\(key.suffix(1))_\(key.dropLast(2))"
    case .upperCase: key.uppercased()
    }
  }
}

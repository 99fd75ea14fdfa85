import PoseModel

/// The rows of a landmark table as numbers.
struct LandmarkTable {
  /// The table's name.
  let file: String
  /// Which coordinates and joints it has.
  let columns: LandmarkColumns
  /// The source's label of every row.
  private(set) var labels: [String] = []
  /// Row after row, `columns.coordinates.count` numbers each; NaN where a field is empty or not
  /// finite.
  private(set) var values: [Double] = []

  /// Reads a table.
  ///
  /// - Throws: `PoseSourceError` with the line of the first fault.
  init(_ source: NamedText, labelColumn: String?) throws(PoseSourceError) {
    let text = CSVText(source)
    file = source.name
    guard text.lines.count >= 2 else { throw .emptyTable(file: source.name) }
    columns = try LandmarkColumns(
      header: text.fields(ofLine: 0).map(String.init), labelColumn: labelColumn,
      place: SourcePlace(file: file, line: 1))
    values.reserveCapacity((text.lines.count - 1) * columns.coordinates.count)
    for index in 1..<text.lines.count { try append(text.fields(ofLine: index), row: index - 1) }
  }

  /// How many rows there are.
  var rowCount: Int { labels.count }

  /// The line on which a row stands.
  func line(ofRow row: Int) -> Int { row + 2 }

  /// The numbers of a row, in the order of `columns.coordinates`.
  func numbers(ofRow row: Int) -> ArraySlice<Double> {
    let count = columns.coordinates.count
    return values[row * count..<(row + 1) * count]
  }

  /// The body of a row, in proportional units.
  func pose(ofRow row: Int, options: MediaPipeOptions) -> BodyPose {
    let numbers = numbers(ofRow: row)
    let start = numbers.startIndex
    var limbs: [Joint: Vector3] = [:]
    for (joint, slots) in columns.joints {
      let position = options.position(
        x: numbers[start + slots.x], y: numbers[start + slots.y], z: numbers[start + slots.z])
      limbs[options.isMirrored ? joint.mirrored : joint] = position
    }
    return BodyPose(limbs: limbs)
  }

  private mutating func append(_ fields: [Substring], row: Int) throws(PoseSourceError) {
    let place = SourcePlace(file: file, line: line(ofRow: row))
    guard fields.count == columns.fieldCount else {
      throw .wrongFieldCount(place, found: fields.count, expected: columns.fieldCount)
    }
    labels.append(String(fields[columns.labelField]))
    for coordinate in columns.coordinates {
      let field = fields[coordinate.field]
      guard let number = field.isEmpty ? .nan : Double(field) else {
        throw .notANumber(place, column: coordinate.name, found: String(field))
      }
      values.append(number.isFinite ? number : .nan)
    }
  }
}

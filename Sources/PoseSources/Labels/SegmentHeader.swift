/// Where the columns of a segment table stand.
struct SegmentHeader {
  /// How many columns there are.
  let count: Int
  /// The position of the start's column.
  let start: Int
  /// The position of the end's column.
  let end: Int
  /// The position of the label's column.
  let label: Int
  /// The position of the form's column, where there is one.
  let form: Int?

  /// The columns that hold labels where none is named, the first one winning.
  static let usualLabels = ["label", "class", "plank", "text"]

  /// Finds the columns.
  ///
  /// - Throws: `PoseSourceError` for a column that is missing or stands twice.
  init(_ names: [String], columns: SegmentColumns, place: SourcePlace) throws(PoseSourceError) {
    let lowercased = names.map { $0.lowercased() }
    func position(_ name: String) throws(PoseSourceError) -> Int? {
      let found = lowercased.indices.filter { lowercased[$0] == name.lowercased() }
      guard found.count < 2 else { throw .repeatedColumn(place, column: name) }
      return found.first
    }
    func required(_ name: String) throws(PoseSourceError) -> Int {
      if let position = try position(name) { return position }
      throw .unexpectedValue(
        file: place.description, path: "the header",
        found: "`\(names.joined(separator: ","))`, without `\(name)`",
        allowed: "a header line that names the columns, or the names of yours")
    }
    count = names.count
    start = try required(columns.start)
    end = try required(columns.end)
    var usual: Int?
    for name in Self.usualLabels where usual == nil { usual = try position(name) }
    if let named = columns.label {
      label = try required(named)
    } else if let usual {
      label = usual
    } else {
      throw .noLabelColumn(place, expected: Self.usualLabels, columns: names)
    }
    if let named = columns.form { form = try required(named) } else { form = try position("form") }
  }
}

/// A document within a saved result, from which a page is made without running anything again.
///
/// It is a list of blocks, each an object whose name is its kind. A plain text is a string, another
/// one an object with its tone.
extension Document {
  /// The blocks as JSON: `report` of a result.
  var json: JSONValue { .array(blocks.map(\.json)) }
}

extension Document: Decodable {
  /// Reads what `json` gives.
  ///
  /// - Throws: `DecodingError` with the place of what is no part of a document.
  init(from decoder: any Decoder) throws {
    self.init(try [Block](from: decoder))
  }
}

/// What is wrong with a document that is read.
enum DocumentError {
  /// Another kind of block or picture, or several at once.
  static func unknownKind(_ decoder: any Decoder) -> DecodingError {
    wrong(decoder, "has not one kind that this planklab knows")
  }

  /// Data that cannot be shown.
  static func wrong(_ decoder: any Decoder, _ problem: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: problem))
  }

  /// A reading error in one line, with its place.
  static func text(_ error: DecodingError) -> String {
    let (context, problem): (DecodingError.Context, String) =
      switch error {
      case .dataCorrupted(let context): (context, context.debugDescription)
      case .keyNotFound(let key, let context): (context, "lacks `\(key.stringValue)`")
      case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
        (context, "is no \(type)")
      @unknown default: (.init(codingPath: [], debugDescription: ""), "\(error)")
      }
    let place = context.codingPath.reduce(into: "") { place, key in
      place += key.intValue.map { "[\($0)]" } ?? (place.isEmpty ? "" : ".") + key.stringValue
    }
    return place.isEmpty ? problem : "\(place) \(problem)"
  }
}

extension Document.Block {
  fileprivate var json: JSONValue {
    switch self {
    case .heading(let text, let level):
      .object(["heading": .string(text), "level": .integer(level)])
    case .paragraph(let text): .object(["paragraph": text.json])
    case .list(let items): .object(["list": .array(items.map(\.json))])
    case .code(let lines): .object(["code": .array(lines.map(JSONValue.string))])
    case .table(let table): .object(["table": table.json])
    case .matrix(let matrix): .object(["matrix": matrix.json])
    case .figure(let figure): .object(["figure": figure.json])
    }
  }
}

extension Document.Block: Decodable {
  private enum Key: String, CodingKey {
    case heading, level, paragraph, list, code, table, matrix, figure
  }

  /// Reads one block.
  ///
  /// - Throws: `DecodingError` for an unknown kind and for data that cannot be shown.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let kinds = values.allKeys.filter { $0 != .level }
    guard kinds.count == 1, let kind = kinds.first else {
      throw DocumentError.unknownKind(decoder)
    }
    switch kind {
    case .heading, .level:
      let level = try values.decode(Int.self, forKey: .level)
      guard (1...6).contains(level) else {
        throw DocumentError.wrong(decoder, "has a level that is none of 1 to 6")
      }
      self = .heading(try values.decode(String.self, forKey: .heading), level: level)
    case .paragraph: self = .paragraph(try values.decode(StyledText.self, forKey: kind))
    case .list: self = .list(try values.decode([StyledText].self, forKey: kind))
    case .code: self = .code(try values.decode([String].self, forKey: kind))
    case .table: self = .table(try values.decode(Table.self, forKey: kind))
    case .matrix: self = .matrix(try values.decode(Document.Matrix.self, forKey: kind))
    case .figure: self = .figure(try values.decode(Figure.self, forKey: kind))
    }
  }
}

extension StyledText: Decodable {
  private enum Key: String, CodingKey { case text, tone }

  fileprivate var json: JSONValue {
    tone == .plain
      ? .string(text) : .object(["text": .string(text), "tone": .string(tone.rawValue)])
  }

  /// Reads a string, or a text with its tone.
  ///
  /// - Throws: `DecodingError` for anything else.
  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(text)
      return
    }
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      try values.decode(String.self, forKey: .text), try values.decode(Tone.self, forKey: .tone))
  }
}

extension Table: Decodable {
  private enum Key: String, CodingKey { case columns, rows }

  fileprivate var json: JSONValue {
    .object([
      "columns": .array(
        columns.map {
          .object(["title": .string($0.title), "is_numeric": .bool($0.isNumeric)])
        }),
      "rows": .array(rows.map { .array($0.map(\.json)) }),
    ])
  }

  /// Reads columns and rows.
  ///
  /// - Throws: `DecodingError` for a row with more or fewer cells than columns.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(try values.decode([Column].self, forKey: .columns))
    for (index, cells) in try values.decode([[StyledText]].self, forKey: .rows).enumerated() {
      guard cells.count == columns.count else {
        throw DocumentError.wrong(
          decoder, "has a row \(index) that has not one cell for each column")
      }
      row(cells)
    }
  }
}

extension Table.Column: Decodable {
  private enum CodingKeys: String, CodingKey {
    case title
    case isNumeric = "is_numeric"
  }

  /// Reads a column.
  ///
  /// - Throws: `DecodingError` for a column without a title or a kind.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      title: try values.decode(String.self, forKey: .title),
      isNumeric: try values.decode(Bool.self, forKey: .isNumeric))
  }
}

extension Document.Matrix: Decodable {
  private enum Key: String, CodingKey { case title, side, labels, frames, seconds }

  fileprivate var json: JSONValue {
    .object([
      "title": .string(title), "side": .string(side),
      "labels": .array(labels.map(JSONValue.string)),
      "frames": .array(frames.map { .array($0.map(JSONValue.integer)) }),
      "seconds": .array(seconds.map { .array($0.map(JSONValue.number)) }),
    ])
  }

  /// Reads a matrix.
  ///
  /// - Throws: `DecodingError` unless both numbers are there for every pair of classes, none of them
  ///   negative.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let frames = try values.decode([[Int]].self, forKey: .frames)
    let seconds = try values.decode([[Double]].self, forKey: .seconds)
    let matrix = Document.Matrix(
      title: try values.decode(String.self, forKey: .title),
      side: try values.decode(String.self, forKey: .side),
      labels: try values.decode([String].self, forKey: .labels), frames: frames, seconds: seconds)
    guard let matrix, frames.joined().allSatisfy({ $0 >= 0 }),
      seconds.joined().allSatisfy({ $0 >= 0 })
    else {
      throw DocumentError.wrong(
        decoder, "has not one count of frames and of seconds for every pair of classes")
    }
    self = matrix
  }
}

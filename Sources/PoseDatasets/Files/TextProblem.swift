/// What can be wrong with a text file of any kind.
package enum TextProblem: Hashable, Sendable {
  /// A blank line that is not at the end.
  case blankLine
  /// A line longer than `LineReader.lineLimit`.
  case lineTooLong
  /// Bytes that are not UTF-8.
  case notUTF8
  /// A file named `.gz` that holds no gzip data.
  case notAnArchive
  /// A gzip file that ends early.
  case truncatedArchive
  /// A gzip file whose contents are damaged.
  case damagedArchive(reason: String)
  /// Reading failed half-way.
  case readingFailed(reason: String)

  /// The problem in words.
  var message: String {
    switch self {
    case .blankLine: "found a blank line; allowed: blank lines at the end only"
    case .lineTooLong: "found a line of more than 4 MiB; allowed: at most 4 MiB a line"
    case .notUTF8: "found bytes that are not UTF-8; allowed: UTF-8"
    case .notAnArchive: "the name ends in .gz and the contents are not gzip data"
    case .truncatedArchive: "the gzip file ends early"
    case .damagedArchive(let reason): "the gzip file is damaged (\(reason))"
    case .readingFailed(let reason): "reading failed (\(reason))"
    }
  }

  /// What to do about it.
  var remedy: String {
    switch self {
    case .blankLine: "remove the line"
    case .lineTooLong: "write one frame a line"
    case .notUTF8: "save the file as UTF-8"
    case .notAnArchive: "compress the file with gzip or drop .gz from its name"
    case .truncatedArchive, .damagedArchive: "copy or compress the file again"
    case .readingFailed: "check the disk and the file's permissions"
    }
  }
}

/// Something about a text file that is read and worth telling.
package enum TextNote: Hashable, Sendable {
  /// The file begins with a byte-order mark.
  case byteOrderMark
  /// Lines end with a carriage return and a line feed.
  case carriageReturns(firstLine: Int, count: Int)
  /// The file ends with blank lines.
  case blankLastLines(firstLine: Int, count: Int)
}

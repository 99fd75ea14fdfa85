extension TextNote {
  /// The note as a warning.
  func finding(file: String) -> LintFinding {
    switch self {
    case .byteOrderMark:
      .warning(
        .byteOrderMark, file: file, line: 1, message: "the file begins with a byte-order mark",
        remedy: "save it as UTF-8 without one")
    case .carriageReturns(let line, let count):
      .warning(
        .carriageReturns, file: file, line: line,
        message: "\(count) lines end with a carriage return", remedy: "save with line feeds")
    case .blankLastLines(let line, let count):
      .warning(
        .blankLastLines, file: file, line: line,
        message: "the file ends with \(count) blank lines", remedy: "remove them")
    }
  }
}

import PoseModel

struct ForeignFile {
  let name: String
  let found: String
  let remedy: String
  /// Whether nothing is in the file: a frame without a pose, where every file is a frame.
  private(set) var isEmpty = false

  private init(_ name: String, _ remedy: String, found: String? = nil) {
    self.name = name
    self.found = found ?? "this is \(name), which is not read"
    self.remedy = remedy
  }

  init?(_ source: NamedBytes) {
    let bytes = source.bytes
    guard !bytes.allSatisfy({ $0 <= 0x20 }) else {
      self.init("empty", "record again", found: "the file is empty")
      isEmpty = true
      return
    }
    if let kind = Self.kinds.first(where: { kind in
      kind.starts.contains { bytes.dropFirst(kind.offset).starts(with: $0) }
    }) {
      self.init(kind.name, kind.remedy)
    } else if let name = Self.wideText(bytes) {
      self.init(
        "text in UTF-16", "save it as UTF-8, for example with iconv -f \(name) -t UTF-8 FILE > NEW")
    } else if bytes.starts(with: Self.text("PK")), Self.isWithoutArrays(source) {
      self.init(
        "a ZIP archive without arrays of NumPy",
        "unpack it and give doctor the files; save the sheet of a spreadsheet as CSV")
    } else if Self.hasOldLineEnds(bytes) {
      self.init(
        "text whose lines end with a carriage return only",
        "save it with line feeds, for example with tr '\\r' '\\n' < FILE > NEW")
    } else {
      return nil
    }
  }

  /// JSON lines among lines of something else, such as a log.
  init?(mixedLines source: NamedBytes) {
    var others: [(number: Int, text: String)] = []
    var count = 0
    for (index, line) in source.bytes.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).enumerated() {
      guard let first = line.first(where: { $0 > 0x20 }), let last = line.last(where: { $0 > 0x20 })
      else { continue }
      if first == UInt8(ascii: "{"), last == UInt8(ascii: "}") {
        count += 1
      } else {
        others.append((index + 1, String(decoding: line.prefix(40), as: UTF8.self)))
      }
    }
    guard let first = others.first, count > others.count else { return nil }
    let numbers = others.prefix(5).map { "\($0.number)" }.joined(separator: ", ")
    self.init(
      "JSON lines with other text", "remove them, for example with grep '^{' FILE > NEW",
      found: (others.count == 1 ? "line \(numbers) is" : "lines \(numbers)")
        + (others.count > 5 ? " and \(others.count - 5) more" : "")
        + (others.count == 1 ? "" : " are") + " no JSON, such as `\(first.text)`, among "
        + CountText.of(count, "line") + " that are")
  }

  private static let sampleSize = 4096

  /// The name of UTF-16 for `iconv`; without a mark, it has to say the order of bytes.
  private static func wideText(_ bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    let sample = bytes.prefix(sampleSize)
    guard sample.count > 3 else { return nil }
    let odd = sample.indices.count { !$0.isMultiple(of: 2) && sample[$0] == 0 }
    let even = sample.indices.count { $0.isMultiple(of: 2) && sample[$0] == 0 }
    let half = sample.count / 2
    if odd > half * 6 / 10, even == 0 { return "UTF-16LE" }
    return even > half * 6 / 10 && odd == 0 ? "UTF-16BE" : nil
  }

  private static func isWithoutArrays(_ source: NamedBytes) -> Bool {
    (try? NumpyArchive(source))?.names.isEmpty ?? false
  }

  private static func hasOldLineEnds(_ bytes: [UInt8]) -> Bool {
    let sample = bytes.prefix(sampleSize)
    return sample.contains(0x0D) && !sample.contains(0x0A) && sample.allSatisfy { $0 < 0x80 }
      && !sample.contains { $0 < 0x20 && $0 != 0x0D && $0 != 0x09 }
  }

  private struct Kind {
    let name: String
    let remedy: String
    var offset = 0
    let starts: [[UInt8]]
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static let pictureRemedy = "detect poses in it and save them as JSON"
  private static let movieRemedy = "find its poses with `planklab record` (docs/recording.md)"

  private static let kinds = [
    // HEIF pictures are built like movies; their brand tells them apart.
    Kind(
      name: "a picture", remedy: pictureRemedy, offset: 4,
      starts: ["ftypheic", "ftypheix", "ftypmif1", "ftypavif"].map(text)),
    Kind(
      name: "a picture", remedy: pictureRemedy,
      starts: [
        [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], text("GIF8"), text("II*\0"), text("MM\0*"),
      ]),
    Kind(
      name: "a movie", remedy: movieRemedy, offset: 4,
      starts: ["ftyp", "moov", "mdat", "wide"].map(text)),
    Kind(name: "a movie", remedy: movieRemedy, starts: [[0x1A, 0x45, 0xDF, 0xA3], text("RIFF")]),
    Kind(
      name: "a Parquet file",
      remedy:
        "convert it with Python: pandas.read_parquet('FILE').to_csv('poses.csv', index=False)",
      starts: [text("PAR1")]),
    Kind(
      name: "an HDF5 or MATLAB file",
      remedy: "save the arrays of positions and times with numpy.savez",
      starts: [[0x89, 0x48, 0x44, 0x46], text("MATLAB 5.0")]),
    Kind(
      name: "a binary property list",
      remedy: "write JSON instead of an archive: JSONEncoder, or plutil -convert json",
      starts: [text("bplist")]),
    Kind(
      name: "a BVH motion", remedy: "export the positions of its joints as CSV",
      starts: [text("HIERARCHY")]),
    Kind(
      name: "a file of pose-format (.pose)",
      remedy: "save its points with Python: numpy.savez('poses.npz', "
        + "points=pose.body.data.filled(), scores=pose.body.confidence)",
      starts: [[0xCD, 0xCC, 0xCC, 0x3D], [0xCD, 0xCC, 0x4C, 0x3E]]),
    Kind(
      name: "a database", remedy: "export the table of poses as CSV", starts: [text("SQLite")]),
    Kind(
      name: "a Python pickle", remedy: "save the arrays with numpy.savez",
      starts: [[0x80, 0x02], [0x80, 0x03], [0x80, 0x04], [0x80, 0x05]]),
    Kind(
      name: "an XML or HTML file", remedy: "write JSON or CSV instead",
      starts: ["<?xml", "<!DOCTYPE", "<!doctype", "<html"].map(text)),
    Kind(name: "a PDF file", remedy: "write JSON or CSV instead", starts: [text("%PDF")]),
    Kind(
      name: "a packed archive", remedy: "unpack it and give doctor the files",
      starts: [
        [0x37, 0x7A, 0xBC, 0xAF], [0xFD, 0x37, 0x7A, 0x58], [0x28, 0xB5, 0x2F, 0xFD], text("BZh"),
      ]),
  ]
}

import Foundation
import PoseDatasets
import Testing

/// What documented commands print and write, byte by byte.
///
/// Each file of `Goldens` is a transcript: its lines `=== LINE` are run in order in a folder of their
/// own, and below each stands what came of it. A new case is a new line `=== LINE`. To write what
/// comes of all lines again, run `scripts/record-goldens`; the tests then fail and say so.
///
/// Of pages, the contents of style sheets, of scripts and of WebAssembly are left out, with their
/// hashes in the content policy: they are committed files, and how a page packs them may change. The
/// page's text and its blocks of data count.
@Suite("Golden outputs", .enabled(if: Transcript.isComparable, "not on this system: x86-64 Linux"))
struct OutputGoldenTests {
  private static let isRecording =
    ProcessInfo.processInfo.environment["PLANKLAB_RECORD_GOLDENS"] != nil

  /// The files of the transcripts.
  static let names: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: Transcript.goldens)
    return (files ?? []).filter { $0.hasSuffix(".golden") }.sorted()
  }()

  @Test("There are transcripts")
  func exist() { #expect(Self.names.count >= 20) }

  @Test("A transcript is what its lines print and write", arguments: names)
  func transcript(name: String) throws {
    let file = URL(fileURLWithPath: Transcript.goldens + "/" + name)
    let transcript = try Transcript()
    var recorded = Data()
    for golden in Transcript.sections(of: try Data(contentsOf: file)) {
      let section = try transcript.section(of: golden.line)
      recorded += Data(section.text)
      if !Self.isRecording, section != golden {
        Issue.record("\(name): \(Transcript.difference(from: golden, to: section))")
      }
    }
    if Self.isRecording {
      try recorded.write(to: file)
      Issue.record("wrote \(name); run again without PLANKLAB_RECORD_GOLDENS")
    }
  }
}

/// Lines of commands that are run in order in a folder of their own, each with what came of it.
final class Transcript {
  struct Section: Equatable {
    let line: String
    let text: [UInt8]
  }

  private struct Stamp: Equatable {
    let size: Int
    let date: Date
  }

  /// The folder of the committed transcripts, and of the files in `world` that their lines read.
  static let goldens = Program.root.appendingPathComponent("Tests/EndToEndTests/Goldens").path

  /// Synthetic numbers differ in their last digits where another C library computes them.
  static let isComparable: Bool = {
    #if os(Linux) && arch(x86_64)
      true
    #else
      false
    #endif
  }()

  private static let inputs = [
    "datasets/scripted": "datasets/scripted",
    "datasets/studio/dataset.yaml": "datasets/studio/dataset.yaml",
    "datasets/studio/sample.yaml": "datasets/studio/sample.yaml",
    "datasets/studio/recordings": "datasets/studio/recordings",
    "experiments/first-steps/experiment.yaml": "experiments/first-steps/experiment.yaml",
    "Tests/FuzzTests/Corpora": "corpora",
  ]

  /// What differs from run to run or from machine to machine: ids of runs, times, builds, durations,
  /// kernels, and announcements that only slow runs make.
  private static let masks = [
    (pattern: "[0-9]{8}T[0-9]{6}Z-[0-9a-f]+", text: "RUN"),
    (pattern: "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", text: "TIME"),
    (pattern: #"planklab [0-9.]+ \([0-9a-f]{16}\)"#, text: "planklab VERSION"),
    (
      pattern: #"bit-parallel engine \((baseline|avx2|avx512)\)"#,
      text: "bit-parallel engine (KERNEL)"
    ),
    (pattern: #"estimate: about [^\n]*\n"#, text: ""),
    (pattern: #"load [0-9.]+ s, [\s\S]{0,80}?threads\."#, text: "STAGES"),
    (
      pattern: #"Cost per frame: median [\s\S]{0,200}?batch(es)? of [0-9]+\)\."#, text: "COST"
    ),
    (pattern: #""frame_cost": \{[^}]*\}"#, text: "\"frame_cost\": {}"),
    (pattern: #""duration_s": [0-9.e-]+(?=,\s*"name": )"#, text: "\"duration_s\": 0"),
    (pattern: #""frame_cost_ratio": [0-9.e-]+"#, text: "\"frame_cost_ratio\": 0"),
    (pattern: #" time="[0-9.]+""#, text: " time=\"0\""),
  ]

  /// What is left out of pages: all between a beginning and the end that follows.
  private static let code = [
    ("<style>", "</style>"), ("<script>", "</script>"), ("'sha256-", "'"), ("\"0AX`,", "\""),
    ("\"program\":\"", "\""),
  ]

  /// Texts of this size and larger ones are only hashed, and so are files with these endings.
  private static let (limit, hashed) = (50_000, [".poses.jsonl", ".onsets.csv"])

  private static let mark = Array("=== ".utf8)

  private let workspace: Workspace
  private let folder: URL
  private var stamps: [String: Stamp] = [:]

  init() throws {
    workspace = try Workspace()
    folder = workspace.folder.appendingPathComponent("work")
    let files = FileManager.default
    try files.copyItem(atPath: Self.goldens + "/world", toPath: folder.path)
    for (source, target) in Self.inputs {
      let place = folder.appendingPathComponent(target)
      try files.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try files.copyItem(at: Program.root.appendingPathComponent(source), to: place)
    }
    try unpack()
    stamps = try currentStamps()
  }

  /// Writes the texts of every `inputs.json` beside it, and removes it.
  private func unpack() throws {
    let packs = try #require(FileManager.default.subpaths(atPath: folder.path))
      .filter { $0.split(separator: "/").last == "inputs.json" }
    for pack in packs.map(folder.appendingPathComponent) {
      let texts = try JSONDecoder().decode([String: String].self, from: Data(contentsOf: pack))
      for (name, text) in texts {
        try Data(text.utf8).write(to: pack.deletingLastPathComponent().appendingPathComponent(name))
      }
      try FileManager.default.removeItem(at: pack)
    }
  }

  func section(of line: String) throws -> Section {
    let run = try Program.transcribed(line, in: folder)
    var text = Self.mark + Array("\(line)\nstatus \(run.status)\n".utf8)
    text += try Self.part("stdout", run.output) + Self.part("stderr", run.errors)
    let before = stamps
    stamps = try currentStamps()
    for name in before.keys.sorted() where stamps[name] == nil {
      text += Array("removed \(name)\n".utf8)
    }
    for (name, stamp) in stamps.sorted(by: { $0.key < $1.key }) where before[name] != stamp {
      // The bytes of a store depend on the times in it.
      text +=
        name.contains(".sqlite")
        ? Array("file \(name)\n".utf8)
        : try Self.part("file \(name)", Data(contentsOf: folder.appendingPathComponent(name)))
    }
    return Section(line: line, text: text)
  }

  static func sections(of transcript: Data) -> [Section] {
    var sections: [Section] = []
    for line in lines(of: Array(transcript)) {
      let last = sections.last
      if line.starts(with: mark) {
        let name = String(decoding: line.dropFirst(mark.count).dropLast(), as: UTF8.self)
        sections.append(Section(line: name, text: Array(line)))
      } else if let last {
        sections[sections.count - 1] = Section(line: last.line, text: last.text + line)
      }
    }
    return sections
  }

  /// The line of commands, and the first line below it that differs: not a hash if others do, too.
  static func difference(from old: Section, to new: Section) -> String {
    let pairs = zip(lines(of: old.text) + [[]], lines(of: new.text) + [[]]).filter { $0 != $1 }
    let (before, after) =
      pairs.first { !String(decoding: $0.0, as: UTF8.self).contains(" bytes, sha256 ") }
      ?? pairs.first ?? ([], [])
    let same = zip(before, after).prefix { $0 == $1 }.count
    let words = [before, after].map { line in
      String(decoding: line.dropFirst(max(0, same - 60)).prefix(200), as: UTF8.self)
        .trimmingCharacters(in: .newlines)
    }
    return "`\(old.line)`\n- \(words[0])\n+ \(words[1])"
  }

  /// An output with its size and hash, and its text unless that is large or not text; nothing where
  /// there is none.
  private static func part(_ title: String, _ data: Data) throws -> [UInt8] {
    let text = String(validating: data, as: UTF8.self).flatMap { $0.contains("\0") ? nil : $0 }
    let bytes = text.map(normalized) ?? Array(data)
    guard !bytes.isEmpty else { return [] }
    let hash = try SHA256Digest(of: bytes)
    let part = Array("\(title): \(bytes.count) bytes, sha256 \(hash)\n".utf8)
    guard text != nil, bytes.count < limit, !hashed.contains(where: title.hasSuffix) else {
      return part
    }
    return part + bytes + (bytes.last == newline ? [] : [newline])
  }

  private static func normalized(_ text: String) -> [UInt8] {
    var text = text
    for mask in masks {
      text = text.replacingOccurrences(
        of: mask.pattern, with: mask.text, options: .regularExpression)
    }
    guard text.hasPrefix("<!DOCTYPE html>") else { return Array(text.utf8) }
    for (beginning, end) in code { text = text.emptied(between: beginning, and: end) }
    return Array(text.utf8)
  }

  private static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = text[...]
    while let end = rest.firstIndex(of: newline) {
      lines.append(rest[...end])
      rest = rest[(end + 1)...]
    }
    return rest.isEmpty ? lines : lines + [rest]
  }

  private static let newline = UInt8(ascii: "\n")

  private func currentStamps() throws -> [String: Stamp] {
    let files = FileManager.default
    var stamps: [String: Stamp] = [:]
    for name in try files.subpathsOfDirectory(atPath: folder.path) {
      let attributes = try files.attributesOfItem(atPath: folder.path + "/" + name)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      stamps[name] = Stamp(
        size: attributes[.size] as? Int ?? 0,
        date: attributes[.modificationDate] as? Date ?? .distantPast)
    }
    return stamps
  }
}

extension String {
  /// The text without what stands between each beginning and the end that follows.
  fileprivate func emptied(between beginning: String, and end: String) -> String {
    let parts = components(separatedBy: beginning)
    return parts.dropFirst().reduce(into: parts[0]) { text, part in
      text += beginning + (part.range(of: end).map { String(part[$0.lowerBound...]) } ?? part)
    }
  }
}

import Foundation
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

import Foundation
import Testing

@testable import PlankBench

/// Two results for which one volume has one file and another has two.
@Suite("Names of results in a folder")
struct FolderNamesTests {
  /// What differs in case, and in the composition of an accent.
  static let pairs = [("A.json", "a.json"), ("r\u{E9}sum\u{E9}.json", "re\u{301}sume\u{301}.json")]

  private func folder() throws -> String {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("planklab-names-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url.path + "/"
  }

  @Test("Names that a volume takes for one are refused, with both of them", arguments: pairs)
  func oneNameIsRefused(first: String, second: String) throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let failure = #expect(throws: WorkflowFailure.self) {
      try OutputFile.checkDistinct([folder + first, folder + second]) { _, _, _ in true }
    }
    #expect(failure?.status == .usage)
    #expect(failure?.message.contains("is the same file as") == true)
  }

  @Test("Names that a volume keeps apart are two results", arguments: pairs)
  func twoNamesAreTaken(first: String, second: String) throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try OutputFile.checkDistinct([folder + first, folder + second]) { _, _, _ in false }
  }

  @Test("A volume is asked only about names that fold to one, in one folder")
  func othersAreNotAsked() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(
      atPath: folder + "below", withIntermediateDirectories: false)
    try OutputFile.checkDistinct([folder + "a.json", folder + "b.json", folder + "below/A.json"]) {
      _, _, _ in
      Issue.record("the volume was asked")
      return true
    }
  }

  @Test("One path twice is refused on every volume")
  func oneFileIsRefused() throws {
    #expect(throws: WorkflowFailure.self) {
      try OutputFile.checkDistinct(["./a.json", "a.json"]) { _, _, _ in false }
    }
  }

  @Test("The volume's answer is what it does with files, and nothing is left", arguments: pairs)
  func volumeIsAsked(first: String, second: String) throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let files = FileManager.default
    let answer = FolderNames.isSameFile(in: folder, first, second)
    #expect(try files.contentsOfDirectory(atPath: folder).isEmpty)
    #expect(files.createFile(atPath: folder + first, contents: Data("1".utf8)))
    #expect(files.fileExists(atPath: folder + second) == answer)
    #expect(FolderNames.isSameFile(in: folder, first, second) == answer)
    #expect(files.createFile(atPath: folder + second, contents: Data("2".utf8)))
    #expect(FolderNames.isSameFile(in: folder, first, second) == answer)
  }

  @Test("Files that exist under both names are compared, not asked for")
  func linksToOneFileAreOne() throws {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let files = FileManager.default
    #expect(files.createFile(atPath: folder + "a.json", contents: nil))
    try files.linkItem(atPath: folder + "a.json", toPath: folder + "b.json")
    #expect(FolderNames.isSameFile(in: folder, "a.json", "b.json"))
    #expect(!FolderNames.isSameFile(in: folder, "a.json", "c.json"))
  }

  @Test("Where nothing can be written, names are left to the writing")
  func missingFolderIsNoAnswer() {
    #expect(!FolderNames.isSameFile(in: "/nowhere/at/all/", "A.json", "a.json"))
  }
}

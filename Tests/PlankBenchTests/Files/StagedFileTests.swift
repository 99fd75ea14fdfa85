import ArgumentParser
import Foundation
import PoseDatasets
import Testing

@testable import PlankBench

/// Files that appear whole or not at all, and never in the place of an input.
@Suite("Staged files")
struct StagedFileTests {
  /// A folder that is removed with its owner.
  private final class Folder {
    let path = NSTemporaryDirectory() + "staged-" + UUID().uuidString

    init() throws {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    func write(_ text: String, to name: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }

    func text(_ name: String) throws -> String {
      try String(contentsOfFile: path + "/" + name, encoding: .utf8)
    }
  }

  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test("A dataset appears only if what belongs to it could be written, too")
  func belongings() async throws {
    let place = folder.path + "/data"
    let options = try ImportOptions.parse(["--output", place])
    @Sendable func draw(into folder: StagedFolder) throws {
      #expect(folder.file(at: place + "/w.svg") == "w.svg")
      #expect(folder.file(at: place) == nil && folder.file(at: place + "-2/w.svg") == nil)
      try OutputFile.write("<svg/>", to: folder.path(of: "w.svg"))
      try OutputFile.write("<svg/>", to: place + "-2/w.svg")
    }
    await #expect(throws: WorkflowFailure.self) {
      try await options.dataset(of: [], progress: { _, _, _ in }, with: draw)
    }
    #expect(folder.names.isEmpty)
  }

  @Test("A folder is made with those above it, and what stands in its way is named by its code")
  func folders() throws {
    #expect(OutputFile.makeFolder(folder.path + "/a/b//c") == 0)
    #expect(OutputFile.makeFolder(folder.path + "/a/b//c") == 0)
    #expect(try FileDescriptor.isFolder(folder.path + "/a/b/c"))
    try folder.write("", to: "file")
    #expect(OutputFile.makeFolder(folder.path + "/file/x") == ENOTDIR)
    #expect(OutputFile.makeFolder("") == ENOENT)
  }

  @Test("A file that another program changed in the meantime is not edited")
  func changedMeanwhile() throws {
    try folder.write("old", to: "file")
    let path = folder.path + "/file"
    try OutputFile.edit("new", at: path, insteadOf: "old")
    #expect(try folder.text("file") == "new")
    let error = #expect(throws: WorkflowFailure.self) {
      try OutputFile.edit("newer", at: path, insteadOf: "old")
    }
    #expect(error?.status == .cannotCreate)
    #expect(error?.message.contains("run the command again") == true)
    #expect(folder.names == ["file"])
    #expect(try folder.text("file") == "new")
  }

  @Test("A file appears when it is committed, and nothing is left of one that is not")
  func commit() throws {
    do {
      let file = try StagedFile(destination: folder.path + "/a")
      try file.write("one ")
      try file.write("two")
      #expect(folder.names.count == 1 && folder.names != ["a"])
      try file.commit()
      let other = try StagedFile(destination: folder.path + "/b")
      try other.write("never")
    }
    #expect(folder.names == ["a"])
    #expect(try folder.text("a") == "one two")
  }

  @Test("Two writers of one file do not mix, and a neighbor named like a part stays")
  func writers() throws {
    try folder.write("mine", to: "a.partial")
    let first = try StagedFile(destination: folder.path + "/a")
    let second = try StagedFile(destination: folder.path + "/a")
    try first.write("first")
    try second.write("second")
    try second.commit()
    try first.commit()
    #expect(folder.names == ["a", "a.partial"])
    #expect(try folder.text("a") == "first")
    #expect(try folder.text("a.partial") == "mine")
  }

  @Test("A file that is written again keeps its permissions", arguments: [0o600, 0o640, 0o444])
  func permissions(mode: Int) throws {
    try folder.write("old", to: "a")
    let path = folder.path + "/a"
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    try OutputFile.write("new", to: path)
    let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(found as? Int == mode)
    #expect(try folder.text("a") == "new")
  }

  @Test("An input is not replaced, whatever the name under which it is written")
  func readFiles() throws {
    try folder.write("input", to: "input.txt")
    let manager = FileManager.default
    let input = folder.path + "/input.txt"
    try manager.createSymbolicLink(
      atPath: folder.path + "/soft", withDestinationPath: "input.txt")
    try manager.linkItem(atPath: input, toPath: folder.path + "/hard")
    try FilesRead.$current.withValue(FilesRead()) {
      #expect(try InputText.read(input) == "input")
      for name in ["input.txt", "soft", "hard", "./soft"] {
        let error = #expect(throws: WorkflowFailure.self, "\(name)") {
          try OutputFile.write("output", to: folder.path + "/" + name)
        }
        #expect(error?.status == .cannotCreate)
        #expect(error?.message.contains("an input of this command") == true)
      }
      try OutputFile.write("output", to: folder.path + "/other")
    }
    #expect(try folder.text("input.txt") == "input")
    #expect(folder.names == ["hard", "input.txt", "other", "soft"])
  }

  @Test("A file that is read while a result is written is not replaced either")
  func readLater() throws {
    try folder.write("input", to: "input.txt")
    let path = folder.path + "/input.txt"
    try FilesRead.$current.withValue(FilesRead()) {
      let file = try StagedFile(destination: path)
      _ = try InputText.read(path)
      #expect(throws: WorkflowFailure.self) { try file.commit() }
    }
    #expect(folder.names == ["input.txt"])
    #expect(try folder.text("input.txt") == "input")
  }

  @Test("A tilde is a name like any other, and links lead on")
  func places() throws {
    #expect(OutputFile.place(of: "/~/x") == "/~/x")
    #expect(OutputFile.absolute("~/x").hasSuffix("/~/x"))
    #expect(
      OutputFile.absolute("~/x").hasPrefix("/") && !OutputFile.absolute("~/x").hasPrefix("/~"))
    let root = OutputFile.place(of: folder.path)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: "no/such")
    #expect(OutputFile.place(of: folder.path + "/link") == root + "/no/such")
    #expect(OutputFile.place(of: folder.path + "/./a/..") == folder.path + "/./a/..")
    #expect(OutputFile.place(of: folder.path + "/.") == root)
  }

  @Test(
    "A full disk is called one",
    .enabled(
      if: FileManager.default.fileExists(atPath: "/dev/full"),
      "not on this system: it has no /dev/full"))
  func fullDisk() throws {
    let error = #expect(throws: WorkflowFailure.self) {
      try OutputFile.write(String(repeating: "x", count: 100_000), to: "/dev/full")
    }
    #expect(error?.status == .cannotCreate && error?.message.contains("disk is full") == true)
  }

  @Test("Why nothing can be written is said with a remedy")
  func reasons() throws {
    let long = String(repeating: "n", count: 300)
    for (path, word) in [
      ("/no", "folder does not exist"), ("", "folder"), ("/" + long, "too long"),
    ] {
      let error = #expect(throws: WorkflowFailure.self) {
        try OutputFile.write("x", to: folder.path + path + (path.isEmpty ? "" : "/a"))
      }
      #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    }
    #expect(folder.names.isEmpty)
  }
}

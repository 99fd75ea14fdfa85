import Foundation
import PoseDatasets
import TestSupport
import Testing

@testable import PlankBench
@testable import Reports

@Suite("Staged files") struct StagedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

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

@Suite("Names of results in a folder") struct FolderNamesTests {
  static let pairs = [("A.json", "a.json"), ("r\u{E9}sum\u{E9}.json", "re\u{301}sume\u{301}.json")]

  /// A folder for files, with a slash behind its path.
  private let folder: String
  private let owner: TemporaryFolder

  init() throws {
    owner = try TemporaryFolder()
    folder = owner.path("")
  }

  @Test("Names that a volume takes for one are refused, with both of them", arguments: pairs)
  func oneNameIsRefused(first: String, second: String) throws {
    let failure = #expect(throws: WorkflowFailure.self) {
      try OutputFile.checkDistinct([folder + first, folder + second]) { _, _, _ in true }
    }
    #expect(failure?.status == .usage)
    #expect(failure?.message.contains("is the same file as") == true)
  }

  @Test("Names that a volume keeps apart are two results", arguments: pairs)
  func twoNamesAreTaken(first: String, second: String) throws {
    try OutputFile.checkDistinct([folder + first, folder + second]) { _, _, _ in false }
  }

  @Test("A volume is asked only about names that fold to one, in one folder")
  func othersAreNotAsked() throws {
    try owner.write("", to: "below/B.json")
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

@Suite("Data in the place of a result") struct PlacedDataTests {
  private static func kind(_ text: String) -> String? {
    PlacedData.kind(beginning: Array(text.utf8.prefix(4096)), ending: Array(text.utf8.suffix(4096)))
  }

  @Test(
    "Dumps, tables and labels stay",
    arguments: [
      "{\"format\": \"vision3d-dump\", \"version\": 1}\n",
      "{\"format\": \"planklab-poses\", \"version\": 1}\n", "[[0, 1, 2]]", "{\"Frames\": []}",
      "t,plank,form\n0.0,none,\n", "frame,row_id,type\n",
      "0\t1\tnone\n", "start;end;label\n0;1;a\n",
      "label, nose_x, nose_y\n0, 0.5, 0.25\n", "\u{FEFF}t,plank,form\n0,high,\n",
    ])
  func data(text: String) { #expect(Self.kind(text) != nil) }

  @Test(
    "What is not text stays",
    arguments: [[0x1F, 0x8B, 8, 0], [0x50, 0x4B, 3, 4, 0], [0x93, 0x4E, 0x55]])
  func bytes(_ bytes: [UInt8]) {
    #expect(
      PlacedData.kind(beginning: bytes, ending: bytes) == "not a text file, unlike every result")
  }

  @Test(
    "Earlier results and prose are replaced",
    arguments: [
      "", "\n", "coach on small\n==============\n\ncoach, on small: the plank\n", "# coach, on x\n",
      "<!doctype html>\n<html>", "<?xml version=\"1.0\"?>\n", "old\n", "::error title=a,b::c\n",
      "// Thresholds, of coach\n\nenum Plank {}\n",
      "{\n  \"command\": \"evaluate\",\n  \"schema_version\": 3\n}\n",
      "{\n  \"runs\": [" + String(repeating: " ", count: 9000) + "],\n  \"schema_version\": 2\n}\n",
      "{\"configuration\":0,\"counts\":{}}\n",
      "configuration,stream,detector,smoothing,sag\n0,form,gravity,none,0.02\n",
      "[\n  {\n    \"extra\": \"passed\",\n    \"unit\": \"share\"\n  }\n]\n", "[]\n",
    ])
  func results(text: String) { #expect(Self.kind(text) == nil) }

  @Test("A character that is cut at the end of what is looked at is no reason")
  func cut() {
    let bytes = Array(("# " + String(repeating: "é", count: 3000)).utf8.prefix(4095))
    #expect(PlacedData.kind(beginning: bytes, ending: bytes) == nil)
  }
}

@Suite("Shell words") struct ShellWordTests {
  @Test("The command that continues a stopped one is the same with one option more")
  func command() {
    let words = ["/usr/bin/planklab", "sweep", "my folder", "--top", "5"]
    #expect(
      ShellWord.command(words, with: "--resume")
        == "planklab sweep 'my folder' --top 5 --resume")
    #expect(
      ShellWord.command(words + ["--resume"], with: "--resume")
        == "planklab sweep 'my folder' --top 5 --resume")
  }

  @Test(
    "A name that messages cannot show is written as a shell reads it back",
    arguments: [
      ("a\nb", #"$'a\x0ab'"#), ("\u{1B}[1mit's", #"$'\x1b\x5b1mit\x27s'"#),
      ("é\t", #"$'\xc3\xa9\x09'"#), ("it's", #"'it'\''s'"#), ("é", "'é'"),
    ])
  func unprintable(word: String, expected: String) {
    #expect(ShellWord.quoted(word) == expected)
    #expect(PrintableText.line(ShellWord.quoted(word)) == ShellWord.quoted(word))
  }
}

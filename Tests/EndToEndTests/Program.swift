import Foundation
import TestSupport
import Testing

enum Program {
  struct Run {
    let status: Int32
    let output: String
    let errors: String

    /// The output as if it stood on one line, wherever its lines break.
    var words: String { output.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// Expects an exit code, and what the errors, the output and its words contain.
    @discardableResult
    func expect(
      _ status: Int32, errors: String..., output: String..., words: String...,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Run {
      let all = "\(self.output)\(self.errors)"
      try #require(self.status == status, "\(all)", sourceLocation: sourceLocation)
      for (found, expected) in [(self.errors, errors), (self.output, output), (self.words, words)] {
        for text in expected {
          #expect(found.contains(text), "\(all)", sourceLocation: sourceLocation)
        }
      }
      return self
    }

    /// The output as a JSON object.
    func json() throws -> [String: Any] { try Program.object(output) }

    /// The member `result` of what a command printed as JSON.
    func result() throws -> [String: Any] { try Program.result(output) }
  }

  static let root = Repository.root

  static let scripted = root.appendingPathComponent("datasets/scripted").path

  static let recordings = ProcessInfo.processInfo.environment["PLANKLAB_RECORDINGS"]

  /// The program that `PLANKLAB_PROGRAM` names, or else the one beside the test bundle that runs
  /// this: the first argument that names a bundle, on Linux the process itself, on macOS what its
  /// helper was told to load.
  static let path: String = {
    if let path = ProcessInfo.processInfo.environment["PLANKLAB_PROGRAM"] { return path }
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var folder = URL(fileURLWithPath: bundle).resolvingSymlinksInPath().deletingLastPathComponent()
    for _ in 0..<4 {
      let candidate = folder.appendingPathComponent("planklab").path
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder)
      if exists && !isFolder.boolValue { return candidate }
      folder = folder.deletingLastPathComponent()
    }
    return root.appendingPathComponent(".build-test/release/planklab").path
  }()

  /// The engine of sweeps, which the environment may change for all runs.
  static let engine =
    ProcessInfo.processInfo.environment["PLANKLAB_SWEEP_ENGINE"] == "streaming"
    ? "streaming" : "bit-parallel"

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// A JSON object.
  static func object(_ text: some StringProtocol) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(value as? [String: Any])
  }

  /// The member `result` of what a command wrote as JSON.
  static func result(_ text: String) throws -> [String: Any] {
    try #require(try object(text)["result"] as? [String: Any])
  }

  static func run(_ arguments: String...) throws -> Run { try run(arguments) }

  static func run(_ arguments: [String]) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = root
    process.environment = environment
    return try finish(process)
  }

  /// The environment of every run: a planklab.yaml that somebody tries out in this repository may
  /// not change a test.
  private static var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["PLANKLAB_DEFAULTS"] = "none"
    return environment
  }

  /// Whether the Python of the proofs, 3.10 or later, is there.
  static let hasPython: Bool = {
    let line = "python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'"
    return (try? shell(line))?.status == 0
  }()

  /// Runs a line in a shell with the program on its path, in a folder.
  static func shell(_ line: String, in folder: URL = root) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = folder
    var environment = environment
    let bin = URL(fileURLWithPath: path).deletingLastPathComponent().path
    environment["PATH"] = bin + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    process.environment = environment
    return try finish(process)
  }

  /// Runs a line in a shell as anybody's shell would, whatever the environment of the tests says.
  static func transcribed(
    _ line: String, in folder: URL
  ) throws -> (status: Int32, output: Data, errors: Data) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = folder
    var environment = environment.filter { name, _ in
      name == "LD_LIBRARY_PATH" || name.hasSuffix("SAN_OPTIONS")
    }
    environment["PATH"] =
      URL(fileURLWithPath: path).deletingLastPathComponent().path + ":/usr/bin:/bin"
    environment.merge([
      "HOME": folder.path, "PLANKLAB_DEFAULTS": "none", "COLUMNS": "80", "TERM": "dumb",
      "NO_COLOR": "1", "LC_ALL": "C", "TZ": "UTC",
    ]) { _, new in new }
    process.environment = environment
    return try outputs(of: process)
  }

  private static func finish(_ process: Process) throws -> Run {
    let (status, output, errors) = try outputs(of: process)
    return Run(
      status: status, output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self))
  }

  private static func outputs(
    of process: Process
  ) throws -> (status: Int32, output: Data, errors: Data) {
    let folder = FileManager.default.temporaryDirectory
    let name = UUID().uuidString
    let output = folder.appendingPathComponent(name + ".out")
    let errors = folder.appendingPathComponent(name + ".err")
    defer {
      try? FileManager.default.removeItem(at: output)
      try? FileManager.default.removeItem(at: errors)
    }
    for file in [output, errors] {
      _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return (
      process.terminationStatus, try Data(contentsOf: output), try Data(contentsOf: errors)
    )
  }
}

/// A temporary folder that is removed with its owner.
final class Workspace: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("planklab-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Runs a line in a shell, in the folder.
  func shell(_ line: String) throws -> Program.Run { try Program.shell(line, in: folder) }

  func text(_ name: String) throws -> String { try Program.text(path(name)) }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
  }

  /// Copies the committed dataset, under another name if one is given; gives the path of the copy.
  @discardableResult
  func copyScripted(to folder: String, name: String? = nil) throws -> String {
    try FileManager.default.copyItem(atPath: Program.scripted, toPath: path(folder))
    if let name {
      try replace("name: scripted", with: "name: \"\(name)\"", in: folder + "/dataset.yaml")
    }
    return path(folder)
  }

  /// Replaces a text, which must be there, wherever it stands in a file.
  func replace(_ old: String, with new: String, in name: String) throws {
    let text = try text(name)
    try #require(text.contains(old), "\(text)")
    try write(text.replacing(old, with: new), to: name)
  }

  /// Writes thresholds of `gravity`, or of another detector.
  func writeThresholds(
    _ parameters: [String: Double], detector: String = "gravity", to name: String
  ) throws {
    let content: [String: Any] = [
      "format": "planklab-thresholds", "schema_version": 1, "detector": detector,
      "parameters": parameters,
    ]
    try write(JSONSerialization.data(withJSONObject: content, options: .sortedKeys), to: name)
  }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  @discardableResult
  func write(_ data: Data, to name: String) throws -> String {
    let url = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
    return url.path
  }

  @discardableResult
  func dataset(
    poses: String = BadInputTests.Case.onePose, labels: String = "start,end,plank,form\n0,1,none,\n"
  ) throws -> String {
    try dataset(poses: Data(poses.utf8), labels: labels)
  }

  func dataset(poses: Data, labels: String = "start,end,plank,form\n0,1,none,\n") throws -> String {
    try write(poses, to: "data/a.poses.jsonl")
    try write(labels, to: "data/a.labels.csv")
    try write(
      "name: test\nsequences:\n  - poses: a.poses.jsonl\n    labels: a.labels.csv\n"
        + "    subject: one\n", to: "data/dataset.yaml")
    return path("data")
  }
}

struct EvaluationJSON {
  let envelope: [String: Any]
  let result: [String: Any]

  init(_ arguments: String...) throws { try self.init(arguments) }

  init(_ arguments: [String]) throws {
    envelope = try Program.run(["evaluate"] + arguments + ["--format", "json"]).expect(0).json()
    result = try #require(envelope["result"] as? [String: Any])
  }

  var provenance: [String: String] { envelope["provenance"] as? [String: String] ?? [:] }

  subscript(path: String...) -> Any? {
    path.reduce(result as Any?) { ($0 as? [String: Any])?[$1] }
  }

  /// The number of a metric; nil if it is undefined.
  func metric(_ key: String, determined: Bool = false) -> Double? {
    self[determined ? "metrics_determined" : "metrics", key] as? Double
  }

  /// The scored frames of a stream: rows are truth, columns answers.
  func confusion(_ stream: String) throws -> [[Int]] {
    try #require(self["streams", stream, "counts", "confusion", "rows"] as? [[Int]])
  }
}

import Foundation
import TestSupport

/// The program under test, run as a user runs it.
enum Program {
  /// The output of a run.
  struct Run {
    let status: Int32
    let output: String
    let errors: String

    /// The output as if it stood on one line, wherever its lines break.
    var words: String { output.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  }

  /// The folder from which the program is run.
  static let root = Repository.root

  /// The committed dataset.
  static let scripted = root.appendingPathComponent("datasets/scripted").path

  /// The folder with real recordings, if there is one.
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

  /// Runs the program with arguments, from the project's root.
  static func run(_ arguments: String...) throws -> Run { try run(arguments) }

  /// Runs the program with arguments, from the project's root.
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

import Platform
import Testing

@testable import PlankBench

/// Programs that this one runs, and a system that refuses what they need.
@Suite("Child processes")
struct ChildProcessTests {
  private static let shell = "/bin/sh"

  private static func output(_ child: ChildProcess) throws -> String {
    var bytes: [UInt8] = []
    try child.readOutput { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A reading that fails with some codes in turn before it reads.
  private static func failing(_ codes: Int32...) -> ChildProcess.Reading {
    var rest = codes[...]
    return { descriptor, buffer in
      guard let code = rest.popFirst() else {
        return read(descriptor, buffer.baseAddress, buffer.count)
      }
      errno = code
      return -1
    }
  }

  @Test("A program's output and its end are read, and arguments stay as they are")
  func output() throws {
    let child = try ChildProcess(
      Self.shell, ["-c", "printf '%s|' \"$@\"; exit 3", "sh", "a b", "$(id)"])
    #expect(try Self.output(child) == "a b|$(id)|")
    #expect(child.wait() == .exit(3))
    let killed = try ChildProcess(Self.shell, ["-c", "kill -TERM $$"], keepsOutput: false)
    #expect(killed.wait() == .signal(SIGTERM))
  }

  @Test("A program that is not there is an error")
  func missing() {
    let error = #expect(throws: ChildProcess.Failure.self) {
      try ChildProcess("/nowhere/program", [])
    }
    #expect(error?.code == ENOENT)
  }

  @Test("Arguments are not cut off where memory is refused")
  func memoryIsRefused() throws {
    let copies = try ChildProcess.copies(of: ["sh", "-c", "exit 3"])
    defer { for copy in copies { free(copy) } }
    #expect(copies.map { $0.map { String(cString: $0) } } == ["sh", "-c", "exit 3", nil])
    var left = 2
    let error = #expect(throws: ChildProcess.Failure.self) {
      try ChildProcess.copies(of: ["sh", "-c", "exit 3"]) { text in
        left -= 1
        return left < 0 ? nil : strdup(text)
      }
    }
    #expect(error?.code == ENOMEM)
  }

  @Test("Reading goes on after an interruption, and its failure is an error, not the end")
  func readingFails() throws {
    let child = try ChildProcess(Self.shell, ["-c", "echo text"])
    var text = ""
    try child.readOutput(Self.failing(EINTR, EINTR)) { text += String(decoding: $0, as: UTF8.self) }
    #expect(text == "text\n")
    #expect(child.wait() == .exit(0))
    let other = try ChildProcess(Self.shell, ["-c", "echo text"])
    let error = #expect(throws: ChildProcess.Failure.self) {
      try other.readOutput(Self.failing(EIO)) { _ in }
    }
    #expect(error?.code == EIO)
    _ = other.wait()
  }

  @Test("A tree of which git's words cannot be read does not pass for a clean one")
  func git() {
    let error = #expect(throws: WorkflowFailure.self) {
      try GitTree.state(around: ".", ignoring: "b.json", reading: Self.failing(EIO))
    }
    #expect(error?.status == .noInput)
    #expect(error?.message.contains("git rev-parse") == true)
    #expect(error?.message.contains("run the command again") == true)
  }
}

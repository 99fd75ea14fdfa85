import Foundation
import Testing

/// The example lines that `--help` shows.
@Suite("Examples of the help")
struct HelpExamplesTests {
  /// The example lines of every command, those on several lines joined.
  static let lines: [String] = {
    commandPaths().flatMap { command -> [String] in
      let help = wideHelp(of: command)
      var examples: [String] = []
      var isOpen = false
      for line in help.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
        if isOpen {
          examples[examples.count - 1] += line.last == "\\" ? line.dropLast() : line
        } else if line.hasPrefix("planklab ") {
          examples.append(String(line.last == "\\" ? line.dropLast() : line))
        } else {
          continue
        }
        isOpen = line.last == "\\"
      }
      return examples
    }
  }()

  @Test("There are example lines for most commands")
  func linesExist() {
    #expect(Self.lines.count >= 30)
    let commands = Set(Self.lines.map { $0.split(separator: " ").dropFirst().first })
    #expect(commands.count >= 12)
  }

  @Test("An example line works as it stands where its files are", arguments: lines)
  func lineWorks(line: String) throws {
    let world = try HelpWorld(for: line)
    let run = try Program.shell(world.line, in: world.folder)
    #expect(run.status == 0, "\(run.errors)")
    // The status of a pipe is its last command's.
    #expect(!run.errors.contains("error:"), "\(run.errors)")
  }

  /// Every command with its subcommands, as words after the program's name.
  private static func commandPaths() -> [String] {
    subcommands(in: wideHelp(of: "")).flatMap { name in
      [name] + subcommands(in: wideHelp(of: name)).map { name + " " + $0 }
    }
  }

  /// A help whose lines are not wrapped.
  private static func wideHelp(of command: String) -> String {
    (try? Program.shell("COLUMNS=400 planklab \(command) --help"))?.output ?? ""
  }

  /// The commands of a help, which may stand in several groups.
  private static func subcommands(in help: String) -> [String] {
    var commands: [String] = []
    var isList = false
    for line in help.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasSuffix("SUBCOMMANDS:") {
        isList = true
      } else if !line.hasPrefix("  ") {
        isList = false
      } else if isList, !line.hasPrefix("   "), let name = line.split(separator: " ").first {
        commands.append(String(name.last == "," ? name.dropLast() : name))
      }
    }
    return commands
  }
}

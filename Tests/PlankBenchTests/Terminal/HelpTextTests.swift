import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import PlankBench

/// The help of every command.
@Suite("Help")
struct HelpTextTests {
  /// Every command, the program first.
  private static func commands(
    under command: any ParsableCommand.Type = PlankLab.self
  ) -> [any ParsableCommand.Type] {
    [command] + command.configuration.subcommands.flatMap { commands(under: $0) }
  }

  @Test("The help of every command fits 80 columns")
  func width() {
    #expect(Self.commands().count > 35)
    for command in Self.commands() {
      let help = HelpText.wrapped(PlankLab.helpMessage(for: command, columns: 80))
      for line in help.split(separator: "\n") where line.count > 80 {
        Issue.record("\(command): \(line)")
      }
    }
  }

  @Test("The program's help begins with four commands, in the text and in the list")
  func begin() throws {
    let help = PlankLab.helpMessage(columns: 80)
    let start = try #require(help.range(of: "Begin with these four:\n\n"))
    let names = help[start.upperBound...].split(separator: "\n").prefix(4).map {
      String($0.split(separator: " ")[1])
    }
    #expect(names == ["evaluate", "explain", "tune", "compare"])
    let listed = PlankLab.configuration.ungroupedSubcommands.compactMap {
      $0.configuration.commandName ?? "\($0)".lowercased()
    }
    #expect(listed == names)
  }

  @Test("A synopsis breaks between options, and an option keeps its value")
  func synopsis() {
    let options = (1...9).map { "[--option-\($0) <VALUE> ...]" }.joined(separator: " ")
    let lines = HelpText.wrapped("USAGE: planklab do <it> --needed <FILE> \(options)")
      .split(separator: "\n")
    #expect(lines.count == 5 && lines.allSatisfy { $0.count <= 80 })
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("       [--option-") })
    #expect(lines[0].contains("--needed <FILE>"))
  }

  @Test(
    "Every mistake on the command line is told in one way",
    arguments: [["compare"], ["evaluate", "x", "--at", "3"], ["explain", "x", "--at", "1:75"]])
  func errors(arguments: [String]) throws {
    let error = try #require(throws: (any Error).self) { try PlankLab.parseAsRoot(arguments) }
    let text = HelpText.wrapped(PlankLab.fullMessage(for: error))
    #expect(text.hasPrefix("error: "), "\(text)")
  }
}

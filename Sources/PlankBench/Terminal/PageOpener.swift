internal import ArgumentParser
internal import Foundation
internal import Platform

struct OpenOption: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Open the page in a browser.",
      discussion: "With the program in BROWSER, else with `open` (macOS) or `xdg-open` (Linux)."))
  var open = false

  func show(_ path: String) -> [String] {
    let weight = Self.weight(ofBytes: InputFiles.size(of: path))
    guard open else { return weight }
    let opener = PageOpener(environment: ProcessInfo.processInfo.environment)
    return weight + (opener.open(path).map { [$0] } ?? [])
  }

  private static let heavyBytes = 30_000_000

  static func weight(ofBytes bytes: Int) -> [String] {
    guard bytes > heavyBytes else { return [] }
    return [
      "the page has \(SizeText.bytes(Double(bytes))), and browsers take seconds and several times that in "
        + "memory for it; a page of one recording, or of a dataset with fewer of them, is lighter"
    ]
  }
}

struct PageOpener: Hashable, Sendable {
  private static let patience = 1.0

  /// The environment: `BROWSER` names a program to use, `CI` keeps every page closed.
  let environment: [String: String]

  func open(_ path: String) -> String? {
    let page = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
    func closed(_ why: String) -> String { "not opened, because \(why): \(page)" }
    if let continuous = environment["CI"], !["", "false", "0"].contains(continuous) {
      return closed("CI is set")
    }
    #if !os(macOS)
      guard ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY"].contains(where: isGiven) else {
        return closed("there is no display and BROWSER names no program")
      }
    #endif
    guard let program else { return closed("\(wanted.joined(separator: " or ")) is not installed") }
    return Self.fails(program, page) ? closed("\(program) failed") : nil
  }

  var program: String? {
    wanted.lazy.compactMap { Programs.path(of: $0, environment: environment) }.first
  }

  private var wanted: [String] {
    let chosen = (environment["BROWSER"] ?? "").split(separator: ":").map(String.init)
    #if os(macOS)
      return chosen.isEmpty ? ["/usr/bin/open"] : chosen
    #else
      return chosen.isEmpty ? ["xdg-open"] : chosen
    #endif
  }

  private func isGiven(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }

  private static func fails(_ program: String, _ page: String) -> Bool {
    guard let process = try? ChildProcess(program, [page], keepsOutput: false) else { return true }
    let end = Date.now + patience
    while Date.now < end {
      if let end = process.end { return end != .exit(0) }
      usleep(20_000)
    }
    return false
  }
}

enum Programs {
  static func path(of name: String, environment: [String: String]) -> String? {
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let places = name.contains("/") ? [name] : folders.map { $0 + "/" + name }
    return places.first(where: FileManager.default.isExecutableFile)
  }
}

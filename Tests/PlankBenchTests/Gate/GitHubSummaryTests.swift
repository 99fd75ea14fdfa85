import Evaluation
import Foundation
import Testing

@testable import PlankBench
@testable import Reports

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Gates on GitHub") struct GitHubSummaryTests {
  private func lines(_ report: GateReport) -> [Substring] {
    GitHubSummary.annotations(report).split(separator: "\n")
  }

  @Test("A regression is an error with numbers, reason, people and moments in one line")
  func regression() {
    let report = GateSample.report([GateSample.finding("planks", .regressed)])
    #expect(
      lines(report) == [
        "::error title=regressed%3A planks::0.7500, baseline 0.9000, difference -0.1500"
          + "%0Aworse than the baseline by more than 0.05 (proven)%0Aworse: anna 0.900 -> 0.500"
          + "%0Arecordings/anna-1 at 0.10 s, for 0.30 s: high -> none"
      ])
  }

  @Test(
    "At most ten errors and ten warnings; the last one counts the rest",
    arguments: [(10, 10, nil), (11, 10, 2), (40, 10, 31)])
  func limit(count: Int, shown: Int, rest: Int?) {
    let findings = (0..<count).map { GateSample.finding("rule \($0)", .regressed) }
    let warnings = (0..<count).map { GateSample.finding("mild \($0)", .inconclusive) }
    let found = lines(GateSample.report(findings + warnings))
    for level in ["error", "warning"] {
      let own = found.filter { $0.hasPrefix("::\(level) ") }
      #expect(own.count == shown)
      if let rest { #expect(own.last == "::\(level) title=More::and \(rest) more") }
    }
  }

  @Test("Obstacles and rules share the ten places")
  func obstacles() {
    let report = GateSample.report(
      [GateSample.finding("rule", .notComparable)],
      obstacles: (0..<12).map { "obstacle \($0)" })
    #expect(lines(report).count == 10)
    #expect(lines(report).first == "::error title=not comparable::obstacle 0")
    #expect(lines(report).last == "::error title=More::and 4 more")
  }

  @Test("Commands cannot be broken out of: percent, line breaks, colons and commas are escaped")
  func escaping() throws {
    let report = GateSample.report([
      GateSample.finding(GateSample.hostile, .regressed, subject: "a\r\n::error::b, 50 %")
    ])
    let line = try #require(lines(report).first)
    #expect(lines(report).count == 1)
    #expect(!line.contains("\r"))
    let title = try #require(line.split(separator: "::").first).dropFirst("error ".count)
    #expect(title == "title=regressed%3A 100 %25%2C a%3Ab|<c> & \"d\"%0D%0A*e* 🧘")
    #expect(line.contains("worse: a%0D%0A::error::b, 50 %25 0.900 -> 0.500"))
  }

  @Test("A text within the limit is left alone, a longer one ends with a remark within it")
  func limited() {
    let text = (0..<30_000).map { "| row \($0) | ü |\n" }.joined()
    #expect(GitHubSummary.limited("short\n", to: 100) == "short\n")
    #expect(GitHubSummary.limited(text, to: text.utf8.count) == text)
    for limit in [GitHubSummary.mostCommentBytes, GitHubSummary.mostSummaryBytes / 4, 1000] {
      let cut = GitHubSummary.limited(text, to: limit)
      #expect(cut.utf8.count <= limit && cut.utf8.count > limit - 100)
      #expect(
        cut.hasSuffix("|\n\n(The rest is omitted because the text exceeds GitHub's limit.)\n"))
      #expect(text.hasPrefix(cut.prefix(limit / 2)))
    }
  }

  @Test("The limits are within GitHub's: 1 MiB a summary, 65,536 characters a comment")
  func limits() {
    #expect(GitHubSummary.mostSummaryBytes <= 1 << 20)
    #expect(GitHubSummary.mostCommentBytes <= 65_536)
  }
}

private final class JUnitReader: NSObject, XMLParserDelegate {
  private(set) var names: [String] = []
  private(set) var attributes: [String: [[String: String]]] = [:]
  private(set) var texts: [String: String] = [:]

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes found: [String: String]
  ) {
    names.append(name)
    attributes[name, default: []].append(found)
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let name = names.last { texts[name, default: ""] += text }
  }

  static func read(_ text: String) throws -> JUnitReader {
    let reader = JUnitReader()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = reader
    try #require(parser.parse(), "\(String(describing: parser.parserError))\n\(text)")
    return reader
  }
}

@Suite("Gates as JUnit") struct JUnitReportTests {
  @Test("A test case per rule and per obstacle; the counts are those of the elements")
  func counts() throws {
    let report = GateSample.envelope(
      [
        GateSample.finding("fine", .pass), GateSample.finding("bad", .regressed),
        GateSample.finding("mild", .regressed, severity: .warning),
        GateSample.finding("unknown", .notComparable),
      ], obstacles: ["no baseline"])
    let read = try JUnitReader.read(
      JUnitReport.render(report, duration: .milliseconds(1250)))
    #expect(
      read.attributes["testcase"]?.compactMap { $0["name"] } == [
        "comparable", "fine", "bad", "mild", "unknown",
      ])
    for name in ["testsuites", "testsuite"] {
      let found = try #require(read.attributes[name]?.first)
      #expect(found["tests"] == "5" && found["failures"] == "1" && found["errors"] == "2")
      #expect(found["time"] == "1.250")
    }
    #expect(read.attributes["failure"]?.count == 1)
    #expect(read.attributes["error"]?.count == 2)
    #expect(read.attributes["system-out"]?.count == 1)
  }

  @Test("Names come back from the file, but for control characters")
  func escaping() throws {
    let name = GateSample.hostile + "\u{1}\u{FFFE}"
    let text = JUnitReport.render(GateSample.envelope([GateSample.finding(name, .regressed)]))
    let read = try JUnitReader.read(text)
    let found = try #require(read.attributes["testcase"]?.first?["name"])
    #expect(found.hasPrefix("100 %, a:b|<c> & \"d\"") && found.hasSuffix("*e* 🧘??"))
    #expect(found.contains("?\n*e*"))
  }
}

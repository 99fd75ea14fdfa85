import Evaluation
import Foundation
import Testing

@testable import PlankBench

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What a reader of JUnit files finds in one.
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

@Suite("Gates as JUnit")
struct JUnitReportTests {
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

  @Test("A failure holds the people and the moments that got worse")
  func people() throws {
    let text = JUnitReport.render(GateSample.envelope([GateSample.finding("bad", .regressed)]))
    let body = try #require(JUnitReader.read(text).texts["failure"])
    #expect(body.contains("worse: anna 0.900 -> 0.500"))
    #expect(body.contains("recordings/anna-1 at 0.10 s, for 0.30 s: high -> none"))
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

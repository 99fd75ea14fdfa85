import Foundation
import PlankDetection
import Testing

@testable import ParameterTuning
@testable import PlankBench

/// Documents within saved results.
@Suite("Document in JSON")
struct DocumentJSONTests {
  private func read(_ text: String) throws -> Document {
    try JSONDecoder().decode(Document.self, from: Data(text.utf8))
  }

  /// A document with every kind of block and picture.
  private static func sample() throws -> Document {
    var document = Document()
    document.heading("a \"b\" \\ <i>", level: 1)
    document.paragraph(StyledText("one", .warning))
    document.list(["first", StyledText("second", .bad)])
    document.code(["planklab explain x"])
    var table = Table([.words("name"), .number("n")])
    table.row([StyledText("x", .strong), "1"])
    document.table(table)
    document.matrix(
      try #require(
        Document.Matrix(
          title: "plank", side: "a", labels: ["none", "high"], frames: [[1, 2], [3, 4]],
          seconds: [[0.1, 0.2], [0.3, 0.4]])))
    for figure in figures.prefix(2) { document.figure(figure) }
    return document
  }

  static let figures: [Figure] = [
    .intervals(
      IntervalFigure(
        title: "t",
        rows: [
          .init(
            name: "r", unit: "s", value: -0.5, lower: -1, upper: nil, limit: 0.25, tone: .dim)
        ])),
    .timeline(
      Timeline(
        title: "t", subtitle: "u", start: 0, end: 2,
        ribbons: [
          Timeline.Ribbon("plank", times: [0, 1], end: 2, states: ["none", "high"])
        ])),
    .objective(objective),
  ]

  /// An objective over two axes of two values, one cell of which is degenerate.
  private static let objective = ObjectiveFigure(
    title: "plank: f1", range: 0...1, names: .init(chosen: "best", plateau: "plateau"),
    profiles: [
      .init(
        line: .init(
          parameter: .sag, unit: .meters, values: [0.01, 0.02], objective: [0.5, nil], chosen: 0),
        defaultValue: 0.01,
        plateau: .init(
          key: .sag, unit: .meters, from: 0.01, to: 0.01, count: 1,
          below: .init(steps: 1, cliff: nil), above: .init(steps: 1, cliff: 0.02))),
      .init(
        line: .init(
          parameter: .pike, unit: .meters, values: [1, 2], objective: [0.5, 0.75], chosen: 0),
        defaultValue: nil, plateau: nil),
    ],
    slice: .init(
      rowAxis: 0, columnAxis: 1, objective: [[0.5, 0.75], [nil, 0.25]],
      isOnPlateau: [[true, true], [false, false]]), known: [0.5, 0.75, 0.25])

  @Test("Every block and picture reads back as it was written")
  func roundTrip() throws {
    let document = try Self.sample()
    #expect(document.blocks.count == 8)
    #expect(try read(document.json.text) == document)
  }

  @Test(
    "What is no document is refused with its place",
    arguments: [
      (#"[{"heading": "a"}]"#, "[0] lacks `level`"), (#"[{"heading": "a", "level": 9}]"#, "1 to 6"),
      (#"[{"video": "a"}]"#, "[0] has not one kind"), (#"[{"paragraph": 1}]"#, "[0].paragraph"),
      (#"[{"paragraph": "a", "code": []}]"#, "[0] has not one kind"),
      (#"[{"paragraph": {"text": "a", "tone": "loud"}}]"#, "[0].paragraph.tone"),
      (#"[{"table": {"columns": [], "rows": [["a"]]}}]"#, "[0].table has a row 0"),
      (
        #"[{"matrix": {"title": "", "side": "", "labels": ["a"], "frames": [[-1]], "seconds": [[1]]}}]"#,
        "[0].matrix has not one count"
      ),
      (
        #"[{"figure": {"intervals": {"title": "", "rows": [{"name": "", "unit": "-", "value": 1e300, "tone": "bad"}]}}}]"#,
        "[0].figure has numbers"
      ),
    ])
  func refusals(text: String, problem: String) throws {
    let error = try #require(throws: DecodingError.self) { try read(text) }
    #expect(DocumentError.text(error).contains(problem), "\(DocumentError.text(error))")
  }

  @Test("A cliff is an edge between the plateau and an evaluated cell beside it")
  func cliffs() throws {
    guard case .objective(let figure) = Self.figures[2], let slice = figure.slice else {
      Issue.record("the third picture has a slice")
      return
    }
    let cliffs = slice.cliffs
    #expect(cliffs.count == 1)
    #expect(cliffs.first.map { $0.row == 0 && $0.column == 1 && $0.isUpward } == true)
  }

  @Test("A picture in a page leaves its colors to the page's style sheet", arguments: figures)
  func colors(figure: Figure) {
    let svg = figure.svg
    #expect(!svg.contains("<style") && svg.hasPrefix("<svg"))
    let classes = svg.components(separatedBy: "class=\"").dropFirst().flatMap {
      $0.prefix { $0 != "\"" }.split(separator: " ")
    }
    #expect(!classes.isEmpty)
    for name in Set(classes) { #expect(Theme.figureCSS.contains(".\(name){"), "\(name)") }
  }
}

/// Pictures for a person at a terminal, and their replacement in a file.
@Suite("Terminal sketches")
struct TerminalSketchTests {
  private func render(_ figure: Figure, usesColor: Bool) -> String {
    var document = Document()
    document.figure(figure)
    return TextRenderer(usesColor: usesColor).render(document)
  }

  @Test("A matrix is shaded by its rows' shares at a terminal, and plain elsewhere")
  func matrix() throws {
    var document = Document()
    document.matrix(
      try #require(
        Document.Matrix(
          title: "plank", labels: ["none", "high"], frames: [[90, 10], [0, 5]],
          seconds: [[9, 1], [0, 0.5]])))
    let plain = TextRenderer().render(document)
    #expect(!plain.contains("\u{1B}") && plain.contains("90") && plain.contains("truth \\ answer"))
    let shaded = TextRenderer(usesColor: true).render(document)
    #expect(shaded.contains("\u{1B}[48;5;28;38;5;231m  90\u{1B}[0m"), "\(shaded.debugDescription)")
    #expect(shaded.contains("\u{1B}[48;5;52;38;5;231m  10\u{1B}[0m"))
    #expect(shaded.components(separatedBy: "48;5;").count == 4)
  }

  @Test("Ribbons are letters in a file, and letters on colors at a terminal")
  func ribbons() {
    let figure = DocumentJSONTests.figures[1]
    let plain = render(figure, usesColor: false)
    #expect(plain.contains(String(repeating: ".", count: 36) + String(repeating: "H", count: 36)))
    #expect(!plain.contains("\u{1B}"))
    let colored = render(figure, usesColor: true)
    #expect(colored.components(separatedBy: "mH\u{1B}[0m").count == 38)
  }

  @Test("Other pictures leave files as they are", arguments: [0, 2])
  func others(index: Int) {
    let figure = DocumentJSONTests.figures[index]
    #expect(render(figure, usesColor: false).isEmpty)
    #expect(figure.plain.blocks.isEmpty)
    #expect(!render(figure, usesColor: true).isEmpty)
  }

  @Test(
    "A sparkline goes from the least to the greatest number, with blanks where there is none",
    arguments: [
      ([0, 0.5, 1], "▁▅█"), ([1, nil, 0], "█ ▁"), ([2, 2], "▅▅"), ([nil], ""), ([], ""),
    ] as [([Double?], String)])
  func sparkline(values: [Double?], bars: String) {
    #expect(TerminalSketch.sparkline(values) == bars)
  }

  @Test("Intervals show the difference, zero, the limit and the ends")
  func intervals() {
    let sketch = render(DocumentJSONTests.figures[0], usesColor: true)
    #expect(sketch.contains("difference, s") && sketch.contains("●") && sketch.contains("┆"))
    #expect(sketch.contains("│") && sketch.hasSuffix("  -0.500\n"), "\(sketch)")
  }

  @Test("No name in a result steers the terminal")
  func controls() {
    let name = "a\u{1B}[2Jb"
    let figure = IntervalFigure(
      title: name,
      rows: [
        .init(name: name, unit: "-", value: 1, lower: 0, upper: 2, limit: nil, tone: .good)
      ])
    #expect(!figure.sketch.contains("\u{1B}") && figure.sketch.contains(#"a\u{1B}[2Jb"#))
  }
}

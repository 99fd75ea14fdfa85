/// A picture of a result, as data: what a saved result holds of it is enough to draw it again.
enum Figure: Hashable, Sendable {
  /// Differences with their intervals.
  case intervals(IntervalFigure)
  /// States over time.
  case timeline(Timeline)
  /// The objective of a sweep around one cell.
  case objective(ObjectiveFigure)
  /// Smoothers by lag and another number.
  case smoothers(SmootherFigure)

  /// Whether there is nothing to show.
  var isEmpty: Bool {
    switch self {
    case .intervals(let figure): figure.rows.isEmpty
    case .timeline(let timeline): timeline.end <= timeline.start
    case .objective(let figure): figure.known.isEmpty
    case .smoothers(let figure): figure.isEmpty
    }
  }

  /// The picture for a page that has `Theme.figureCSS`.
  var svg: String {
    switch self {
    case .intervals(let figure): figure.svg()
    case .timeline(let timeline): timeline.svg(isInPage: true)
    case .objective(let figure): figure.svg()
    case .smoothers(let figure): figure.svg(isInPage: true)
    }
  }

  /// What faces without pictures show instead; nothing where the text around says it.
  var plain: Document {
    switch self {
    case .intervals, .objective, .smoothers: Document()
    case .timeline(let timeline): timeline.document
    }
  }

  /// The picture in characters and colors of a terminal, a line break at the end.
  var sketch: String {
    switch self {
    case .intervals(let figure): figure.sketch
    case .timeline(let timeline): timeline.sketch
    case .objective(let figure): figure.sketch
    case .smoothers(let figure): figure.sketch
    }
  }

  /// The picture as JSON: its kind with its data.
  var json: JSONValue {
    switch self {
    case .intervals(let figure): .object(["intervals": figure.json])
    case .timeline(let timeline): .object(["timeline": timeline.json])
    case .objective(let figure): .object(["objective": figure.json])
    case .smoothers: .null
    }
  }
}

extension Figure: Decodable {
  private enum Kind: String, CodingKey { case intervals, timeline, objective }

  /// Reads what `json` gives.
  ///
  /// - Throws: `DecodingError` for an unknown kind, and for data that cannot be drawn.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Kind.self)
    guard values.allKeys.count == 1, let kind = values.allKeys.first else {
      throw DocumentError.unknownKind(decoder)
    }
    switch kind {
    case .intervals: self = .intervals(try values.decode(IntervalFigure.self, forKey: kind))
    case .timeline: self = .timeline(try values.decode(Timeline.self, forKey: kind))
    case .objective: self = .objective(try values.decode(ObjectiveFigure.self, forKey: kind))
    }
    guard isDrawable else {
      throw DocumentError.wrong(decoder, "has numbers that no picture can show")
    }
  }

  /// Whether lists fit together and numbers are of a size that axes have room for.
  private var isDrawable: Bool {
    let numbers: [Double]
    switch self {
    case .intervals(let figure): numbers = figure.rows.flatMap(\.numbers)
    case .timeline(let timeline):
      numbers =
        [timeline.start, timeline.end]
        + timeline.ribbons.flatMap { $0.spans.flatMap { [$0.start, $0.end] } }
    case .objective(let figure):
      guard figure.isConsistent else { return false }
      numbers = figure.known + figure.profiles.flatMap(\.values)
    case .smoothers(let figure): numbers = figure.places.flatMap { [$0.lag, $0.value] }
    }
    return numbers.allSatisfy { $0.magnitude < 1e9 }
  }
}

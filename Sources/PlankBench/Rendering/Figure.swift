enum Figure: Hashable, Sendable {
  case intervals(IntervalFigure)
  case timeline(Timeline)
  case objective(ObjectiveFigure)
  case smoothers(SmootherFigure)

  var isEmpty: Bool {
    switch self {
    case .intervals(let figure): figure.rows.isEmpty
    case .timeline(let timeline): timeline.end <= timeline.start
    case .objective(let figure): figure.known.isEmpty
    case .smoothers(let figure): figure.isEmpty
    }
  }

  var svg: String {
    switch self {
    case .intervals(let figure): figure.svg()
    case .timeline(let timeline): timeline.svg(isInPage: true)
    case .objective(let figure): figure.svg()
    case .smoothers(let figure): figure.svg(isInPage: true)
    }
  }

  var plain: Document {
    switch self {
    case .intervals, .objective, .smoothers: Document()
    case .timeline(let timeline): timeline.document
    }
  }

  var sketch: String {
    switch self {
    case .intervals(let figure): figure.sketch
    case .timeline(let timeline): timeline.sketch
    case .objective(let figure): figure.sketch
    case .smoothers(let figure): figure.sketch
    }
  }

  var isDrawable: Bool {
    let numbers: [Double]
    switch self {
    case .intervals(let figure): numbers = figure.rows.flatMap(\.numbers)
    case .timeline(let timeline):
      numbers =
        [timeline.start, timeline.end]
        + timeline.ribbons.flatMap { $0.spans.flatMap { [$0.start, $0.end] } }
    case .objective(let figure): numbers = figure.known
    case .smoothers(let figure): numbers = figure.places.flatMap { [$0.lag, $0.value] }
    }
    return numbers.allSatisfy { $0.magnitude < 1e9 }
  }
}

/// What happened in a sequence, as ribbons over one axis of time.
package struct Timeline: Hashable, Sendable {
  /// A stretch of time with one state.
  package struct Span: Hashable, Sendable {
    /// When it begins, in seconds.
    package var start: Double
    /// When it ends, in seconds.
    package var end: Double
    /// The state; empty where nothing is known.
    package var state: String
    /// What a picture writes instead of the state, such as a cause; nil for the state.
    package var caption: String?

    /// Makes a span.
    package init(start: Double, end: Double, state: String) {
      self.start = start
      self.end = end
      self.state = state
    }
  }

  /// One thing over time.
  package struct Ribbon: Hashable, Sendable {
    /// What it shows.
    package var name: String
    /// The spans in order; equal neighbors are one span.
    package private(set) var spans: [Span] = []

    /// Makes a ribbon of one state a frame.
    ///
    /// - Parameters:
    ///   - name: what it shows.
    ///   - times: the frames' times in seconds.
    ///   - end: when the last frame's state ends.
    ///   - states: one a frame, empty where nothing is known.
    package init(_ name: String, times: [Double], end: Double, states: [String]) {
      self.name = name
      for (index, state) in states.enumerated() {
        let until = index + 1 < times.count ? times[index + 1] : end
        if let last = spans.last, last.state == state {
          spans[spans.count - 1].end = until
        } else {
          spans.append(Span(start: times[index], end: until, state: state))
        }
      }
    }

    /// Writes something else than its state on the span at a time.
    package mutating func annotate(at time: Double, _ caption: String) {
      guard let index = spans.lastIndex(where: { $0.start <= time && time < $0.end }) else {
        return
      }
      spans[index].caption = caption
    }

    /// The state at a time; empty outside of every span.
    package func state(at time: Double) -> String {
      spans.last { $0.start <= time && time < $0.end }?.state ?? ""
    }
  }

  /// What it is of.
  package var title: String
  /// What else is known, in one line.
  package var subtitle: String
  /// When it begins, in seconds.
  package var start: Double
  /// When it ends, in seconds.
  package var end: Double
  /// The ribbons from top to bottom.
  package var ribbons: [Ribbon]

  /// Makes a timeline.
  package init(
    title: String, subtitle: String, start: Double, end: Double, ribbons: [Ribbon]
  ) {
    self.title = title
    self.subtitle = subtitle
    self.start = start
    self.end = end
    self.ribbons = ribbons
  }
}

package import Evaluation
package import PoseModel

package struct RecordingRibbons: Hashable, Sendable {
  package struct Recording: Hashable, Sendable {
    let index: Int
    let name: String
    let seconds: Double
    let truth: [ClassSpan]
    let answers: [ClassSpan]
    let wrong: [Range<Double>]
    let wrongSeconds: Double
    let scoredSeconds: Double
  }

  static let openCount = 4
  private static let width = 1000.0

  let stream: String
  let labels: [String]
  let recordings: [Recording]

  var html: HTML {
    guard !recordings.isEmpty else { return .empty }
    let longest = max(recordings.map(\.seconds).max() ?? 1, 1e-9)
    let scale = Self.width / longest
    let seconds = NumberText.fixed(longest, 3)
    let rows: [HTML] = recordings.map { row($0, scale: scale) }
    let start: HTML = "ol class=\"ribbons\" data-seconds=\"\(seconds)\""
    return """
      <h3>Every recording: \(stream)</h3>
      <p class="note">The recording with the most error time comes first. Labels are above, and \
      answers are below; errors are underlined.</p>
      \(ClassChip.legend(labels))\(rows.list(start, open: Self.openCount, "recording"))
      """
  }

  private func row(_ recording: Recording, scale: Double) -> HTML {
    let what =
      recording.scoredSeconds == 0
      ? "not labeled"
      : recording.wrongSeconds > 0
        ? "\(NumberText.fixed(recording.wrongSeconds, 1)) s wrong" : "✓ right"
    let width = NumberText.fixed(recording.seconds * scale, 1)
    return """
      <li data-recording="\(recording.index)" \
      data-seconds="\(NumberText.fixed(recording.seconds, 3))"><span class="name" title="\(recording.name)">\
      \(recording.name)</span>\
      <svg viewBox="0 0 1000 30" preserveAspectRatio="none" aria-hidden="true">\
      <rect class="track" x="0" y="0" width="\(width)" height="24"/>\
      \(recording.truth.map { $0.rect(scale: scale, y: 0, height: 11) })\(recording.answers.map { $0.rect(scale: scale, y: 13, height: 11) })\
      \(recording.wrong.map { mark($0, scale) })</svg>\
      <span class="n\(recording.wrongSeconds > 0 ? " bad" : "")">\(what)</span></li>

      """
  }

  private func mark(_ range: Range<Double>, _ scale: Double) -> HTML {
    "<rect class=\"wrong\" \(ClassSpan.place(range, scale)) y=\"26\" height=\"4\"/>"
  }
}

extension RecordingRibbons {
  package static func all(_ runs: [(outcome: SequenceOutcome, stretches: [MatrixStretch])])
    -> [RecordingRibbons]
  {
    let labeled = AnswerStream.allCases.filter { stream in
      runs.contains { $0.outcome.truth.codes(stream).contains(where: FrameTruth.isScored) }
    }
    return (labeled.isEmpty ? [.plank] : labeled).map { RecordingRibbons(runs, $0) }
  }

  private init(
    _ runs: [(outcome: SequenceOutcome, stretches: [MatrixStretch])], _ stream: AnswerStream
  ) {
    let all = runs.enumerated().map { Recording($1, stream, index: $0) }
    let used = Set(all.flatMap { $0.truth + $0.answers }.map(\.label))
    self.stream = stream.rawValue
    labels = stream.labels.filter(used.contains)
    recordings = all.filter { $0.seconds > 0 }.sorted {
      ($1.wrongSeconds, $0.index) < ($0.wrongSeconds, $1.index)
    }
  }
}

extension RecordingRibbons.Recording {
  fileprivate init(
    _ run: (outcome: SequenceOutcome, stretches: [MatrixStretch]), _ stream: AnswerStream,
    index: Int
  ) {
    let outcome = run.outcome
    let truth = outcome.truth.codes(stream)
    let start = outcome.times.first ?? 0
    let end = (outcome.times.last ?? 0) + outcome.frameWeight.value
    let wrong = run.stretches.filter { $0.stream == stream && $0.isWrong }
    self.index = index
    name = outcome.name
    seconds = outcome.times.isEmpty ? 0 : end - start
    self.truth = Self.spans(truth, outcome, end: end) {
      FrameTruth.isScored($0) ? stream.labels[Int($0)] : nil
    }
    answers = Self.spans(outcome[stream].answers, outcome, end: end) { stream.labels[Int($0)] }
    self.wrong = wrong.map { stretch in
      let from = stretch.start.value - start
      return from..<from + max(stretch.duration.value, 1e-9)
    }
    wrongSeconds = wrong.reduce(0) { $0 + $1.duration.value }
    scoredSeconds = run.stretches.reduce(0) { $0 + ($1.stream == stream ? $1.duration.value : 0) }
  }

  private static func spans(
    _ codes: [UInt8], _ outcome: SequenceOutcome, end: Double, _ label: (UInt8) -> String?
  ) -> [ClassSpan] {
    codes.indices.runs { codes[$0] == codes[$1] }.compactMap { run in
      guard let label = label(codes[run.lowerBound]) else { return nil }
      let (start, from) = (outcome.times[0], outcome.times[run.lowerBound])
      let until = run.upperBound == codes.count ? end : outcome.times[run.upperBound]
      return ClassSpan(label: label, range: from - start..<until - start)
    }
  }
}

extension Timeline {
  private static let rowHeight = 26
  private static let letterWidth = 0.0095

  private var isDrawable: Bool {
    let figure = Figure.timeline(self)
    return !figure.isEmpty && figure.isDrawable
  }

  var html: HTML {
    guard isDrawable else { return .empty }
    let rows: [HTML] = ribbons.map { ribbon in
      """
      <li><span class="name">\(ribbon.name)</span>\
      <svg height="\(Self.rowHeight)" role="img" aria-label="\(words(ribbon))">\
      \(ribbon.spans.map(drawing))</svg></li>

      """
    }
    return """
      <ol class="session">
      \(rows)<li class="axis" aria-hidden="true"><span></span><svg height="20">\(ticks)</svg></li>
      </ol>
      \(ClassChip.legend(states))
      """
  }

  package var svg: String {
    SVGCanvas.picture(title, subtitle, width: 1040) { canvas, top in
      guard isDrawable else { return top }
      let (left, width) = (196.0, 820.0)
      var y = top
      for ribbon in ribbons {
        canvas.text(ribbon.name, at: .init(x: left - 12, y: y + 17), .init(size: 12, anchor: "end"))
        let spans: [HTML] = ribbon.spans.map(drawing)
        let height = Double(Self.rowHeight)
        canvas.drawing(
          "\(spans)", "session", at: .init(x: left, y: y), width: width, height: height)
        y += height
      }
      let axis: HTML = "<g class=\"axis\">\(ticks)</g>"
      canvas.drawing(axis, "session", at: .init(x: left, y: y), width: width, height: 20)
      let keys = states.map { state in
        let mark: HTML =
          "<rect class=\"in-\(state)\" width=\"12\" height=\"12\" rx=\"2\"/>"
        return PlotKey(mark: mark, text: state, size: 12)
      }
      return canvas.keys(keys, at: .init(x: left, y: y + 32), width: width)
    }
  }

  private var states: [String] {
    let used = Set(ribbons.flatMap(\.spans).map(\.state))
    return TimelineStyle.all.map(\.state).filter(used.contains)
  }

  private var scale: BarScale { BarScale(range: start...end) }

  private func drawing(_ span: Span) -> HTML {
    guard TimelineStyle.of(span.state) != nil else { return .empty }
    let caption = span.caption ?? span.state
    let share = (span.end - span.start) / (end - start)
    let text: HTML =
      share < Self.letterWidth * Double(caption.count)
      ? .empty
      : """
      <text class="ink-\(span.state)" x="\(scale.place((span.start + span.end) / 2))" y="17" \
      text-anchor="middle">\(caption)</text>
      """
    return """
      <rect class="in-\(span.state)" \(scale.stretch(span.start, span.end)) y="1" height="22">\
      <title>\(words(span))</title></rect>\(text)
      """
  }

  private func words(_ span: Span) -> String {
    "\(span.caption ?? span.state), \(NumberText.fixed(span.start, 2)) to "
      + "\(NumberText.fixed(span.end, 2)) s"
  }

  private func words(_ ribbon: Ribbon) -> String {
    ribbon.spans.filter { TimelineStyle.of($0.state) != nil }.map(words).joined(separator: "; ")
  }

  private var ticks: HTML {
    let step = RoundStep(spanning: end - start, most: 8)
    let marks: [HTML] = step.multiples(from: start, to: end).map { tick in
      """
      <line class="grid" x1="\(scale.place(tick))" x2="\(scale.place(tick))" y1="0" y2="4"/>\
      <text x="\(scale.place(tick))" y="16" text-anchor="middle">\
      \(NumberText.fixed(tick, step.decimals)) s</text>
      """
    }
    return "\(marks)"
  }
}

struct AnswerRibbons: Hashable, Sendable {
  struct Ribbon: Hashable, Sendable {
    let name: String
    let spans: [ClassSpan]
  }

  private static let width = 1000.0

  let seconds: Double
  let ribbons: [Ribbon]
  let marked: Range<Double>

  var html: HTML {
    guard seconds > 0, !ribbons.isEmpty else { return .empty }
    let names = ribbons.flatMap(\.spans).map(\.label).distinct
    let rows: [HTML] = ribbons.map(row)
    return """
      <div class="answers">
      \(rows)<span></span><p class="times"><span>0:00</span><span>\(Self.time(seconds))</span></p>
      </div>
      \(ClassChip.legend(names))
      """
  }

  private func row(_ ribbon: Ribbon) -> HTML {
    let scale = Self.width / seconds
    let spans: [HTML] = ribbon.spans.map { span in span.rect(scale: scale, y: 0, height: 20) }
    return """
      <span class="name">\(ribbon.name)</span>\
      <svg viewBox="0 0 1000 24" preserveAspectRatio="none" role="img" \
      aria-label="\(ribbon.name): \(words(ribbon))">\
      <rect class="track" x="0" y="0" width="1000" height="20"/>\(spans)\
      <rect class="marked" \(ClassSpan.place(marked, scale)) y="21" height="3"/></svg>

      """
  }

  private func words(_ ribbon: Ribbon) -> String {
    let first = ribbon.spans.prefix(12).map { "\($0.label) from \(Self.time($0.range.lowerBound))" }
    return first.joined(separator: ", ") + (ribbon.spans.count > 12 ? ", and so on" : "")
  }

  static func time(_ seconds: Double) -> String {
    let hundredths = Int((100 * min(max(0, seconds), 1e6)).rounded())
    let rest = NumberText.fixed(Double(hundredths % 6000) / 100, 2)
    return "\(hundredths / 6000):\(rest.count < 5 ? "0" : "")\(rest)"
  }
}

struct DifferenceRibbons: Hashable, Sendable {
  struct Moment: Hashable, Sendable {
    let what: String
    let isLost: Bool
    let start: Seconds
    let truth: String
    let before: String
    let after: String
    let link: MomentLink?
    let commands: [[String]]
  }

  struct Recording: Hashable, Sendable {
    let name: String
    let facts: String
    let seconds: Double
    let truth: [ClassSpan]
    let before: [ClassSpan]
    let after: [ClassSpan]
    let moments: [Moment]
  }

  static let openCount = 4
  private static let width = 1000.0

  let reference: String
  let candidate: String
  let recordings: [Recording]

  var html: HTML {
    guard !recordings.isEmpty else { return .empty }
    let spans = recordings.flatMap { $0.truth + $0.before + $0.after }
    let labels = spans.map(\.label).distinct
    let rows: [HTML] = recordings.map(row)
    return """
      \(ClassChip.legend(labels))<p class="legend"><span><i class="lost"></i>only \(reference) \
      is right</span><span><i class="won"></i>only \(candidate) is right</span></p>
      \(rows.list("ol class=\"differences\"", open: Self.openCount, "recording"))
      """
  }

  private func row(_ recording: Recording) -> HTML {
    let scale = Self.width / max(recording.seconds, 1e-9)
    let lanes: [HTML] = [recording.truth, recording.before, recording.after].enumerated().map {
      lane, spans in
      let rects: [HTML] = spans.map { $0.rect(scale: scale, y: 16 * lane, height: 14) }
      let unknown: HTML =
        "<rect class=\"unknown\" x=\"0\" y=\"\(16 * lane + 6)\" width=\"1000\" height=\"2\"/>"
      return "\(unknown)\(rects)"
    }
    let marks: [HTML] = Self.oneSided(recording).map { mark in
      let row = mark.isLost ? "lost\" y=\"48" : "won\" y=\"54"
      return """
        <rect class="\(HTML(markup: row))" \(ClassSpan.place(mark.range, scale)) height="5"/>
        """
    }
    let moments: [HTML] = recording.moments.map(moment)
    return """
      <li><p class="name"><b>\(recording.name)</b> <span class="dim">\(recording.facts)</span></p>
      <div class="stack"><p class="lanes"><span>truth</span><span>\(reference)</span>\
      <span>\(candidate)</span></p>
      <svg viewBox="0 0 1000 60" preserveAspectRatio="none" aria-hidden="true">\
      \(lanes)\(marks)</svg>
      <p class="ends"><span>0 s</span><span>\(NumberText.fixed(recording.seconds, 1)) s</span></p>\
      </div>
      \(moments)</li>

      """
  }

  private func moment(_ moment: Moment) -> HTML {
    let lines: [HTML] = moment.commands.map { CopyLine(lines: $0).html }
    let explain: HTML =
      lines.isEmpty
      ? .empty : "<details><summary>Explain this moment</summary>\n\(lines)</details>\n"
    return """
      <div class="moment"><p><b class="\(moment.isLost ? "bad" : "good")">\(moment.what)</b> \
      at \(NumberText.fixed(moment.start.value, 2)) s: true \(ClassChip(name: moment.truth).html), \
      \(reference) \(ClassChip(name: moment.before).html), \
      \(candidate) \(ClassChip(name: moment.after).html) \(moment.link?.html ?? .empty)</p>
      \(explain)</div>

      """
  }

  private static func oneSided(_ recording: Recording) -> [(range: Range<Double>, isLost: Bool)] {
    let ribbons = [recording.truth, recording.before, recording.after]
    let edges = Set(ribbons.joined().flatMap { [$0.range.lowerBound, $0.range.upperBound] })
      .sorted()
    var found: [(range: Range<Double>, isLost: Bool)] = []
    var places = [0, 0, 0]
    for (start, end) in zip(edges, edges.dropFirst()) {
      let labels = ribbons.indices.map { ribbon -> String? in
        let spans = ribbons[ribbon]
        while places[ribbon] < spans.count, spans[places[ribbon]].range.upperBound <= start {
          places[ribbon] += 1
        }
        guard places[ribbon] < spans.count, spans[places[ribbon]].range.lowerBound <= start
        else { return nil }
        return spans[places[ribbon]].label
      }
      guard let truth = labels[0], (labels[1] == truth) != (labels[2] == truth) else { continue }
      let isLost = labels[1] == truth
      if let last = found.last, last.isLost == isLost, last.range.upperBound == start {
        found[found.count - 1].range = last.range.lowerBound..<end
      } else {
        found.append((range: start..<end, isLost: isLost))
      }
    }
    return found
  }
}

struct PeopleStrip: Hashable, Sendable {
  struct Person: Hashable, Sendable {
    let name: String
    let seconds: Double
    let shares: [Double?]

    /// The smallest share, of whatever stream; nil if none is known.
    fileprivate var worst: Double? { shares.compactMap(\.self).min() }
  }

  private static let openCount = 12

  let streams: [String]
  let everyone: [Double?]
  let people: [Person]

  var html: HTML {
    guard people.count > 1 else { return .empty }
    let sorted = people.sorted { ($0.worst ?? 2) < ($1.worst ?? 2) }
    let cards: [HTML] = sorted.enumerated().map { index, person in
      let isWorst = index == 0 && (person.worst ?? 1) < 1
      let rows: [HTML] = streams.indices.map { stream in
        bar(person, stream, isWorst: isWorst && person.shares[stream] == person.worst)
      }
      let mark: HTML = isWorst ? "<b class=\"bad\">▼ worst</b>" : .empty
      return """
        <li><p class="name"><span><b>\(person.name)</b> \
        <span class="dim">\(NumberText.fixed(person.seconds, 1)) s</span></span>\(mark)</p>\(rows)</li>

        """
    }
    return """
      <section class="panel"><h2>People</h2>
      <p class="note">The person with the worst result comes first. The line shows the result for \
      everyone together.</p>
      \(cards.list("ul class=\"people\"", open: Self.openCount, "person", plural: "people"))</section>

      """
  }

  private func bar(_ person: Person, _ stream: Int, isWorst: Bool) -> HTML {
    guard let share = person.shares[stream] else {
      return """
        <p class="share"><span>\(streams[stream])</span><span class="dim">not judged</span></p>
        """
    }
    let all: HTML =
      everyone[stream].map {
        "<rect class=\"all\" x=\"\(HTML.percent($0))\" y=\"0\" width=\"2\" height=\"12\"/>"
      } ?? .empty
    return """
      <p class="share\(isWorst ? " worst" : "")"><span>\(streams[stream])</span>\
      <svg height="12" aria-hidden="true">\
      <rect class="track" x="0" y="3" width="100%" height="6" rx="3"/>\
      <rect class="fill" x="0" y="3" width="\(HTML.percent(share))" height="6" rx="3"/>\(all)</svg>\
      <span class="n">\(NumberText.wholePercent(share))</span></p>
      """
  }
}

struct ClassSpan: Hashable, Sendable {
  let label: String
  /// In seconds after the start of the ribbon.
  let range: Range<Double>

  func rect(scale: Double, y: Int, height: Int) -> HTML {
    "<rect class=\"in-\(label)\" \(Self.place(range, scale)) y=\"\(y)\" height=\"\(height)\"/>"
  }

  private static let mostUnits = 1e6

  static func place(_ range: Range<Double>, _ scale: Double) -> HTML {
    let width = min(max(1, (range.upperBound - range.lowerBound) * scale), mostUnits)
    let start = min(max(0, range.lowerBound * scale), mostUnits)
    return HTML(
      markup: "x=\"\(NumberText.fixed(start, 1))\" " + "width=\"\(NumberText.fixed(width, 1))\"")
  }
}

struct ClassChip: Hashable, Sendable {
  let name: String

  var html: HTML {
    Theme.color(of: name) == nil
      ? "<span class=\"chip\">\(name)</span>" : "<span class=\"chip on-\(name)\">\(name)</span>"
  }

  static func pair(_ truth: String, _ answer: String) -> HTML {
    "\(ClassChip(name: truth).html) <span aria-label=\"answered as\">→</span> \(ClassChip(name: answer).html)"
  }

  static func legend(_ names: [String]) -> HTML {
    let items: [HTML] = names.map {
      "<span><i class=\"on-\($0)\" aria-hidden=\"true\"></i>\($0)</span>"
    }
    return "<p class=\"legend\">\(items)</p>\n"
  }
}

struct MomentLink: Hashable, Sendable {
  let sequence: String
  let time: Seconds
  var stream: AnswerStream?
  var text = "Show the moment"

  var html: HTML {
    let at = NumberText.fixed(time.value, 3)
    let part = stream.map { "&stream=\($0.rawValue)" } ?? ""
    return """
      <a class="button show" href="#seq=\(Self.encoded(sequence))&t=\(at)\(part)" hidden>\(text)</a>
      """
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      if byte < 0x80, character.isLetter || character.isNumber { return String(character) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }
}

package struct MatrixStretch: Hashable, Sendable {
  package let stream: AnswerStream
  package let truth: UInt8
  package let answer: UInt8
  package var before: UInt8?
  package let frames: Range<Int>
  package let start: Seconds
  /// A frame lasts until the next one, but at most 0.5 s; the last frame of a sequence lasts for
  /// the median interval.
  package let duration: Seconds

  package var isWrong: Bool { truth != answer }

  package var isLost: Bool { isWrong && before == truth }

  package var isWon: Bool { !isWrong && before.map { $0 != truth } ?? false }

  package static func all(
    in outcome: SequenceOutcome, beside other: SequenceOutcome? = nil
  ) -> [MatrixStretch] {
    AnswerStream.allCases.flatMap { stream in
      let truth = outcome.truth.codes(stream)
      let answers = outcome[stream].answers
      let before = other?[stream].answers
      return truth.indices.runs { frame, next in
        truth[frame] == truth[next] && answers[frame] == answers[next]
          && before?[frame] == before?[next]
      }.filter { FrameTruth.isScored(truth[$0.lowerBound]) }.map { frames in
        let first = frames.lowerBound
        return MatrixStretch(
          stream: stream, truth: truth[first], answer: answers[first], before: before?[first],
          frames: frames, start: Seconds(outcome.times[first]),
          duration: Seconds(frames.reduce(0) { $0 + weight(of: $1, in: outcome) }))
      }
    }
  }

  static func weight(of frame: Int, in outcome: SequenceOutcome) -> Double {
    let times = outcome.times
    return frame + 1 < times.count
      ? min(times[frame + 1] - times[frame], FrameTiming.longestGap) : outcome.frameWeight.value
  }
}

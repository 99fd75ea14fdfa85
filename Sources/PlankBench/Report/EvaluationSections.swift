internal import PoseModel

extension SavedEvaluation {
  /// The result for people: first what is wrong, then all the numbers behind it.
  var document: Document {
    var document = Document()
    let detector = result["detector"]
    let dataset = result["dataset"]
    document.heading(
      "\(detector?["name"].words ?? "?") on \(dataset?["name"].words ?? "?")", level: 1)
    document.list(verdict("sentences").map { StyledText($0) })
    for fact in verdict("facts") { document.paragraph(StyledText(fact, .dim)) }
    for stream in AnswerStream.allCases { appendStream(stream, to: &document) }
    document.heading("Steadiness and latency")
    document.table(steadiness)
    document.heading("By subject and tag")
    for stream in AnswerStream.allCases { document.table(slices(stream)) }
    document.heading("By sequence")
    document.table(sequences)
    document.heading("The worst moments")
    document.table(worstMoments)
    document.paragraph(
      "`planklab explain` shows every rule at such a moment, given the recording and the time.")
    document.heading("Jitter on holds")
    document.table(jitter)
    appendOrigin(to: &document)
    return document
  }

  private func part(_ stream: AnswerStream) -> JSONValue? { result[stream.rawValue] }

  /// The evaluation's own sentences.
  private func verdict(_ part: String) -> [String] {
    result["verdict"]?[part]?.items.map(\.words) ?? []
  }

  private func interval(
    _ stream: AnswerStream, _ metric: String
  ) -> (text: String, method: String)? {
    guard let found = part(stream)?["intervals"]?["\(stream.rawValue).\(metric)"],
      let method = found["wider"]?.string, let ends = found[method],
      let lower = ends["lower"]?.number, let upper = ends["upper"]?.number
    else { return nil }
    return ("\(NumberText.fixed(lower, 3)) ... \(NumberText.fixed(upper, 3))", method)
  }

  private func appendStream(_ stream: AnswerStream, to document: inout Document) {
    guard let part = part(stream) else { return }
    document.heading("\(stream.rawValue): confusion")
    if let matrix = Self.matrix(stream, part) { document.matrix(matrix) }
    document.table(classes(part))
    document.heading("\(stream.rawValue): metrics", level: 3)
    document.table(metrics(stream, part))
    for (name, reason) in part["metrics_remarks"]?.members ?? [] {
      document.paragraph(StyledText("\(name): \(reason.words).", .dim))
    }
    let rules = result["detector"]?["rules"]?[stream.rawValue]?.items ?? []
    if !rules.isEmpty {
      document.heading("\(stream.rawValue): rules", level: 3)
      document.list(rules.map { StyledText($0.words) })
    }
  }

  private static func matrix(_ stream: AnswerStream, _ part: JSONValue) -> Document.Matrix? {
    func rows(_ name: String) -> [[Double]] {
      part[name]?.items.map { $0.items.compactMap(\.number) } ?? []
    }
    return Document.Matrix(
      title: stream.rawValue, labels: part["labels"]?.items.map(\.words) ?? [],
      frames: rows("confusion").map { $0.compactMap { Int(exactly: $0) } },
      seconds: rows("confusion_seconds"))
  }

  private func classes(_ part: JSONValue) -> Table {
    var table = Table([
      .words("class"), .number("true s"), .number("precision"), .number("recall"), .number("F1"),
      .number("determined"),
    ])
    for label in part["labels"]?.items.map(\.words) ?? [] {
      let own = part["per_class"]?[label]
      let share = part["determined"]?["by_seconds"]?["per_class"]?[label]?.number
      table.row([
        StyledText(label, .strong), own?["support_seconds"].fixed(1) ?? "",
        own?["precision"].fixed(3) ?? "", own?["recall"].fixed(3) ?? "",
        own?["f1"].fixed(3) ?? "", StyledText(share.map(NumberText.percent) ?? "n/a"),
      ])
    }
    return table
  }

  private func metrics(_ stream: AnswerStream, _ part: JSONValue) -> Table {
    var table = Table([
      .words("metric"), .number("value"), .number("95 % interval by subject"), .words("by"),
      .number("where determined"),
    ])
    for (name, value) in part["metrics"]?.members ?? [] {
      let ends = interval(stream, name)
      table.row([
        StyledText(name), StyledText(Optional(value).fixed(3).text, .strong),
        StyledText(ends?.text ?? "none"), StyledText(ends?.method ?? "", .dim),
        part["metrics_determined"]?[name].fixed(3) ?? "",
      ])
    }
    return table
  }

  private static let overTime: [(part: String, key: String, title: String, digits: Int)] = [
    ("stability", "predicted_transitions", "changes of the answer", 0),
    ("stability", "true_transitions", "true changes", 0),
    ("stability", "excess_transitions_per_minute", "changes beyond the true ones, 1/min", 2),
    ("stability", "false_transitions_per_minute", "false changes, 1/min", 2),
    ("stability", "missed_transitions", "missed changes", 0),
    ("stability", "flickers_per_minute", "flickers, 1/min", 2),
    ("temporal", "true_events", "true events", 0),
    ("temporal", "hit_rate", "events answered", 3),
    ("temporal", "event_f1", "event F1", 3),
    ("temporal", "detection_latency_p50_s", "latency, half answered, s", 3),
    ("temporal", "detection_latency_p90_s", "latency, 9 in 10 answered, s", 3),
    ("temporal", "release_latency_p50_s", "release, half let go, s", 3),
  ]

  private var steadiness: Table {
    var table = Table([.words("number")] + AnswerStream.allCases.map { .number($0.rawValue) })
    for row in Self.overTime {
      table.row(
        [StyledText(row.title)]
          + AnswerStream.allCases.map { stream in
            result[row.part]?[stream.rawValue]?[row.key].fixed(row.digits) ?? "n/a"
          })
    }
    return table
  }

  private func slices(_ stream: AnswerStream) -> Table {
    var table = Table([
      .words(stream.rawValue), .words("slice"), .number("sequences"), .number("scored frames"),
      .number("accuracy"), .number("balanced accuracy"), .number("excess/min"),
    ])
    for slice in part(stream)?["slices"]?.items ?? [] {
      table.row([
        StyledText(slice["by"].words, .dim), StyledText(slice["value"].words, .strong),
        slice["sequences"].fixed(0), slice["scored_frames"].fixed(0),
        slice["metrics"]?["accuracy"].fixed(3) ?? "n/a",
        slice["metrics"]?["balanced_accuracy"].fixed(3) ?? "n/a",
        slice["stability"]?["excess_transitions_per_minute"].fixed(2) ?? "n/a",
      ])
    }
    return table
  }

  private var sequences: Table {
    var table = Table([
      .words("sequence"), .words("subject"), .number("frames"), .number("plank accuracy"),
      .number("form accuracy"), .number("plank determined"),
    ])
    for sequence in result["sequences"]?.items ?? [] {
      let determined = sequence["plank"]?["determined_share"]?.number
      table.row([
        StyledText(sequence["name"].words), StyledText(sequence["subject"]?.string ?? "-", .dim),
        sequence["frames"].fixed(0), sequence["plank"]?["accuracy"].fixed(3) ?? "n/a",
        sequence["form"]?["accuracy"].fixed(3) ?? "n/a",
        StyledText(determined.map(NumberText.percent) ?? "n/a"),
      ])
    }
    return table
  }

  private var worstMoments: Table {
    var table = Table([
      .words("stream"), .words("sequence"), .number("at s"), .number("for s"), .words("truth"),
      .words("answer"), .words("nearest threshold"), .number("margin"),
    ])
    for stream in AnswerStream.allCases {
      for moment in part(stream)?["worst_moments"]?.items ?? [] {
        let nearest = moment["nearest_threshold"]
        table.row([
          StyledText(stream.rawValue, .dim), StyledText(moment["sequence"].words),
          moment["frame_time_s"].fixed(3), moment["duration_s"].fixed(2),
          StyledText(moment["truth"].words), StyledText(moment["answer"].words, .bad),
          StyledText(nearest?["predicate"]?.string ?? "", .dim),
          StyledText(
            nearest?["margin"]?.number.map {
              NumberText.fixed($0, 3) + " " + (nearest?["unit"].words ?? "")
            } ?? ""),
        ])
      }
    }
    return table
  }

  private var jitter: Table {
    var table = Table([
      .words("measurement"), .words("unit"), .number("noise"), .number("RMS step"),
      .number("lag-1 correlation"), .number("frames"),
    ])
    for row in result["jitter"]?["measurements"]?.items ?? [] {
      table.row([
        StyledText(row["name"].words), StyledText(row["unit"].words, .dim), row["noise"].fixed(4),
        row["rms_step"].fixed(4), row["lag_one_correlation"].fixed(2), row["frames"].fixed(0),
      ])
    }
    return table
  }

  private func appendOrigin(to document: inout Document) {
    let notes = result["notes"]?.items ?? []
    if !notes.isEmpty {
      document.heading("Notes")
      document.list(notes.map { StyledText($0.words) })
    }
    document.heading("Provenance")
    let units = result["detector"]?["parameter_units"]
    let parameters = (result["detector"]?["parameters"]?.members ?? []).map { key, value in
      let unit = units?[key]?.string ?? "-"
      return "\(key) \(value.words)" + (unit == "-" ? "" : " \(unit)")
    }
    let facts =
      (result["provenance"]?.members ?? []).map { "\($0): \($1.words)" }
      + ["hash", "poses_hash", "labels_hash", "manifest_hash"].compactMap { key in
        result["dataset"]?[key]?.string.map { "dataset \(key): \($0)" }
      } + [parameters.isEmpty ? "" : "parameters: " + parameters.joined(separator: ", ")]
    document.list(facts.filter { !$0.isEmpty }.map { StyledText($0, .dim) })
  }
}

extension JSONValue? {
  /// The value for people; empty if there is none.
  fileprivate var words: String {
    switch self {
    case .string(let text)?: text
    case .number(let number)?: NumberText.shortest(number)
    case .integer(let number)?: String(number)
    case .bool(let value)?: value ? "yes" : "no"
    case nil, .null?, .array?, .object?: ""
    }
  }

  /// The number with some decimals; `n/a` if there is none.
  fileprivate func fixed(_ decimals: Int) -> StyledText {
    StyledText(self?.number.map { NumberText.fixed($0, decimals) } ?? "n/a")
  }
}

extension JSONValue {
  fileprivate var words: String { Optional(self).words }
}

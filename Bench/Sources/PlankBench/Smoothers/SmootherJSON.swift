internal import Evaluation
internal import PoseDatasets
@_spi(Bench) internal import PoseModel

extension SmootherComparison {
  /// The version of the JSON format; it rises when a key changes its meaning or is removed.
  static let schemaVersion = 1

  /// The whole comparison as JSON.
  var json: JSONValue {
    let front = front
    func texts(_ points: [SmootherPoint]) -> JSONValue {
      .array(points.map { .string($0.text) })
    }
    func rows(_ rows: [SmootherFront.Row], _ key: String) -> JSONValue {
      .array(
        rows.map { .object([key: .number($0.limit), "smoothers": texts($0.points)]) })
    }
    return .object([
      "schema_version": .integer(Self.schemaVersion),
      "dataset": .object([
        "name": .string(dataset.name), "hash": .string(dataset.hash),
        "split": .optional(dataset.split), "sequences": .integer(size.sequences),
        "frames": .integer(size.frames), "transitions": .integer(size.transitions),
        "rate_hz": .number(rate),
      ]),
      "detector": .string(detector), "target": .string(target),
      "lag_cost_per_s": .number(lagCost),
      "recommended": .optional(recommended?.text),
      "front": texts(front.front),
      "equal_lag": rows(front.equalLag, "lag_s"),
      "equal_jitter": rows(front.equalJitter, "jitter_ratio"),
      "points": .array(points.map(\.json)),
      "verdict": .array(verdict.map { .string($0.text) }),
      "dwells": .array(
        dwells.map { dwell in
          .object(["dwell_s": .number(dwell.time.value), "answers": dwell.answers.json])
        }),
      "stress": .array(
        stress.map { row in
          .object(["frames": .string(row.condition.rawValue), "point": row.point.json])
        }),
      "unsigned_angle": .array(
        angles.map { row in
          var members = JSONValue.members([
            "mean_deg": row.mean, "deviation_deg": row.deviation,
          ])
          members["smoother"] = .string(row.text)
          return .object(members)
        }),
      "notes": .array(notes.map(JSONValue.string)),
    ])
  }

  /// The files of a report by name: text, page, figures and numbers.
  ///
  /// - Throws: `DatasetError.hashingFailed` if libcrypto fails.
  func files() throws(DatasetError) -> [(name: String, text: String)] {
    let full = document(isFull: true)
    return [
      ("report.md", MarkdownRenderer().render(full)),
      ("report.html", try ReportPage.html([SavedResult(name: "smoothers", page)])),
      ("result.json", json.carrying(page).text),
    ] + SmootherFigure.all(self).map { ($0.name + ".svg", $0.figure.svg()) }
  }
}

extension SmootherPoint {
  fileprivate var json: JSONValue {
    var members = JSONValue.members([
      "jitter_ratio": calm.step, "spread_ratio": calm.spread,
      "acceleration_ratio": calm.acceleration, "lag_s": delay.lag,
      "lag_at_entries_s": delay.entries, "lag_of_movement_s": delay.movement,
      "step_t50_s": delay.halfTime, "step_t90_s": delay.ninetyTime,
      "overshoot": delay.overshoot, "ramp_slow_s": delay.ramps[0],
      "ramp_brisk_s": delay.ramps[1], "ramp_fast_s": delay.ramps[2],
      "group_delay_s": delay.groupDelay, "white_gain": delay.whiteGain,
      "colored_gain": delay.coloredGain,
    ])
    members["smoother"] = .string(text)
    members["family"] = .string(family)
    members["causal"] = .bool(isCausal)
    members["tuned"] = .bool(isTuned)
    if let answers {
      members["answers"] = answers.json
    }
    return .object(members)
  }
}

extension SmootherAnswers {
  fileprivate var json: JSONValue {
    .object(
      JSONValue.members(Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.value) })))
  }
}

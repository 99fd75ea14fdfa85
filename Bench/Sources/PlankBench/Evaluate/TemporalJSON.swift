internal import Evaluation
@_spi(Bench) internal import PoseModel

extension ScoreView {
  /// The metrics of events and latencies, with the counts behind them.
  var overTimeJSON: [String: JSONValue] {
    let detection = temporal.detection
    var members = results(.overTime).json
    members["true_events"] = .integer(detection.changes)
    members["detected_events"] = .integer(detection.hits)
    members["observed_starts"] = .integer(detection.observedChanges)
    members["hidden_starts"] = .integer(detection.hiddenChanges)
    members["remarks"] = results(.overTime).remarks
    return members
  }

  /// The metrics of a session.
  var sessionJSON: [String: JSONValue] {
    let holds = pool.temporal.any.holds
    var members = results(.overTime, .session).json
    members["sessions"] = .integer(holds.sequences)
    members["true_s"] = .number(holds.trueSeconds)
    members["answered_s"] = .number(holds.answeredSeconds)
    members["remarks"] = results(.overTime, .session).remarks
    return members
  }
}

extension TemporalMetrics {
  /// Every number: events by rule, segments, and each class.
  var details: JSONValue {
    .object([
      "events": .array(zip(rules, events).map(Self.json)),
      "segments": segments.json,
      "detection": detection.json, "release": release.json,
      "any": any.json,
      "classes": .object(
        Dictionary(
          uniqueKeysWithValues: classes.map { part in
            guard case .object(var members) = part.json else { return (part.label ?? "", .null) }
            members["events"] = .array(zip(rules, part.events).map(Self.json))
            return (part.label ?? "", .object(members))
          })),
    ])
  }

  private static func json(_ rule: EventRule, _ scores: EventScores) -> JSONValue {
    var members = JSONValue.members([
      "precision": scores.precision, "recall": scores.recall, "f1": scores.f1,
      "error_rate": scores.errorRate,
    ])
    members["collar_s"] = .number(rule.collar.value)
    members["ends_count"] = .bool(rule.countsEnds)
    members["matched"] = .integer(scores.counts.matched)
    members["truth"] = .integer(scores.counts.truth)
    members["answers"] = .integer(scores.counts.answers)
    return .object(members)
  }
}

extension ClassTemporalMetrics {
  /// Latencies, holds, and kinds of error.
  var json: JSONValue {
    var members = JSONValue.members(["f1_bins_1s": binF1])
    members["detection"] = detection.json
    members["release"] = release.json
    members["holds"] = holds.json
    members["ward"] = ward.json
    return .object(members)
  }
}

extension LatencyMetrics {
  /// Quantiles that count misses, and the mean over hits marked as such.
  var json: JSONValue {
    var members = JSONValue.members([
      "hit_rate": hitRate, "p50_s": median, "p90_s": ninetieth,
      "mean_over_hits_only_s": meanOverHits, "early_share_of_hits": earlyShare,
    ])
    members["changes"] = .integer(changes)
    members["hits"] = .integer(hits)
    members["observed"] = .integer(observedChanges)
    members["hidden"] = .integer(hiddenChanges)
    members["unknown"] = .integer(unknownChanges)
    for (name, share) in [("p50_bounds_s", 0.5), ("p90_bounds_s", 0.9)] {
      guard let bounds = bounds(share) else { continue }
      members[name] = .array([.number(bounds.lowerBound), .number(bounds.upperBound)])
    }
    return .object(members)
  }
}

extension HoldMetrics {
  /// Errors per sequence.
  var json: JSONValue {
    var members = JSONValue.members([
      "error_s": error, "signed_error_s": signedError, "relative_error": relativeError,
      "longest_error_s": longestError, "longest_signed_error_s": longestSignedError,
    ])
    members["sequences"] = .integer(counts.sequences)
    members["true_s"] = .number(counts.trueSeconds)
    members["answered_s"] = .number(counts.answeredSeconds)
    return .object(members)
  }
}

extension WardCounts {
  /// Seconds and rates by kind of piece, events of both sides by kind.
  var json: JSONValue {
    func events(_ count: (WardEvent) -> Int) -> JSONValue {
      .object(
        Dictionary(
          uniqueKeysWithValues: WardEvent.allCases.map { ($0.rawValue, .integer(count($0))) }))
    }
    let pieces = WardPiece.allCases
    return .object([
      "seconds": .object(
        Dictionary(uniqueKeysWithValues: pieces.map { ($0.rawValue, .number(seconds($0))) })),
      "rates": .object(
        JSONValue.members(
          Dictionary(uniqueKeysWithValues: pieces.map { ($0.rawValue, rate($0)) }))),
      "true_events": events(truth), "answered_events": events(answers),
    ])
  }
}

extension SegmentTally {
  /// F1 at each overlap under both matchings, and the edit score.
  var json: JSONValue {
    func byOverlap(_ values: [MetricValue]) -> JSONValue {
      .object(
        JSONValue.members(
          Dictionary(
            uniqueKeysWithValues: zip(Self.overlaps, values).map { overlap, value in
              ("at_\(Int((100 * overlap).rounded()))", value)
            })))
    }
    var members = JSONValue.members(["edit_score": editScore])
    members["f1_first_best"] = byOverlap(f1())
    members["f1_optimal"] = byOverlap(f1(isOptimal: true))
    return .object(members)
  }
}

internal import Evaluation
internal import PoseModel

extension TimingSummary {
  /// Seconds a stage, microseconds a frame.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "stages_s": .object(
        Dictionary(stages.map { ($0.name, .number($0.duration.value)) }) { _, last in last }),
      "frames": .integer(frames), "frame_cost": .null,
    ]
    if let cost = frameCost {
      members["frame_cost"] = .object([
        "batches": .integer(cost.batches), "batch_frames": .integer(FrameCost.batchFrames),
        "p50_us": .number(cost.p50.value * 1e6), "p90_us": .number(cost.p90.value * 1e6),
        "p99_us": .number(cost.p99.value * 1e6), "max_us": .number(cost.maximum.value * 1e6),
        "budget_share_p50": .number(cost.medianBudgetShare),
        "budget_share_p99": .number(cost.p99BudgetShare),
      ])
    }
    return .object(members)
  }
}

extension AnswerComparison {
  /// Where the device and the answers that are scored differ.
  var json: JSONValue {
    func stream(_ part: Stream) -> JSONValue {
      .object([
        "frames_compared": .integer(part.framesCompared),
        "frames_differing": .integer(part.framesDiffering),
        "first_differences": .array(
          part.firstDifferences.map { difference in
            .object([
              "sequence": .string(difference.sequence), "frame": .integer(difference.frame),
              "time_s": .number(difference.time.value), "device": .string(difference.device),
              "answer": .string(difference.answer),
            ])
          }),
      ])
    }
    return .object([
      "sequences_compared": .integer(sequencesCompared), "plank": stream(plank),
      "form": stream(form),
    ])
  }
}

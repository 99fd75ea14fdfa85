internal import ParameterTuning
internal import PlankDetection
internal import PoseModel
internal import Statistics

extension StreamRecommendation {
  /// The recommendation with its evidence.
  var json: JSONValue {
    .object([
      "stream": .string(stream.rawValue), "detector": .string(detector),
      "smoothing": .string(smoothing), "parameters": parameters.json,
      "objective": evidence.objectiveJSON,
      "constraints": .object([
        "stated": .array(evidence.constraints.map(JSONValue.string)),
        "feasible_cells": .integer(evidence.feasibleCount),
        "broken": evidence.broken.map {
          .object(["constraint": .string($0.constraint), "value": .optional($0.value)])
        } ?? .null,
      ]),
      "cells": .object([
        "evaluated": .integer(evidence.cellCount), "rejected": .integer(evidence.rejectedCount),
        "recommended": .integer(evidence.cell), "best": .integer(evidence.bestCell),
      ]),
      "best_parameters": bestParameters.json,
      "validation": validationJSON, "plateau": plateauJSON,
      "refinement": .array(refined.map(\.json)), "front": frontJSON,
      "diagnostics": .object([
        "best_at_edge": .array(evidence.edgeAxes.map(JSONValue.string)),
        "inert_axes": .array(evidence.inertAxes.map(JSONValue.string)),
        "kept_axes": .array(evidence.keptAxes.map(JSONValue.string)),
        "never_answered": .array(evidence.neverAnswered.map(JSONValue.string)),
        "stuck_sequences": .array(evidence.stuckSequences.map(JSONValue.string)),
      ]),
      "profiles": .array(views.profiles.map(\.json)),
      "worse_frames": .array(
        stress.map {
          .object(["condition": .string($0.condition), "objective": .optional($0.objective)])
        }),
    ])
  }

  private var validationJSON: JSONValue {
    .object([
      "held_out": .optional(evidence.heldOut?.unit.rawValue),
      "nested_estimate": .optional(evidence.heldOut?.value),
      "nested_interval": evidence.heldOut?.interval?.endsJSON ?? .null,
      "starting_point": .optional(evidence.heldOut?.start),
      "change": .optional(evidence.heldOut?.change),
      "change_interval": evidence.heldOut?.changeInterval?.endsJSON ?? .null,
      "optimism": .optional(evidence.optimism),
      "same_plateau_share": .optional(evidence.samePlateauShare),
      "subjects": .array(evidence.subjects.map(JSONValue.string)),
      "folds": .array(
        folds.map { fold in
          .object([
            "held_out": .array(fold.heldOut.map(JSONValue.string)),
            "detector": .string(fold.detector), "smoothing": .string(fold.smoothing),
            "parameters": fold.parameters.json, "feasible": .bool(fold.isFeasible),
            "held_in_objective": .number(fold.heldIn),
            "held_out_objective": .optional(fold.heldOutValue),
          ])
        }),
    ])
  }

  private var plateauJSON: JSONValue {
    guard let margin = evidence.margin else { return .null }
    return .object([
      "cells": .integer(evidence.plateauCells), "margin_steps": .integer(margin),
      "cliff_steps": evidence.cliffDistance.map(JSONValue.integer) ?? .null,
      "limited_by_edge": .bool(evidence.isLimitedByEdge),
      "knife_edge": .bool(evidence.steps.contains(where: \.isBeyondChance)),
      "steps": .array(evidence.steps.map(\.json)),
      "axes": .array(
        extents.map { extent in
          .object([
            "parameter": .string(extent.key.rawValue),
            "unit": .string(extent.definition.unit.rawValue),
            "from": .number(extent.values.lowerBound), "to": .number(extent.values.upperBound),
            "values": .integer(extent.count), "below": extent.below.json,
            "above": extent.above.json,
          ])
        }),
    ])
  }

  private var frontJSON: JSONValue {
    .object([
      "metrics": .array(frontMetrics.map(JSONValue.string)),
      "points": .array(
        front.map { point in
          .object([
            "cell": .integer(point.cell), "detector": .string(point.detector),
            "smoothing": .string(point.smoothing), "parameters": point.parameters.json,
            "values": .array(point.values.map(JSONValue.number)),
            "cost_of_first": point.costOfFirst.map { .array($0.map { .optional($0) }) } ?? .null,
          ])
        }),
    ])
  }
}

extension StreamRecommendation.Evidence {
  fileprivate var objectiveJSON: JSONValue {
    .object([
      "metric": .string(objective), "higher_is_better": .bool(higherIsBetter),
      "tolerance": .number(tolerance), "recommended": .number(recommendedObjective),
      "recommended_on_grid": .number(cellObjective), "best": .number(bestObjective),
      "standard_error": .optional(standardError), "starting_point": .optional(baseObjective),
    ])
  }
}

extension Interval {
  /// The lower and the upper end.
  fileprivate var endsJSON: JSONValue { .array([.number(lower), .number(upper)]) }
}

extension Choice.Step {
  fileprivate var json: JSONValue {
    .object([
      "parameter": .string(definition.key.rawValue), "from": .number(from), "to": .number(to),
      "cost": .optional(cost), "standard_error": .optional(standardError),
      "beyond_chance": .bool(isBeyondChance), "breaks": .optional(broken?.description),
    ])
  }
}

extension Plateau.Side {
  fileprivate var json: JSONValue {
    .object(["steps": .integer(steps), "cliff": .optional(cliff)])
  }
}

extension Refinement.Step {
  fileprivate var json: JSONValue {
    .object([
      "parameter": .string(key.rawValue), "unit": .string(definition.unit.rawValue),
      "from": .number(from), "to": .number(to), "gain": .number(gain),
      "standard_error": .optional(standardError),
      "taken": .bool(isTaken),
      "interval": .array([.number(interval.lowerBound), .number(interval.upperBound)]),
    ])
  }
}

extension ObjectiveViews.Profile {
  fileprivate var json: JSONValue {
    .object([
      "parameter": .string(parameter), "unit": .string(unit),
      "values": .array(values.map(JSONValue.number)),
      "objective": .array(objective.map { JSONValue.optional($0) }),
      "chosen": .integer(chosen),
    ])
  }
}

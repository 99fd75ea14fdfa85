internal import ParameterTuning
internal import PoseModel
internal import Reporting

extension GridDescription {
  /// The grid for programs.
  var json: JSONValue {
    .object([
      "stream": .string(stream.rawValue),
      "constraints": .array(constraints.map(JSONValue.string)),
      "variants": .array(variants.map(\.json)),
    ])
  }
}

extension GridDescription.Variant {
  fileprivate var json: JSONValue {
    .object([
      "detector": .string(detector), "vertical": .string(reading),
      "smoothing": .string(smoothing), "rules": .array(rules.map(JSONValue.string)),
      "cells": .integer(cellCount),
      "fixed": .array(
        fixed.map {
          .object([
            "parameter": .string($0.name), "unit": .string($0.unit), "value": .number($0.value),
          ])
        }),
      "axes": .array(
        axes.map {
          .object([
            "parameter": .string($0.name), "unit": .string($0.unit),
            "values": .array($0.values.map(JSONValue.number)),
          ])
        }),
    ])
  }
}

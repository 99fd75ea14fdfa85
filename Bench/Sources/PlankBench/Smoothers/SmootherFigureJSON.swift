extension SmootherFigure {
  /// The figure as JSON.
  var json: JSONValue {
    func list(_ places: [Place]) -> JSONValue {
      .array(places.map { .object(["lag": .number($0.lag), "value": .number($0.value)]) })
    }
    return .object([
      "title": .string(title), "subtitle": .string(subtitle), "unit": .string(unit),
      "curves": .array(
        curves.map { curve in
          .object([
            "family": .string(curve.family),
            "series": curve.series.map(JSONValue.integer) ?? .null,
            "is_causal": .bool(curve.isCausal), "is_tuned": .bool(curve.isTuned),
            "points": list(curve.points),
          ])
        }),
      "front": list(front),
      "recommended": recommended.map {
        .object([
          "name": .string($0.name),
          "place": .object(["lag": .number($0.place.lag), "value": .number($0.place.value)]),
        ])
      } ?? .null,
    ])
  }
}

extension SmootherFigure: Decodable {
  private enum Key: String, CodingKey { case title, subtitle, unit, curves, front, recommended }

  /// Reads what `json` gives.
  ///
  /// - Throws: `DecodingError` for anything else.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    title = try values.decode(String.self, forKey: .title)
    subtitle = try values.decode(String.self, forKey: .subtitle)
    unit = try values.decode(String.self, forKey: .unit)
    curves = try values.decode([Curve].self, forKey: .curves)
    front = try values.decode([Place].self, forKey: .front)
    recommended = try values.decodeIfPresent(Recommended.self, forKey: .recommended)
  }
}

extension SmootherFigure.Curve: Decodable {
  private enum CodingKeys: String, CodingKey {
    case family, series, points
    case isCausal = "is_causal"
    case isTuned = "is_tuned"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    family = try values.decode(String.self, forKey: .family)
    series = try values.decodeIfPresent(Int.self, forKey: .series)
    isCausal = try values.decode(Bool.self, forKey: .isCausal)
    isTuned = try values.decode(Bool.self, forKey: .isTuned)
    points = try values.decode([SmootherFigure.Place].self, forKey: .points)
  }
}

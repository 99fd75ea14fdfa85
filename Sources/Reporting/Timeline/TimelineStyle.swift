/// The letter and the color of a state on a timeline.
struct TimelineStyle: Hashable {
  /// The state's name.
  let state: String
  /// How a text ribbon writes it.
  let letter: Character
  /// How a picture fills it.
  let color: String

  /// Every state that there is, in the order of legends.
  static let all: [TimelineStyle] = [
    .init(state: "none", letter: ".", color: "#dfe5ea"),
    .init(state: "forearm", letter: "F", color: "#2a6fb0"),
    .init(state: "high", letter: "H", color: "#5aa7dd"),
    .init(state: "sideLeft", letter: "L", color: "#7d5fb2"),
    .init(state: "sideRight", letter: "R", color: "#b49bdc"),
    .init(state: "reverse", letter: "V", color: "#c2862a"),
    .init(state: "aligned", letter: "a", color: "#7fbf8f"),
    .init(state: "sag", letter: "s", color: "#c8453b"),
    .init(state: "pike", letter: "p", color: "#e2894a"),
    .init(state: "idle", letter: ".", color: "#dfe5ea"),
    .init(state: "active", letter: "A", color: "#3f9a59"),
    .init(state: "paused", letter: "P", color: "#e0b43c"),
    .init(state: "ended", letter: "E", color: "#6b7680"),
  ]

  /// The style of a state; nil for one that is not known.
  static func of(_ state: String) -> TimelineStyle? { all.first { $0.state == state } }
}

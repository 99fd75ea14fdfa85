extension SessionScript {
  /// Every section of a session but its holds.
  package static let sections: [ScriptSection<SessionScript>] = [
    ScriptSection(\SessionScript.subject), ScriptSection(\SessionScript.camera),
    ScriptSection(\SessionScript.clock), ScriptSection(\SessionScript.output),
    ScriptSection(\SessionScript.motion), ScriptSection(\SessionScript.transitions),
    ScriptSection(\SessionScript.criterion),
    ScriptSection(\SessionScript.noise.joints, in: "noise"),
    ScriptSection(\SessionScript.noise.confusions, in: "noise"),
    ScriptSection(\SessionScript.noise.dropouts, in: "noise"),
    ScriptSection(\SessionScript.noise.capture, in: "noise"),
  ]

  /// Sets one value.
  ///
  /// - Throws: `ScriptError` for an unknown section or key, or a value that is not allowed.
  package mutating func apply(_ assignment: ScriptAssignment) throws(ScriptError) {
    guard let section = Self.sections.first(where: { $0.name == assignment.section }) else {
      throw .unknownField(
        field: assignment.section, allowed: Self.sections.map(\.name).joined(separator: ", "))
    }
    try section.apply(assignment.value, to: assignment.key, of: &self)
  }
}

extension Hold {
  /// The sections of a hold.
  package static let sections: [ScriptSection<Hold>] = [
    ScriptSection(\Hold.form), ScriptSection(\Hold.placement), ScriptSection(\Hold.drift),
  ]
}

import PoseModel
import Statistics

/// The sessions of a studio, each of which can be made alone and in any order.
///
/// Session i follows from the studio's seed and i only; so any number of tasks that share the
/// indices among them give the same bytes. People take turns (i modulo their number); tasks,
/// distances, rates, orientations, directions and the rest are balanced by randomized blocks.
package struct StudioPlan: Sendable {
  /// What was asked for.
  package let parameters: StudioParameters
  /// The sessions' scripts; they are small.
  package let scripts: [SessionScript]
  /// How many frames all sessions have together.
  package let frameCount: Int

  /// Plans sessions until the frames are reached.
  ///
  /// Goes on until every task was taken once and everybody had a session, even where fewer
  /// frames would do; a plan of some numbered sessions has only those. The count is exact: it
  /// runs the sessions' clocks.
  /// - Throws: `ScriptError` naming the first field that is wrong, what is allowed and the remedy.
  package init(_ parameters: StudioParameters) throws(ScriptError) {
    try parameters.validate()
    self.parameters = parameters
    var scripts: [SessionScript] = []
    var frames = 0
    func add(_ index: Int) throws(ScriptError) {
      let script = try StudioDirector(parameters, index: index).script()
      frames += try script.frameCount()
      scripts.append(script)
    }
    if let only = parameters.only {
      for index in only { try add(index) }
    } else {
      let atLeast = max(StudioTask.all.count, parameters.subjects)
      while frames < parameters.frames || scripts.count < atLeast { try add(scripts.count) }
    }
    self.scripts = scripts
    frameCount = frames
  }

  /// How many sessions there are.
  package var count: Int { scripts.count }

  /// Makes one session.
  ///
  /// - Throws: `ScriptError` never for a plan's own scripts; they are checked again.
  /// - Precondition: `index` is in 0..<`count`.
  package func generate(_ index: Int) throws(ScriptError) -> SynthesizedSequence {
    try SessionSynthesizer(scripts[index]).synthesized()
  }
}

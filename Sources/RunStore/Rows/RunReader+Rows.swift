internal import ParameterTuning
package import PoseModel

extension RunReader {
  /// The cells of a stream as rows, in order of their ids.
  ///
  /// - Precondition: the run has the stream.
  package func rows(_ stream: AnswerStream) -> CellRows {
    guard let layout = layouts[stream] else {
      preconditionFailure("run \(facts.id) has no \(stream.rawValue) stream")
    }
    return CellRows(self, stream, layout)
  }

  /// The parameters that some streams vary, each once, in the order of streams and axes.
  package func axisNames(_ streams: [AnswerStream]) -> [String] {
    var names: [String] = []
    for grid in grids where streams.contains(grid.stream) {
      for axis in grid.variants.flatMap(\.axes) where !names.contains(axis.name) {
        names.append(axis.name)
      }
    }
    return names
  }

  /// The metrics that rows of some streams have, in the order of streams and catalogue.
  package func metricNames(_ streams: [AnswerStream]) -> [String] {
    facts.streams.map(\.stream).filter(streams.contains).flatMap { stream in
      CellMetric.all.filter { $0.stream == stream }.map(\.description)
    }
  }
}

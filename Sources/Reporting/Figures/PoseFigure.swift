package import PoseModel

/// What a picture of a recording shows: some of its frames, each with its label and measurements.
package struct PoseFigure: Sendable {
  /// One frame.
  package struct Moment: Sendable {
    /// The frame's index in the recording.
    package var frame: Int
    /// What the truth says, for example `forearm, sag`.
    package var label: String
    /// How the label is meant.
    package var tone: Tone
    /// The measurements; nil where one is undefined.
    package var measurements: Measurements

    /// How a label is meant.
    package enum Tone: Hashable, Sendable {
      /// A plank in good form.
      case good
      /// A fault.
      case fault
      /// Neither.
      case neutral
    }

    /// Makes a moment.
    package init(frame: Int, label: String, tone: Tone, measurements: Measurements) {
      self.frame = frame
      self.label = label
      self.tone = tone
      self.measurements = measurements
    }
  }

  /// The measurements that are drawn.
  package struct Measurements: Hashable, Sendable {
    /// Hips off the line from shoulders to ankles; positive is up.
    package var hipDeviation: Meters?
    /// The mean angle of both elbows.
    package var elbowAngle: Degrees?
    /// The left shoulder's height over the right one's.
    package var shoulderRise: Meters?

    /// Makes measurements.
    package init(hipDeviation: Meters?, elbowAngle: Degrees?, shoulderRise: Meters?) {
      self.hipDeviation = hipDeviation
      self.elbowAngle = elbowAngle
      self.shoulderRise = shoulderRise
    }
  }

  /// The sequence's name.
  package var title: String
  /// What else is known of it, in one line.
  package var subtitle: String
  /// The recording; 3D.
  package var recording: Recording
  /// The frames from top to bottom.
  package var moments: [Moment]

  /// Makes a figure.
  package init(title: String, subtitle: String, recording: Recording, moments: [Moment]) {
    self.title = title
    self.subtitle = subtitle
    self.recording = recording
    self.moments = moments
  }

  /// The picture as SVG.
  ///
  /// Each frame stands in a row: the body from its side, to scale and upright, with measurements
  /// drawn in; and the body as the camera's axes hold it, where up may point anywhere.
  package func svg() -> String {
    let page = FigurePage()
    var canvas = SVGCanvas()
    let height = page.height(rows: moments.count)
    canvas.box(
      x: 0, y: 0, width: FigurePage.width, height: height, radius: 10, color: "#ffffff")
    page.drawHeader(title: title, subtitle: subtitle, on: &canvas)
    for (row, moment) in moments.enumerated() {
      page.drawRow(row, moment, of: recording, on: &canvas)
    }
    return canvas.document(
      width: FigurePage.width, height: height, title: "\(title): \(moments.count) frames")
  }
}

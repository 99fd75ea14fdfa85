import PoseModel

extension VisionDump.Header {
  /// The header of the recording; options win over the dump.
  ///
  /// - Throws: `PoseSourceError.unexpectedValue` for a word that is not one of the allowed.
  func recordingHeader(
    options: VisionOptions, file: String
  ) throws(PoseSourceError) -> RecordingHeader {
    var result = RecordingHeader.observations
    result.orientation = try Self.word(orientation, "orientation", file: file)
    result.cameraPosition = try Self.word(cameraPosition, "cameraPosition", file: file)
    result.buffer = try Self.word(buffer, "buffer", file: file)
    if let orientation = options.orientation { result.orientation = orientation }
    if let cameraPosition = options.cameraPosition { result.cameraPosition = cameraPosition }
    if let buffer = options.buffer { result.buffer = buffer }
    result.isMirrored = options.isMirrored ?? mirrored ?? false
    result.subject = options.subject ?? subject
    result.nominalRate = try positive(nominalRate, "nominalRate", file: file).map(Hertz.init)
    if let rate = result.nominalRate, !rate.hasInterval {
      throw .unexpectedValue(
        file: file, path: "`nominalRate` of the header", found: "\(rate.value)",
        allowed: "frames a second, of which one takes a finite time")
    }
    result.imageWidth = try positive(imageWidth.map(Double.init), "imageWidth", file: file)
      .map { Int($0) }
    result.imageHeight = try positive(imageHeight.map(Double.init), "imageHeight", file: file)
      .map { Int($0) }
    return result
  }

  private static func word<Word: RawRepresentable & CaseIterable>(
    _ text: String?, _ field: String, file: String
  ) throws(PoseSourceError) -> Word? where Word.RawValue == String {
    guard let text else { return nil }
    guard let word = Word(rawValue: text) else {
      throw .unexpectedValue(
        file: file, path: "`\(field)` of the header", found: "`\(text)`",
        allowed: "one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return word
  }

  private func positive(
    _ number: Double?, _ field: String, file: String
  ) throws(PoseSourceError) -> Double? {
    guard let number else { return nil }
    guard number > 0, number.isFinite else {
      throw .unexpectedValue(
        file: file, path: "`\(field)` of the header", found: "\(number)",
        allowed: "a number above 0")
    }
    return number
  }
}

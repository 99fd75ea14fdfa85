enum LabelDocuments {
  static func sheet(_ source: NamedText) throws -> LabelSheet {
    let text = try XMLText(source)
    guard let root = text.elements.first else {
      throw PoseSourceError.emptyTable(file: source.name)
    }
    let sheet =
      switch root.name {
      case "ANNOTATION_DOCUMENT": try elan(text, root, source.name)
      case "annotations": try cvat(text, root, source.name)
      case "annotation" where !text.children(of: root, named: "body").isEmpty:
        try anvil(text, root, source.name)
      default:
        throw PoseSourceError.unusableValues(
          name: source.name, found: "this is XML of <\(root.name.prefix(60))>, which is not read",
          remedy: "export the labels as a table with columns for start, end and label; of XML, "
            + "ELAN's .eaf, CVAT's and Anvil's are read")
      }
    guard !sheet.rows.isEmpty else {
      throw PoseSourceError.unusableValues(
        name: source.name, found: "\(sheet.form) has no labels with a start and an end",
        remedy: "label segments, and save it again")
    }
    return sheet
  }

  // MARK: ELAN

  private static func elan(_ text: XMLText, _ root: XMLElement, _ file: String) throws -> LabelSheet
  {
    var sheet = LabelSheet(file: file, form: "ELAN's XML")
    sheet.unit = .milliseconds
    sheet.unitEvidence = "ELAN's time slots"
    var slots: [String: Double] = [:]
    for header in text.children(of: root, named: "HEADER") {
      if let unit = header.attributes["TIME_UNITS"], unit != "milliseconds" {
        throw PoseSourceError.unusableValues(
          name: "\(file):\(header.line)", found: "TIME_UNITS is `\(unit.prefix(40))`",
          remedy: "save it with milliseconds")
      }
      sheet.media += text.children(of: header, named: "MEDIA_DESCRIPTOR").compactMap {
        $0.attributes["MEDIA_URL"]
      }
    }
    for order in text.children(of: root, named: "TIME_ORDER") {
      for slot in text.children(of: order, named: "TIME_SLOT") {
        guard let id = slot.attributes["TIME_SLOT_ID"],
          let value = slot.attributes["TIME_VALUE"].flatMap({ Double(decimal: $0) })
        else { continue }
        slots[id] = value
      }
    }
    var segments: [String: (RawTime, RawTime)] = [:]
    for tier in text.children(of: root, named: "TIER") {
      let name = tier.attributes["TIER_ID"] ?? ""
      for annotation in text.children(of: tier, named: "ANNOTATION").flatMap({
        text.children(of: $0)
      }) {
        let label = trimmed(
          text.children(of: annotation, named: "ANNOTATION_VALUE").map(\.text).joined())
        let place = SourcePlace(file: file, line: annotation.line)
        let times: (RawTime, RawTime)
        if let start = annotation.attributes["TIME_SLOT_REF1"].flatMap({ slots[$0] }),
          let end = annotation.attributes["TIME_SLOT_REF2"].flatMap({ slots[$0] })
        {
          times = (.number(start), .number(end))
        } else if let parent = annotation.attributes["ANNOTATION_REF"].flatMap({ segments[$0] }) {
          times = parent
        } else {
          throw place.unusable(
            "the annotation `\(label.prefix(40))` has no times",
            "put its start and end on the time line in ELAN, and save again")
        }
        if let id = annotation.attributes["ANNOTATION_ID"] { segments[id] = times }
        sheet.rows.append(
          LabelRow(place: place, start: times.0, end: times.1, label: label, tier: name))
      }
    }
    return sheet
  }

  // MARK: CVAT

  /// Tags of images, and tracks of videos: a label for each frame.
  private static func cvat(_ text: XMLText, _ root: XMLElement, _ file: String) throws -> LabelSheet
  {
    var sheet = LabelSheet(file: file, form: "CVAT's XML")
    sheet.unit = .frames
    sheet.unitEvidence = "CVAT's frames"
    var frames: [(frame: Double, label: String, line: Int)] = []
    for image in text.children(of: root, named: "image") {
      guard let id = image.attributes["id"].flatMap({ Double(decimal: $0) }) else { continue }
      let labels = text.children(of: image).compactMap { $0.attributes["label"] }
      frames += Set(labels).sorted().map { (id, $0, image.line) }
    }
    for track in text.children(of: root, named: "track") {
      guard let label = track.attributes["label"] else { continue }
      var start: (Double, Int)?
      var last = 0.0
      for shape in text.children(of: track) {
        guard let frame = shape.attributes["frame"].flatMap({ Double(decimal: $0) }) else {
          continue
        }
        last = frame
        let isOutside = shape.attributes["outside"] == "1"
        if let (first, line) = start, isOutside {
          sheet.rows.append(row(file, line, first, frame, label))
          start = nil
        } else if start == nil, !isOutside {
          start = (frame, shape.line)
        }
      }
      if let (first, line) = start { sheet.rows.append(row(file, line, first, last + 1, label)) }
    }
    var open: [String: (first: Double, last: Double, line: Int)] = [:]
    for (frame, label, line) in frames {
      if let run = open[label], frame == run.last + 1 {
        open[label]?.last = frame
      } else {
        if let run = open[label] {
          sheet.rows.append(row(file, run.line, run.first, run.last + 1, label))
        }
        open[label] = (frame, frame, line)
      }
    }
    for (label, run) in open.sorted(by: { ($0.value.line, $0.key) < ($1.value.line, $1.key) }) {
      sheet.rows.append(row(file, run.line, run.first, run.last + 1, label))
    }
    sheet.includesEnd = false
    sheet.media = text.elements.filter { $0.name == "source" }.map(\.text)
    return sheet
  }

  private static func row(
    _ file: String, _ line: Int, _ start: Double, _ end: Double, _ label: String
  ) -> LabelRow {
    LabelRow(
      place: SourcePlace(file: file, line: line), start: .number(start), end: .number(end),
      label: label)
  }

  // MARK: Anvil

  private static func anvil(
    _ text: XMLText, _ root: XMLElement, _ file: String
  ) throws -> LabelSheet {
    var sheet = LabelSheet(file: file, form: "Anvil's XML")
    sheet.unit = .seconds
    sheet.unitEvidence = "Anvil's tracks"
    for track in text.children(of: root, named: "body").flatMap({
      text.children(of: $0, named: "track")
    }) {
      for element in text.children(of: track, named: "el") {
        guard let start = element.attributes["start"].flatMap({ Double(decimal: $0) }),
          let end = element.attributes["end"].flatMap({ Double(decimal: $0) }),
          let label = text.children(of: element, named: "attribute").first
        else { continue }
        var row = row(file, element.line, start, end, trimmed(label.text))
        row.tier = track.attributes["name"]
        sheet.rows.append(row)
      }
    }
    sheet.media = text.elements.filter { $0.name == "video" }.compactMap { $0.attributes["src"] }
    return sheet
  }

  static func trimmed(_ text: some StringProtocol) -> String {
    var text = Substring(text).drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

extension NamedText {
  /// Text of labels: UTF-8, or UTF-16 as Praat and spreadsheets write it.
  package init(labels source: NamedBytes) throws {
    let bytes = source.bytes
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else {
      try self.init(name: source.name, bytes: bytes)
      return
    }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for index in stride(from: 2, to: bytes.count - 1, by: 2) {
      let (one, other) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isLittle ? one | other << 8 : one << 8 | other)
    }
    self.init(name: source.name, text: String(decoding: units, as: UTF16.self))
  }
}

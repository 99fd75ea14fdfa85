internal import PoseModel
package import PoseSynthesis

extension ErrorBank {
  package var document: Document {
    let summary = summary
    var document = Document()
    document.heading("Errors of \(madeFrom.map(\.dataset).joined(separator: ", "))")
    document.paragraph(
      "\(NumberText.count(summary.stretches, "held stretch", plural: "held stretches")) of "
        + "\(NumberText.count(summary.recordings, "recording")) of "
        + "\(NumberText.people(summary.people)): \(NumberText.count(summary.frames, "frame")), "
        + "\(NumberText.fixed(summary.rate.value, 1)) Hz, "
        + "\(NumberText.percent(summary.withoutPose)) without a pose")
    document.list([
      StyledText(
        "postures: "
          + summary.postures.map {
            "\($0.posture?.rawValue ?? "none of the studio's") \($0.stretches)"
          }.joined(separator: ", "))
    ])
    var table = Table([
      .words("bone to"), .number("bias, deg"), .number("slow"), .number("in depth"),
      .number("fast"), .number("in depth"), .number("length"), .number("missing"),
    ])
    for bone in summary.bones where bone.missing < 1 {
      table.row([
        StyledText(bone.joint), StyledText(bone.bias.map { NumberText.fixed($0, 1) } ?? "-"),
        StyledText(NumberText.fixed(bone.slowAcross, 2)),
        StyledText(NumberText.fixed(bone.slowDepth, 2)),
        StyledText(NumberText.fixed(bone.fastAcross, 2)),
        StyledText(NumberText.fixed(bone.fastDepth, 2)),
        StyledText(NumberText.percent(bone.length)), StyledText(NumberText.percent(bone.missing)),
      ])
    }
    document.table(table)
    return document
  }
}

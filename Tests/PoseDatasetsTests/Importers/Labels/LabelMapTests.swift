import PoseDatasets
import PoseModel
import Testing

@Suite("Label maps")
struct LabelMapTests {
  @Test("A label has the class that is given to it, any other one that of the star")
  func lookup() throws {
    let map = try LabelMap(["L=forearm/sag", "a=b=high", "*=ignore"])
    #expect(map["L"]?.plank == .forearm)
    #expect(map["L"]?.form == .sag)
    #expect(map["a=b"]?.plank == .high)
    #expect(map["a=b"]?.form == nil)
    #expect(map["other"] == .ignore)
  }

  @Test("Without a star other labels have no class")
  func noStar() throws {
    #expect(try LabelMap(["L=none"])["C"] == nil)
  }

  @Test(
    "An assignment that cannot be read is an error that shows what is allowed",
    arguments: [
      "L", "=none", "L=", "L=plank", "L=forearm/", "L=none/sag", "L=ignore/sag", "L=/sag",
    ])
  func unreadable(assignment: String) throws {
    let error = try #require(throws: PoseSourceError.self) { try LabelMap([assignment]) }
    #expect(error.description.contains("give "))
  }

  @Test("A label that is given twice is an error")
  func twice() {
    #expect(throws: PoseSourceError.self) { try LabelMap(["L=none", "L=high"]) }
  }

  @Test(
    "Every plank class can be named, with every form but none's", arguments: PlankClass.allCases)
  func classes(plank: PlankClass) throws {
    #expect(try LabelTarget(plank.name).plank == plank)
    for form in FormClass.allCases where plank != .none {
      #expect(try LabelTarget("\(plank.name)/\(form.name)").form == form)
    }
  }
}

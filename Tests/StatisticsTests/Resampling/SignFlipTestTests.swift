import Testing

@testable import Statistics

@Suite("Sign-flip test")
struct SignFlipTestTests {
  @Test(
    "Clusters that all agree give the least probability, 2 / 2^n",
    arguments: [(5, 0.0625), (6, 0.03125), (10, 0.001953125), (16, 1 / 32768.0)])
  func smallest(clusters: Int, least: Double) {
    #expect(SignFlipTest.leastProbability(clusters: clusters) == least)
  }

  @Test(
    "The fewest clusters that can exclude chance are the first whose least probability does",
    arguments: [(0.05, 6), (0.025, 7), (1 / 32.0, 6), (0.03, 7), (1, 1)])
  func fewest(risk: Double, clusters: Int) {
    #expect(SignFlipTest.fewestClusters(risk: risk) == clusters)
  }
}

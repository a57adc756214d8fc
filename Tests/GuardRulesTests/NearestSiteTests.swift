import GuardRules
import ShiftDomain
import TestNumbers
import Testing

@Suite("The nearest of many sites") struct NearestSiteTests {
  // R: G1
  @Test("is the one with the largest margin, wherever the others are")
  func nearest() throws {
    var random = SeededRandom(seed: 10)
    for round in 1...2_000 {
      // Near each other, around a pole, on both sides of the date line, and all over the earth.
      let spread = [0.001, 0.05, 3, 180][round % 4]
      let (north, east) = (Double([0, 52, 90, -90][round / 4 % 4]), [13.0, 180][round / 16 % 2])
      func somewhere() throws -> Coordinate {
        let latitude = north + .random(in: -spread...spread, using: &random) / 2
        let longitude = east + .random(in: -spread...spread, using: &random)
        return try #require(
          Coordinate(
            latitude: min(max(latitude, -90), 90),
            longitude: longitude > 180 ? longitude - 360 : longitude))
      }
      let sites = try (1...20).map { number in
        Site(
          number: number, name: "Site \(number)", center: try somewhere(),
          radiusMeters: .random(in: Site.radii, using: &random))
      }
      let accuracy: Double? = [nil, 5, 200, 500][round / 32 % 4]
      let position = ClockInPlace.Position(try somewhere(), accuracyMeters: accuracy)
      let margins = sites.compactMap { SiteDistance(of: position, from: $0)?.marginMeters }
      let found = try #require(ClockInPlace(sites: sites, position: position).nearest)
      #expect(found.marginMeters == margins.max(), "round \(round)")
    }
  }
}

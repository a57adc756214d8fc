import DeviceOperations
import GuardRules
import ManagerCore
import OperationCore
import PeopleOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("The sites of a team") struct SiteTests {
  private static let team = TeamID(1)

  private func refusal(_ outcome: SiteOutcome) -> Refusal? {
    do throws(Refusal) {
      _ = try outcome.get()
      return nil
    } catch { return error }
  }

  @Test("are added, changed and removed; numbers are never given again")
  func life() async throws {
    try await withWorld { world in
      let (manager, mira, team) = (world.operations.manager, world.principal, Self.team)
      let depot = try await manager.people.addDepot(by: mira).get()
      #expect(depot.number == 1 && depot.center == .depot && depot.radiusMeters == 200)
      let pole = Coordinate(latitude: -90, longitude: 180) ?? .depot
      let yard = try await manager.people.addSite(
        name: "Yard", center: pole, radiusMeters: 5_000, to: team, by: mira
      ).get()
      #expect(try await manager.people.sites(of: team) == [depot, yard])
      let changed = try await manager.people.changeSite(
        1, of: team, SiteChange(center: pole, radiusMeters: 50), by: mira
      ).get()
      #expect(changed == Site(number: 1, name: "Depot", center: pole, radiusMeters: 50))
      #expect(try await manager.people.site(1, of: team) == changed)
      try await manager.people.removeSite(2, from: team, by: mira)
      #expect(try await manager.people.sites(of: team) == [changed])
      let next = try await manager.people.addSite(
        name: "Yard", center: pole, radiusMeters: 50, to: team, by: mira
      ).get()
      #expect(next.number == 3)
      for number: Int16 in [2, 9, -1] {
        await #expect(throws: OperationError.notFound("site \(number) of team 1")) {
          try await manager.people.removeSite(number, from: team, by: mira)
        }
        await #expect(throws: OperationError.notFound("site \(number) of team 1")) {
          try await manager.people.changeSite(number, of: team, SiteChange(name: "x"), by: mira)
        }
      }
      await #expect(throws: OperationError.notFound("team 9")) {
        try await manager.people.addDepot(to: TeamID(9), by: mira)
      }
    }
  }

  @Test("are refused with the reason: known names, wrong names and circles, more than a hundred")
  func refused() async throws {
    try await withWorld { world in
      let (manager, mira, team) = (world.operations.manager, world.principal, Self.team)
      _ = try await manager.people.addDepot(by: mira).get()
      #expect(refusal(try await manager.people.addDepot(by: mira))?.code == "site_exists")
      for name in ["", " \u{A0}", "a\nb", "a\0", "a\u{2028}b", String(repeating: "a", count: 101)] {
        let outcome = try await manager.people.addDepot(named: name, by: mira)
        #expect(refusal(outcome)?.kind == .invalid(at: "/name"), "\(name)")
        let change = SiteChange(name: name)
        let changed = try await manager.people.changeSite(1, of: team, change, by: mira)
        #expect(refusal(changed)?.kind == .invalid(at: "/name"), "\(name)")
      }
      for radius: Int32 in [49, 5_001, 0, -200, .max, .min] {
        let outcome = try await manager.people.addSite(
          name: "x", center: .depot, radiusMeters: radius, to: team, by: mira)
        #expect(refusal(outcome)?.kind == .invalid(at: "/radius"), "\(radius)")
      }
      for number in 2...sitesMax {
        _ = try await manager.people.addDepot(named: "Depot \(number)", by: mira).get()
      }
      #expect(
        refusal(try await manager.people.addDepot(named: "x", by: mira))?.code == "too_many_sites")
      let taken = try await manager.people.changeSite(
        1, of: team, SiteChange(name: "Depot 2"), by: mira)
      #expect(refusal(taken)?.code == "site_exists")
      #expect(try await manager.people.sites(of: team).count == sitesMax)
    }
  }

  @Test(
    "take a position as maps copy it, and nothing else",
    arguments: [
      ("45.3000, 13.7000", 45.3, 13.7), ("45.3,13.7", 45.3, 13.7), (" 45.3\t13.7 ", 45.3, 13.7),
      ("-33.87; +151.21", -33.87, 151.21), ("\u{2212}33.87, 151", -33.87, 151),
      ("90, -180", 90, -180), ("0.0000100, -0.0000001", 0.00001, -0.0000001),
      ("45.1234567, -13.0100001", 45.1234567, -13.0100001), ("-0.0, 0", 0, 0), ("45", nil, nil),
      ("", nil, nil), ("45.3, 13.7, 1", nil, nil),
      ("45,3 13,7", nil, nil), ("91, 0", nil, nil), ("0, 181", nil, nil), ("nan, 0", nil, nil),
      ("0x10, 0", nil, nil), ("1e1, 0", nil, nil), ("inf, inf", nil, nil),
      ("45.3°, 13.7°", nil, nil),
    ] as [(String, Double?, Double?)])
  func degrees(_ text: String, _ latitude: Double?, _ longitude: Double?) {
    let read = Coordinate(degrees: text)
    #expect(read?.latitude == latitude && read?.longitude == longitude)
    if let read { #expect(Coordinate(degrees: read.degrees) == read) }
  }

  @Test("are not lost or given a number twice when several are added at once")
  func atOnce() async throws {
    try await withWorld { world in
      let (manager, mira) = (world.operations.manager, world.principal)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...6 {
          group.addTask {
            _ = try await manager.people.addDepot(named: "D\(number)", by: mira).get()
          }
        }
        try await group.waitForAll()
      }
      #expect(try await manager.people.sites(of: Self.team).map(\.number) == [1, 2, 3, 4, 5, 6])
    }
  }
}

extension PeopleOperations {
  func addDepot(
    named name: String = "Depot", to team: TeamID = TeamID(1), by principal: Principal
  ) async throws -> SiteOutcome {
    try await addSite(name: name, center: .depot, radiusMeters: 200, to: team, by: principal)
  }
}

extension Coordinate {
  /// Where the fixes of test phones are.
  static let depot: Coordinate = {
    guard let place = Coordinate(latitude: 45.3, longitude: 13.7) else {
      preconditionFailure("no such place")
    }
    return place
  }()
}

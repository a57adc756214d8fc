import GuardRules
import ShiftDomain
import Testing

@Suite("Incident kinds") struct IncidentKindTests {
  typealias Row = (
    kind: IncidentKind, dimension: Dimension, finding: Finding?, cannotLocate: Bool
  )
  static let rows: [Row] = [
    (.restricted, .authorization, .restricted, true),
    (.denied, .authorization, .denied, true),
    (.notDetermined, .authorization, .notDetermined, true),
    (.whenInUse, .authorization, .whenInUse, false),
    (.servicesOff, .services, .servicesOff, true),
    (.accuracyReduced, .accuracy, .accuracyReduced, false),
    (.noContact, .contact, nil, false),
    (.noFix, .fix, nil, false),
    (.appTerminated, .app, nil, false),
    (.mockLocation, .mock, .mockLocation, false),
  ]

  @Test("belong to one dimension and to at most one finding", arguments: rows)
  func belong(_ row: Row) {
    #expect(row.kind.dimension == row.dimension)
    #expect(row.kind.finding == row.finding)
    #expect(row.kind.cannotLocate == row.cannotLocate)
  }

  @Test("positions may still arrive only under a report's kinds that do not prevent locating")
  func positions() {
    let kinds = IncidentKind.allCases.filter(\.leavesPositions)
    #expect(kinds == [.whenInUse, .accuracyReduced, .mockLocation])
  }

  @Test("every kind has its row")
  func complete() {
    #expect(Self.rows.map(\.kind) == IncidentKind.allCases)
  }

  @Test("only authorization has an order: restricted, denied, not determined, in use")
  func worse() {
    let worstFirst: [IncidentKind] = [.restricted, .denied, .notDetermined, .whenInUse]
    for kind in IncidentKind.allCases {
      for other in IncidentKind.allCases {
        let isWorse =
          switch (worstFirst.firstIndex(of: kind), worstFirst.firstIndex(of: other)) {
          case (let place?, let otherPlace?): place < otherPlace
          default: false
          }
        #expect(kind.isWorse(than: other) == isWorse, "\(kind) than \(other)")
      }
    }
  }
}

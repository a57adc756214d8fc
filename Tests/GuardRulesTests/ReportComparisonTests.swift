import GuardRules
import ShiftDomain
import Testing

@Suite("Comparison of two reports") struct ReportComparisonTests {
  private static let signs: [Change: Character] = [
    .unchanged: "=", .improved: "+", .downgraded: "-", .unknown: "?",
  ]

  /// After, in this order: unknown, not determined, restricted, denied, in use, always.
  typealias AuthorizationRow = (before: Authorization, after: String)
  static let authorizations: [AuthorizationRow] = [
    (.unknown, "??????"),
    (.notDetermined, "?=--++"),
    (.restricted, "?+=+++"),
    (.denied, "?+-=++"),
    (.whenInUse, "?---=+"),
    (.always, "?----="),
  ]

  @Test("finds whether the permission got better or worse", arguments: authorizations)
  func authorization(_ row: AuthorizationRow) {
    let changes = Authorization.allCases.map { compare(phone(row.before), phone($0)) }
    #expect(String(changes.compactMap { Self.signs[$0[.authorization]] }) == row.after)
    #expect(changes.map(\.isDowngrade) == row.after.map { $0 == "-" })
    #expect(changes.allSatisfy { $0[.services] == .unchanged && $0[.accuracy] == .unchanged })
  }

  /// After, in this order: unknown, off, on.
  typealias ServicesRow = (before: Switch, after: String)
  static let switches: [ServicesRow] = [(.unknown, "???"), (.off, "?=+"), (.on, "?-=")]

  @Test("finds whether the location switch went on or off", arguments: switches)
  func services(_ row: ServicesRow) {
    let changes = Switch.allCases.map { compare(phone(services: row.before), phone(services: $0)) }
    #expect(String(changes.compactMap { Self.signs[$0[.services]] }) == row.after)
    #expect(changes.map(\.isDowngrade) == row.after.map { $0 == "-" })
  }

  /// After, in this order: unknown, full, reduced.
  typealias AccuracyRow = (before: LocationAccuracy, after: String)
  static let accuracies: [AccuracyRow] = [(.unknown, "???"), (.full, "?=-"), (.reduced, "?+=")]

  @Test("finds whether positions got more or less exact", arguments: accuracies)
  func accuracy(_ row: AccuracyRow) {
    let changes = LocationAccuracy.allCases.map {
      compare(phone(accuracy: row.before), phone(accuracy: $0))
    }
    #expect(String(changes.compactMap { Self.signs[$0[.accuracy]] }) == row.after)
    #expect(changes.map(\.isDowngrade) == row.after.map { $0 == "-" })
  }

  @Test("can find one dimension worse while another is better")
  func mixed() {
    let change = compare(phone(.whenInUse, accuracy: .full), phone(.always, accuracy: .reduced))
    #expect(change[.authorization] == .improved)
    #expect(change[.accuracy] == .downgraded)
    #expect(change.isDowngrade)
  }

  @Test("gives the opposite in the other direction")
  func opposite() {
    let opposites: [Change: Change] = [
      .unchanged: .unchanged, .improved: .downgraded, .downgraded: .improved, .unknown: .unknown,
    ]
    let states = DecisionPropertyTests.bareStates.filter { $0.grantPath == .unknown }
    for one in states {
      for other in states {
        let (there, back) = (compare(one, other), compare(other, one))
        for dimension in Dimension.allCases {
          #expect(back[dimension] == opposites[there[dimension]], "\(one), \(other)")
        }
      }
    }
  }
}

import GuardRules
import ShiftDomain
import Testing

/// A dimension without a complete row in the table fails here.
@Suite("Dimension table") struct DimensionTableTests {
  /// Every combination of values that a report can contain.
  static let states: [PermissionState] = Authorization.allCases.flatMap { authorization in
    LocationAccuracy.allCases.flatMap { accuracy in
      Switch.allCases.flatMap { services in
        Switch.allCases.map { mock in
          PermissionState(
            authorization: authorization, accuracy: accuracy, services: services,
            conditions: DeviceConditions(mockLocation: mock))
        }
      }
    }
  }

  /// All dimensions but those that only requests show. A new one counts as reported unless it is
  /// added here.
  static let reported = Dimension.allCases.filter { ![.contact, .fix, .app].contains($0) }

  @Test("a loop over the reported dimensions includes all of them")
  func loop() {
    #expect(Array(Dimension.reported) == Self.reported)
  }

  @Test("every reported dimension can be unknown, clear and impaired", arguments: reported)
  func readings(_ dimension: Dimension) {
    let readings = Set(Self.states.map { $0.reading(of: dimension) })
    #expect(readings.contains(.clear))
    #expect(readings.contains { if case .unknown = $0 { true } else { false } })
    #expect(!readings.contains(.absent))
  }

  @Test("reports show each kind in its own dimension only", arguments: IncidentKind.allCases)
  func kinds(_ kind: IncidentKind) {
    let isReported = Self.reported.contains(kind.dimension)
    for dimension in Dimension.allCases {
      let isSaid = Self.states.contains { $0.reading(of: dimension) == .impaired(kind) }
      #expect(isSaid == (isReported && dimension == kind.dimension))
    }
  }

  @Test("each kind has its own place")
  func places() {
    let places = IncidentKind.allCases.map(\.row.place)
    #expect(places.sorted() == Array(0..<places.count))
  }

  /// It is the coverage reason of time in which the phone cannot be located.
  @Test("each kind that prevents locating has a reason of the same name, and is not a risk")
  func reasons() {
    for kind in IncidentKind.allCases where kind.cannotLocate {
      #expect(kind.row.reason?.code == kind.code && !kind.row.isRisk)
    }
  }

  /// The order of remedy is the same for findings and for incidents that prevent locating.
  @Test("kinds that prevent locating come first, in the order of their findings")
  func order() {
    let kinds = IncidentKind.allCases.sorted { $0.row.place < $1.row.place }
    let losses = kinds.filter(\.cannotLocate)
    #expect(Array(kinds.prefix(losses.count)) == losses)
    #expect(losses.compactMap(\.finding) == losses.compactMap(\.finding).sorted())
    #expect(losses.allSatisfy { $0.finding?.code == $0.code })
  }

  @Test("an unknown value never replaces a known one, in every dimension", arguments: reported)
  func known(_ dimension: Dimension) {
    for before in Self.states {
      for after in Self.states where after != before {
        let known = KnownState(before).learning(after).state
        let (old, new) = (before.reading(of: dimension), after.reading(of: dimension))
        if case .unknown = new {
          #expect(known.reading(of: dimension) == old)
        } else {
          #expect(known.reading(of: dimension) == new)
        }
      }
    }
  }

  @Test("every dimension is compared, and a worse value is a downgrade", arguments: reported)
  func compared(_ dimension: Dimension) {
    let nothing = PermissionState(authorization: .unknown)
    var changes: Set<Change> = []
    for before in Self.states where before.isOnly(dimension) {
      for after in Self.states where after.isOnly(dimension) {
        let comparison = compare(before, after)
        changes.insert(comparison[dimension])
        #expect(comparison.isDowngrade == (comparison[dimension] == .downgraded))
        for other in Dimension.allCases where other != dimension {
          #expect(comparison[other] == .unknown)
        }
      }
    }
    #expect(changes == [.unchanged, .improved, .downgraded])
    #expect(compare(nothing, nothing)[dimension] == .unknown)
  }

  @Test("at clock-in every impairment and every unknown value gives its finding, if any")
  func findings() {
    for state in Self.states {
      var expected: FindingSet = []
      for dimension in Dimension.reported {
        switch state.reading(of: dimension) {
        case .impaired(let kind): if let finding = kind.finding { expected.insert(finding) }
        case .unknown(let finding): if let finding { expected.insert(finding) }
        case .clear, .absent: break
        }
      }
      #expect(GuardRules.findings(in: state, platform: .android) == expected)
    }
  }

  @Test("every impairment at clock-in is an incident from the start", arguments: reported)
  func incidents(_ dimension: Dimension) {
    for state in Self.states {
      let report = PermissionReport(id: ReportID(1), state: state, effectiveAt: at(0))
      let event = GuardEvent.clockIn(
        device: 1, at: at(0), .report(report, .android))
      let begun = step(GuardState(), event, policy: .policy(of: .advisory), now: at(0)).state
      guard case .impaired(let kind) = state.reading(of: dimension) else {
        #expect(begun[dimension] == nil)
        continue
      }
      #expect(begun[dimension]?.kind == kind)
    }
  }
}

extension KnownState {
  /// The known values after a report of `state`.
  fileprivate func learning(_ state: PermissionState) -> KnownState {
    let report = PermissionReport(
      id: ReportID(2), state: state, effectiveAt: at(1), installation: 0, sequence: 2)
    let earlier = PermissionReport(
      id: ReportID(1), state: self.state, effectiveAt: at(0), installation: 0, sequence: 1)
    return KnownState(
      report.overlaid(on: [ReceivedReport(earlier, from: 1, receivedAt: at(0))]).state)
  }
}

extension PermissionState {
  /// Whether `dimension` alone is known.
  fileprivate func isOnly(_ dimension: Dimension) -> Bool {
    Dimension.reported.allSatisfy { other in
      let isUnknown = if case .unknown = reading(of: other) { true } else { false }
      return isUnknown == (other != dimension)
    }
  }
}

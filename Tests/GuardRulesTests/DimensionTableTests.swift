import GuardRules
import ShiftDomain
import Testing

/// A dimension that is declared without its row in the table fails here.
@Suite("The table of dimensions") struct DimensionTableTests {
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

  /// Without the dimensions that only requests show. A new one is in a report unless it is added.
  static let reported = Dimension.allCases.filter { ![.contact, .fix, .app].contains($0) }

  @Test("a loop over the reported dimensions leaves none out")
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

  @Test("every kind is what some report says about its dimension", arguments: IncidentKind.allCases)
  func kinds(_ kind: IncidentKind) {
    let isReported = Self.reported.contains(kind.dimension)
    for dimension in Dimension.allCases {
      let isSaid = Self.states.contains { $0.reading(of: dimension) == .impaired(kind) }
      #expect(isSaid == (isReported && dimension == kind.dimension))
    }
  }

  @Test("each kind has a place of its own")
  func places() {
    let places = IncidentKind.allCases.map(\.row.place)
    #expect(places.sorted() == Array(0..<places.count))
  }

  /// Coverage gives its reason to time in which the phone cannot be located.
  @Test("a reported kind has a reason, of its name, exactly if it prevents locating")
  func reasons() {
    for kind in IncidentKind.allCases where Self.reported.contains(kind.dimension) {
      #expect(kind.row.reason?.code == (kind.cannotLocate ? kind.code : nil))
      #expect(!kind.cannotLocate || !kind.row.isRisk)
    }
  }

  /// The order of remedy is the same for findings and for incidents that prevent locating.
  @Test("what prevents locating has the order of its findings, before everything else")
  func order() {
    let kinds = IncidentKind.allCases.sorted { $0.row.place < $1.row.place }
    let losses = kinds.filter(\.cannotLocate)
    #expect(Array(kinds.prefix(losses.count)) == losses)
    #expect(losses.compactMap(\.finding) == losses.compactMap(\.finding).sorted())
    #expect(losses.allSatisfy { $0.finding?.code == $0.code })
  }

  @Test("a known value outlives an unknown one, in every dimension", arguments: reported)
  func known(_ dimension: Dimension) {
    let forgotten = Self.states.flatMap { before in
      Self.states.filter { after in
        let known = KnownState(before).learning(after).state.reading(of: dimension)
        let news = after.reading(of: dimension)
        if case .unknown = news { return known != before.reading(of: dimension) }
        return known != news
      }
    }
    #expect(forgotten.isEmpty)
  }

  @Test("every dimension is compared, and worse is a downgrade", arguments: reported)
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

  @Test("at clock-in every impairment and every unknown value has its finding, if it has one")
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

  @Test("what is known to prevent locating is left, though there is no incident on a break")
  func left() {
    for state in Self.states {
      let known = KnownState(state)
      let shift = OpenShift(number: 1, device: 1, startedAt: at(0), report: nil, known: known)
      let losses = Dimension.reported.compactMap { dimension -> IncidentKind? in
        guard case .impaired(let kind) = state.reading(of: dimension), kind.cannotLocate else {
          return nil
        }
        return kind
      }
      let worst = losses.min { $0.row.place < $1.row.place }
      #expect(worstLeft(in: GuardState(shift: shift), at: at(1)) == worst)
    }
  }

  @Test("every impairment is an incident from the start of a shift", arguments: reported)
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

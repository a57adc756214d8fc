public import ShiftDomain

/// The kinds of pings for coverage. Raw values are stored; append-only.
public enum ContactKind: UInt8, Coded {
  /// A fix that proves a position.
  case fix = 0
  /// A sign of life at rest, without an announced rest.
  case stationary = 1
  /// A fix mocked by another app.
  case mock = 2
  /// A fix that is less accurate than the policy requires.
  case coarse = 3
  /// An announced rest: a run from its ping to its end.
  case rest = 4
  /// A hidden page: a run from its ping to the next ping, or far into the future.
  case hidden = 5
  /// Anything else, which only ends an announcement; never stored.
  case other = 6

  public var code: String {
    switch self {
    case .fix: "fix"
    case .stationary: "stationary"
    case .mock: "mock"
    case .coarse: "coarse"
    case .rest: "rest"
    case .hidden: "hidden"
    case .other: "other"
    }
  }

  /// Whether a run of it has a reported start and an end that was only announced.
  var isAnnounced: Bool { self == .rest || self == .hidden }
}

/// Signs of one kind and device in close succession: the summary of many pings.
/// INVARIANT: there was a sign at `first` and at `last`, and in between signs followed each other
/// within the device's `fixAgeMax`; except for announcements, see `ContactKind`.
public struct ContactRun: Hashable, Sendable {
  public var first: Instant
  /// The last sign; the same for a single sign.
  public var last: Instant

  public init(from first: Instant, to last: Instant) {
    self.first = first
    self.last = last
  }
}

/// The signs of one device in a shift, in any order.
public struct DeviceContactRuns: Hashable, Sendable {
  public var device: Int16
  private var runs = [[ContactRun]](repeating: [], count: ContactKind.allCases.count)

  public init(device: Int16) { self.device = device }

  public subscript(kind: ContactKind) -> [ContactRun] {
    get { runs[Int(kind.rawValue)] }
    // Not `set`, which copies all runs for each one that is appended.
    _modify { yield &runs[Int(kind.rawValue)] }
  }

  /// The instants of its pings, as far as known.
  private var instants: [Instant] {
    ContactKind.allCases.flatMap { kind in
      self[kind].flatMap { run in
        kind.isAnnounced || run.first == run.last ? [run.first] : [run.first, run.last]
      }
    }
  }

  fileprivate mutating func endAnnounced() {
    guard ContactKind.allCases.contains(where: { $0.isAnnounced && !self[$0].isEmpty }) else {
      return
    }
    let instants = self.instants.sorted()
    for kind in ContactKind.allCases where kind.isAnnounced {
      self[kind] = self[kind].map { run in
        let next = instants[instants.firstIndex(from: run.first + .milliseconds(1))...].first
        return ContactRun(from: run.first, to: min(run.last, next ?? run.last))
      }
    }
  }
}

/// The pings of a shift as coverage needs them: single, or rolled up into runs.
///
/// Coverage needs three things of fixes and of signs at rest: the first from an instant on, the
/// last before it, and the time within `fixAgeMax` after one. A run gives the same answers as its
/// single signs, unless such an instant is after its first sign and not after its last. Those
/// instants are `CoverageFrame.cuts`, and no run extends across one. So rolled-up signs give the
/// same coverage to the millisecond, in whatever order and however often they came. Signs of the
/// other kinds are few and stay single.
public struct ContactRuns: Hashable, Sendable {
  /// One per device, by number.
  public private(set) var devices: [DeviceContactRuns] = []

  public init() {}

  /// From stored runs; `devices` in any order.
  public init(_ devices: [DeviceContactRuns]) {
    for contactRuns in devices {
      let place = place(of: contactRuns.device)
      self.devices[place] = contactRuns
    }
  }

  public init(_ pings: [ReceivedPing]) {
    for ping in pings {
      let place = place(of: ping.device)
      let at = ContactRun(from: ping.effectiveAt, to: ping.effectiveAt)
      switch ping.fix {
      case .position: devices[place][.fix].append(at)
      case .mock: devices[place][.mock].append(at)
      case .coarse: devices[place][.coarse].append(at)
      case nil: devices[place][ping.isStationary ? .stationary : .other].append(at)
      }
      if let end = ping.restEnd {
        devices[place][.rest].append(ContactRun(from: ping.effectiveAt, to: end))
      }
      if ping.isHidden {
        devices[place][.hidden].append(
          ContactRun(from: ping.effectiveAt, to: Instant(milliseconds: .max)))
      }
    }
    endAnnounced()
  }

  /// Whether an announcement waits for the next ping, which rolled-up signs may hide.
  public var announces: Bool {
    devices.contains { !$0[.rest].isEmpty || !$0[.hidden].isEmpty }
  }

  /// The union of these signs and `others`, which may partly be the same.
  /// - Parameter endsAnnounced: Whether they end announcements, as a ping does, and the fix of a
  ///   clock action does not.
  public func adding(_ others: ContactRuns, endsAnnounced: Bool = true) -> ContactRuns {
    var all = self
    for other in others.devices {
      let place = all.place(of: other.device)
      for kind in ContactKind.allCases { all.devices[place][kind] += other[kind] }
    }
    if endsAnnounced { all.endAnnounced() }
    return all
  }

  /// Both, in order of time, as the fewest runs that extend across no cut. Both must fit `frame`.
  public func merged(with others: ContactRuns = ContactRuns(), in frame: CoverageFrame)
    -> ContactRuns
  {
    let (cuts, turns) = (frame.cuts, frame.turns)
    var contactRuns = adding(others)
    for place in contactRuns.devices.indices {
      for kind in ContactKind.allCases {
        let runs = contactRuns.devices[place][kind]
        switch kind {
        case .fix, .stationary:
          contactRuns.devices[place][kind] = runs.merged(over: turns, at: cuts)
        case .mock, .coarse, .rest, .hidden: contactRuns.devices[place][kind] = runs.once
        case .other: contactRuns.devices[place][kind] = []
        }
      }
    }
    return contactRuns
  }

  /// Whether no cut is within a run: only then coverage is the same as with single signs.
  public func fit(_ frame: CoverageFrame) -> Bool {
    let cuts = frame.cuts
    return devices.allSatisfy { device in
      (device[.fix] + device[.stationary]).allSatisfy { !cuts.part($0.first, $0.last) }
    }
  }

  /// These signs split at the cuts of `frame`, as if there had been one on both sides of each: the
  /// best approximation if the pings are deleted. Wrong by at most `fixAgeMax` per cut. None counts
  /// of time that corrections added.
  public func parted(by frame: CoverageFrame) -> ContactRuns {
    let added = frame.added.intervals
    let cuts = (frame.cuts + added.map { $0.start } + added.map { $0.end }).sorted()
    var contactRuns = self
    for place in contactRuns.devices.indices {
      for kind in [ContactKind.fix, .stationary] {
        contactRuns.devices[place][kind] = contactRuns.devices[place][kind].flatMap {
          $0.parted(at: cuts)
        }.filter { !frame.added.contains($0.first) }
      }
    }
    return contactRuns
  }

  private mutating func endAnnounced() {
    for place in devices.indices { devices[place].endAnnounced() }
  }

  /// The index of `device`'s signs, added if necessary.
  private mutating func place(of device: Int16) -> Int {
    let next = devices.partitionIndex { $0.device >= device }
    if next == devices.count || devices[next].device != device {
      devices.insert(DeviceContactRuns(device: device), at: next)
    }
    return next
  }
}

extension [ContactRun] {
  /// In order, with neighbours joined that are close enough and have no cut in between.
  fileprivate func merged(over turns: [TrackingTurn], at cuts: [Instant]) -> [ContactRun] {
    var runs: [ContactRun] = []
    for run in sorted(by: { $0.first < $1.first }) {
      if let last = runs.last?.last, !cuts.part(last, run.first),
        let turn = turns.turn(at: last), run.first - last <= turn.fixAgeMax
      {
        runs[runs.count - 1].last = Swift.max(last, run.last)
      } else {
        runs.append(run)
      }
    }
    return runs
  }

  /// In order, one for each start: the shortest.
  fileprivate var once: [ContactRun] {
    var runs: [ContactRun] = []
    for run in sorted(by: { ($0.first, $0.last) < ($1.first, $1.last) })
    where runs.last?.first != run.first { runs.append(run) }
    return runs
  }
}

extension ContactRun {
  fileprivate func parted(at cuts: [Instant]) -> [ContactRun] {
    var parts = [self]
    for cut in cuts where first < cut && cut <= last {
      let end = cut - .milliseconds(1)
      parts[parts.count - 1].last = end
      parts.append(ContactRun(from: cut, to: last))
    }
    return parts
  }
}

extension [Instant] {
  /// Whether one of these sorted instants is after `first` and not after `last`.
  fileprivate func part(_ first: Instant, _ last: Instant) -> Bool {
    self[firstIndex(from: first + .milliseconds(1))...].first.map { $0 <= last } ?? false
  }
}

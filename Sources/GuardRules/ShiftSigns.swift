public import ShiftDomain

/// What a ping can be to coverage. Raw values are stored; append-only.
public enum SignKind: UInt8, Coded {
  /// A fix that proves a position.
  case fix = 0
  /// A sign of life at rest, without a rest announced.
  case stationary = 1
  /// A fix that another app made up.
  case mock = 2
  /// A fix that is less accurate than the policy asks for.
  case coarse = 3
  /// An announced rest: a run from its ping to its end.
  case rest = 4
  /// A page out of view: a run from its ping to the next ping, or far into the future.
  case hidden = 5
  /// Anything else, which only ends what was announced; never stored.
  case other = 6

  /// Its word.
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

  /// Whether a run of it has a beginning that was said and an end that was only announced.
  var isAnnounced: Bool { self == .rest || self == .hidden }
}

/// Signs of one kind, of one device, that came close upon each other: what is left of many pings
/// once nothing in between can matter any more.
///
/// INVARIANT: at `first` and at `last` there was a sign, and in between one followed another within
/// the device's `fixAgeMax`; but for what was announced, see `SignKind`.
public struct SignRun: Hashable, Sendable {
  /// The first sign.
  public var first: Instant
  /// The last; the same for a sign alone.
  public var last: Instant

  /// The signs from `first` to `last`.
  public init(from first: Instant, to last: Instant) {
    self.first = first
    self.last = last
  }
}

/// What one device gave to know in a shift, in any order.
public struct DeviceSigns: Hashable, Sendable {
  /// The device's number.
  public var device: Int16
  private var runs = [[SignRun]](repeating: [], count: SignKind.allCases.count)

  /// No signs of `device` yet.
  public init(device: Int16) { self.device = device }

  /// Its signs of one kind.
  public subscript(kind: SignKind) -> [SignRun] {
    get { runs[Int(kind.rawValue)] }
    set { runs[Int(kind.rawValue)] = newValue }
  }

  /// The instants of its pings, as far as they are known.
  private var instants: [Instant] {
    SignKind.allCases.flatMap { kind in
      self[kind].flatMap { run in
        kind.isAnnounced || run.first == run.last ? [run.first] : [run.first, run.last]
      }
    }
  }

  /// Ends what was announced at the next ping.
  fileprivate mutating func endAnnounced() {
    guard SignKind.allCases.contains(where: { $0.isAnnounced && !self[$0].isEmpty }) else { return }
    let instants = self.instants.sorted()
    for kind in SignKind.allCases where kind.isAnnounced {
      self[kind] = self[kind].map { run in
        let next = instants[instants.firstIndex(from: run.first + .milliseconds(1))...].first
        return SignRun(from: run.first, to: min(run.last, next ?? run.last))
      }
    }
  }
}

/// The pings of a shift as coverage needs them: each by itself, or folded into runs.
///
/// Coverage asks three things of fixes and of signs at rest: which was the first from an instant
/// on, which the last before it, and which time lies within `fixAgeMax` after one. A run answers
/// all of them as its single signs would, unless such an instant lies behind its first and not
/// behind its last sign. Those instants are `CoverageFrame.cuts`; folding leaves no run across one.
/// So folded signs give the same coverage to the millisecond, in whatever order and how often they
/// came. Signs of the other kinds are few and stay single.
public struct ShiftSigns: Hashable, Sendable {
  /// One for each device, by number.
  public private(set) var devices: [DeviceSigns] = []

  /// Nothing.
  public init() {}

  /// What was folded before; `devices` in any order.
  public init(_ devices: [DeviceSigns]) {
    for signs in devices {
      let place = place(of: signs.device)
      self.devices[place] = signs
    }
  }

  /// Each ping by itself.
  public init(_ pings: [ReceivedPing]) {
    for ping in pings {
      let place = place(of: ping.device)
      let at = SignRun(from: ping.effectiveAt, to: ping.effectiveAt)
      switch ping.fix {
      case .position: devices[place][.fix].append(at)
      case .mock: devices[place][.mock].append(at)
      case .coarse: devices[place][.coarse].append(at)
      case nil: devices[place][ping.isStationary ? .stationary : .other].append(at)
      }
      // A fix that proves no position rests only for as long as it says.
      if let end = ping.restsUntil, ping.fix == nil || end > ping.effectiveAt {
        devices[place][.rest].append(
          SignRun(from: ping.effectiveAt, to: max(end, ping.effectiveAt)))
      }
      if ping.isHidden {
        devices[place][.hidden].append(
          SignRun(from: ping.effectiveAt, to: Instant(milliseconds: .max)))
      }
    }
    endAnnounced()
  }

  /// Whether there is something whose end the next ping tells: signs that are folded already may
  /// hide which that is.
  public var announces: Bool {
    devices.contains { !$0[.rest].isEmpty || !$0[.hidden].isEmpty }
  }

  /// These signs and `others`, which may be the same ones in part.
  public func adding(_ others: ShiftSigns) -> ShiftSigns {
    var all = self
    for other in others.devices {
      let place = all.place(of: other.device)
      for kind in SignKind.allCases { all.devices[place][kind] += other[kind] }
    }
    all.endAnnounced()
    return all
  }

  /// These signs and `others`, in order of time, as the fewest runs that none of `frame`'s cuts
  /// parts. Both must fit the frame.
  public func folded(with others: ShiftSigns = ShiftSigns(), in frame: CoverageFrame) -> ShiftSigns
  {
    let (cuts, turns) = (frame.cuts, frame.turns)
    var signs = adding(others)
    for place in signs.devices.indices {
      for kind in SignKind.allCases {
        let runs = signs.devices[place][kind]
        switch kind {
        case .fix, .stationary: signs.devices[place][kind] = runs.folded(over: turns, at: cuts)
        case .mock, .coarse, .rest, .hidden: signs.devices[place][kind] = runs.once
        case .other: signs.devices[place][kind] = []
        }
      }
    }
    return signs
  }

  /// Whether no cut of `frame` lies within a run: only then is coverage as of the single signs.
  public func fit(_ frame: CoverageFrame) -> Bool {
    let cuts = frame.cuts
    return devices.allSatisfy { device in
      (device[.fix] + device[.stationary]).allSatisfy { !cuts.part($0.first, $0.last) }
    }
  }

  /// These signs parted where `frame` asks, as if there had been one on both sides of each cut: the
  /// best that can be said when the pings are gone. Wrong by `fixAgeMax` a cut at the most.
  public func parted(by frame: CoverageFrame) -> ShiftSigns {
    let cuts = frame.cuts
    var signs = self
    for place in signs.devices.indices {
      for kind in [SignKind.fix, .stationary] {
        signs.devices[place][kind] = signs.devices[place][kind].flatMap { $0.parted(at: cuts) }
      }
    }
    return signs
  }

  private mutating func endAnnounced() {
    for place in devices.indices { devices[place].endAnnounced() }
  }

  /// Where the signs of `device` are; made if need be.
  private mutating func place(of device: Int16) -> Int {
    let next = devices.partitionIndex { $0.device >= device }
    if next == devices.count || devices[next].device != device {
      devices.insert(DeviceSigns(device: device), at: next)
    }
    return next
  }
}

extension [SignRun] {
  /// In order, neighbours joined that lie close enough together and between which nothing is cut.
  fileprivate func folded(over turns: [TrackingTurn], at cuts: [Instant]) -> [SignRun] {
    var runs: [SignRun] = []
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

  /// In order, one for each beginning: the shortest.
  fileprivate var once: [SignRun] {
    var runs: [SignRun] = []
    for run in sorted(by: { ($0.first, $0.last) < ($1.first, $1.last) })
    where runs.last?.first != run.first { runs.append(run) }
    return runs
  }
}

extension SignRun {
  fileprivate func parted(at cuts: [Instant]) -> [SignRun] {
    var parts = [self]
    for cut in cuts where first < cut && cut <= last {
      let end = cut - .milliseconds(1)
      parts[parts.count - 1].last = end
      parts.append(SignRun(from: cut, to: last))
    }
    return parts
  }
}

extension [Instant] {
  /// Whether one of these sorted instants lies behind `first` and not behind `last`.
  fileprivate func part(_ first: Instant, _ last: Instant) -> Bool {
    self[firstIndex(from: first + .milliseconds(1))...].first.map { $0 <= last } ?? false
  }
}

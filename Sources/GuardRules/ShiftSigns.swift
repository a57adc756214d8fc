public import ShiftDomain

/// Signs of one kind, of one device, that came close upon each other: what is left of many pings
/// once nothing in between can matter any more.
///
/// INVARIANT: at `first` and at `last` there was a sign, and in between one followed another within
/// the shift's `fixAgeMax`.
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
  /// Effective times of its fixes, and of its signs of life at rest.
  public var positions: [SignRun]
  /// Receipts of all its pings.
  public var receipts: [SignRun]

  /// The signs of `device`.
  public init(device: Int16, positions: [SignRun] = [], receipts: [SignRun] = []) {
    self.device = device
    self.positions = positions
    self.receipts = receipts
  }
}

/// The pings of a shift as coverage needs them: each by itself, or folded into runs.
///
/// Coverage asks three things of signs: which was the first from an instant on, which the last
/// before it, and which time lies within `fixAgeMax` after one. A run answers all of them as its
/// single signs would, unless such an instant lies behind its first and not behind its last sign.
/// Those instants are `CoverageFrame.cuts`; folding leaves no run across one. So folded signs give
/// the same coverage to the millisecond, in whatever order and how often they came.
public struct ShiftSigns: Hashable, Sendable {
  /// One for each device, by number.
  public private(set) var devices: [DeviceSigns] = []

  /// Nothing.
  public init() {}

  /// What was folded before; `devices` in any order.
  public init(_ devices: [DeviceSigns]) {
    for told in devices {
      let place = place(of: told.device)
      self.devices[place] = told
    }
  }

  /// Each ping by itself.
  public init(_ pings: [ReceivedPing]) {
    for ping in pings {
      let place = place(of: ping.device)
      devices[place].receipts.append(SignRun(from: ping.receivedAt, to: ping.receivedAt))
      if ping.speaksForPosition {
        devices[place].positions.append(SignRun(from: ping.effectiveAt, to: ping.effectiveAt))
      }
    }
  }

  /// These signs and `others`, which may be the same ones in part.
  public func adding(_ others: ShiftSigns) -> ShiftSigns {
    var all = self
    for other in others.devices {
      let place = all.place(of: other.device)
      all.devices[place].positions += other.positions
      all.devices[place].receipts += other.receipts
    }
    return all
  }

  /// These signs and `others`, in order of time, as the fewest runs that none of `frame`'s cuts
  /// parts. Both must fit the frame.
  public func folded(with others: ShiftSigns = ShiftSigns(), in frame: CoverageFrame) -> ShiftSigns
  {
    let cuts = frame.cuts
    return adding(others).mapped { $0.folded(within: frame.fixAgeMax, at: cuts) }
  }

  /// Whether no cut of `frame` lies within a run: only then is coverage as of the single signs.
  public func fit(_ frame: CoverageFrame) -> Bool {
    let cuts = frame.cuts
    return devices.allSatisfy { device in
      (device.positions + device.receipts).allSatisfy { !cuts.part($0.first, $0.last) }
    }
  }

  /// These signs parted where `frame` asks, as if there had been one on both sides of each cut: the
  /// best that can be said when the pings are gone. Wrong by `fixAgeMax` a cut at the most.
  public func parted(by frame: CoverageFrame) -> ShiftSigns {
    let cuts = frame.cuts
    return mapped { $0.flatMap { $0.parted(at: cuts) } }
  }

  private func mapped(_ change: ([SignRun]) -> [SignRun]) -> ShiftSigns {
    var signs = self
    for place in signs.devices.indices {
      signs.devices[place].positions = change(signs.devices[place].positions)
      signs.devices[place].receipts = change(signs.devices[place].receipts)
    }
    return signs
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
  /// The signs' instants, as far as they are known: all that a question of the rules can meet.
  var instants: [Instant] { flatMap { $0.first == $0.last ? [$0.first] : [$0.first, $0.last] } }

  /// In order, neighbours joined that lie close enough together and between which nothing is cut.
  fileprivate func folded(within fixAgeMax: TimeSpan, at cuts: [Instant]) -> [SignRun] {
    var runs: [SignRun] = []
    for run in sorted(by: { $0.first < $1.first }) {
      if let last = runs.last?.last, run.first - last <= fixAgeMax, !cuts.part(last, run.first) {
        runs[runs.count - 1].last = Swift.max(last, run.last)
      } else {
        runs.append(run)
      }
    }
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

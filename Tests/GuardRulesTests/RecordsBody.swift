import GuardRules
import ShiftDomain

/// The records of one shift as input of the second implementation; times in milliseconds.
struct RecordsBody: Encodable {
  struct Span: Encodable {
    var start, end: Int64
    var asOf: Int64?
  }
  struct Turn: Encodable {
    var device: Int16
    var from, maxFixAge: Int64
  }
  struct Rest: Encodable { var until: Int64 }
  struct Ping: Encodable {
    var device: Int16
    var at: Int64
    var kind: String
    var stationary, mock, hidden: Bool
    var accuracy: Int?
    var rest: Rest?
  }
  struct Exit: Encodable { var at: Int64 }
  struct Report: Encodable {
    var device: Int16
    var at, received: Int64
    var order: Int
    var authorization, services, accuracy: String
    var exit: Exit?
  }
  struct Silence: Encodable {
    var kind: String
    var device: Int16
    var from: Int64
    var to: Int64?

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(kind, forKey: .kind)
      try values.encode(device, forKey: .device)
      try values.encode(from, forKey: .from)
      try values.encode(to, forKey: .to)  // null, which a synthesised encoder omits
    }

    private enum CodingKeys: CodingKey { case kind, device, from, to }
  }

  var shift: Span
  var tracking: [Turn]
  var maxRest: Int64 = 3_600_000
  var accuracyMax = 100
  var pings: [Ping]
  var reports: [Report] = []
  var silences: [Silence]
  var added, breaks, outages: [[Int64]]
  var offlineReceivedAt, begunAt: Int64?

  init(_ records: ShiftRecords) {
    func bounds(_ set: IntervalSet) -> [[Int64]] {
      set.intervals.map { [$0.start.milliseconds, $0.end.milliseconds] }
    }
    let frame = records.frame
    shift = Span(start: frame.shift.start.milliseconds, end: frame.shift.end.milliseconds)
    tracking = frame.devices.map { span in
      Turn(
        device: span.device, from: span.since.milliseconds,
        maxFixAge: (span.fixAgeMax ?? frame.fixAgeMax).milliseconds)
    }
    pings = records.pings.map { ping in
      Ping(
        device: ping.device, at: ping.effectiveAt.milliseconds,
        kind: ping.fix == nil ? "life" : "fix", stationary: ping.isStationary,
        mock: ping.fix == .mock, hidden: ping.isHidden,
        accuracy: ping.fix == .coarse ? 101 : nil,
        rest: ping.restsUntil.map { Rest(until: $0.milliseconds) })
    }
    silences = frame.silences.map { silence in
      let end = silence.interval.end
      return Silence(
        kind: silence.kind.incident.code, device: silence.device,
        from: silence.interval.start.milliseconds,
        to: end == Instant(milliseconds: .max) ? nil : end.milliseconds)
    }
    (added, breaks) = (bounds(frame.notAsked), bounds(frame.breaks))
    outages = bounds(frame.outages)
    offlineReceivedAt = frame.offlineReceipt?.milliseconds
    begunAt = frame.begunAt?.milliseconds
    for device in Set(frame.reports.map(\.device)) {
      reports += Self.reports(frame.reports.filter { $0.device == device })
    }
  }

  /// One device's reports with their places, which `StateOrderTests` proves. The second
  /// implementation does not decide which process ends are news: it gets only those that are.
  private static func reports(_ own: [ReceivedReport]) -> [Report] {
    var before: Instant?
    return own.inOrder.enumerated().map { order, received in
      let report = received.report
      let at = max(report.effectiveAt, before ?? report.effectiveAt)
      var exit = report.appExit.map { Exit(at: $0.at.milliseconds) }
      if let ended = report.appExit, let before, ended.at <= before { exit = nil }
      if !report.state.saysLost, report.appExit?.cause != .userRequested { exit = nil }
      before = at
      return Report(
        device: received.device, at: report.effectiveAt.milliseconds,
        received: received.receivedAt.milliseconds, order: order,
        authorization: report.state.authorization.code, services: report.state.services.code,
        accuracy: report.state.accuracy.code, exit: exit)
    }
  }
}

extension PermissionState {
  fileprivate var saysLost: Bool {
    [.restricted, .denied, .notDetermined].contains(authorization) || services == .off
  }
}

extension [ReceivedReport] {
  /// By number; a report without one follows all that had been received by then, and reports of
  /// one upload follow their own times.
  fileprivate var inOrder: [ReceivedReport] {
    let placed = map { received in
      let known = filter { $0.receivedAt <= received.receivedAt }.compactMap(\.report.sequence)
      return (
        key: (
          received.report.sequence ?? known.max() ?? -1, received.report.sequence == nil ? 1 : 0,
          received.receivedAt, received.report.effectiveAt
        ), received: received
      )
    }
    return placed.sorted { $0.key < $1.key }.map(\.received)
  }
}

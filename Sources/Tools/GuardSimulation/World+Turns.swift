import GuardRules
import ShiftDomain

extension World {
  /// One random event: on a phone, in the shift, on the network or, rarely, from outside.
  mutating func turn() -> Violation? {
    if reference.shift == nil, dice.oneIn(4) { return work() }
    switch dice.below(64) {
    case 0..<28: actOnPhone(0)
    case 28..<35: report(from: 0)
    case 35..<38:
      phones[0].isOnline.toggle()
      flush(0)
      return sendFixes()
    case 38..<42: return work()
    case 42..<45:
      restorePermission(0)
      report(from: 0)
    case 45..<56: return locate()
    case 56..<61: if phones.count > 1 { dice.oneIn(2) ? actOnPhone(1) : report(from: 1) }
    default: return dice.oneIn(8) ? befall() : nil
    }
    return nil
  }

  /// The employee clocks in or out or takes a break, or a manager corrects the shift.
  private mutating func work() -> Violation? {
    guard let shift = reference.shift else {
      if dice.oneIn(24), let doubted = reference.doubted {
        return confirm(doubted.number, doubted.end)
      }
      return dice.oneIn(48) ? judge(.clockOut(at: now - someDelay()), at: now) : clockIn()
    }
    switch dice.below(32) {
    case 0..<4: return judge(.clockOut(at: now - someDelay()), at: now)
    case 4..<8: return clockIn()
    case 8..<16: return judge(.breakStart(at: now - someDelay()), at: now)
    case 16..<25: return judge(.breakEnd(at: now - someDelay()), at: now)
    case 25..<29: return takeOver()
    case 29:
      let first = shift.breaks.first?.start ?? now
      let start = now - .seconds(Int64(dice.below(660)) - 60)
      return judge(.startMoved(to: min(start, max(first, now))), at: now)
    case 30: if let doubted = reference.doubted { return confirm(doubted.number, doubted.end) }
    default: return judge(.time, at: now)
    }
    return nil
  }

  /// Mostly zero; otherwise a delay of up to a minute.
  private mutating func someDelay() -> TimeSpan {
    .milliseconds(dice.oneIn(4) ? Int64(dice.below(60_000)) : 0)
  }

  private mutating func confirm(_ number: Int32, _ end: Instant) -> Violation? {
    let other = dice.oneIn(6) ? number + 1 : number
    let at = end - .seconds(Int64(dice.below(3_600 * 6)) - 600)
    return judge(.endConfirmed(shift: other, at: at), at: now)
  }

  private mutating func somePhone() -> Int { phones.count > 1 && dice.oneIn(6) ? 1 : 0 }

  /// Clocks in on the phone in use or on the other one.
  private mutating func clockIn() -> Violation? {
    let place = somePhone()
    if dice.oneIn(2) { restorePermission(place) }
    bringReport(from: place)
    var override: Override?
    if dice.oneIn(6) {
      let findings = FindingSet(rawValue: UInt32(truncatingIfNeeded: dice.next()))
      override = Override(
        number: 1, findings: dice.oneIn(2) ? .all : findings,
        author: dice.oneIn(2) ? .manager : .employee)
    }
    let device = phones[place].device
    return judge(.clockIn(device: device, devices[Int(device)].knowledge, override), at: now)
  }

  private mutating func takeOver() -> Violation? {
    let place = somePhone()
    bringReport(from: place)
    let device = phones[place].device
    return judge(
      .takeOver(device: device, at: now, devices[Int(device)].knowledge), at: now)
  }

  /// Adds a report to the request, so that both arrive together.
  private mutating func bringReport(from place: Int) {
    guard phones[place].canReport, phones[place].app != .ended, !dice.oneIn(6) else { return }
    let upload = write(place)
    let delivery = Radio.Delivery(
      upload: upload, leftAt: now, clockError: phones[place].clockError, arrivesAt: now)
    note(received(delivery), delivery)
  }

  private mutating func befall() -> Violation? {
    switch dice.below(8) {
    case 0:
      let device = newDevice(canReport: phones[0].canReport)
      phones[0].reinstall(as: device)
      return dice.oneIn(2) ? takeOver() : nil
    case 1:
      // A new phone; the previous one stays on and keeps sending.
      let old = phones[0]
      phones = [newPhone(), old]
      return dice.oneIn(2) ? takeOver() : nil
    case 2: if phones.count > 1 { phones.swapAt(0, 1) }
    case 3: phones[0].clockError = someClockError()
    case 4: phones[0].changeConditions(&dice)
    case 5: breakDown()
    case 6: changeWays()
    default: changePolicy()
    }
    return nil
  }

  /// An outage of the service; phones send again afterwards.
  private mutating func breakDown() {
    let start = now
    now = now + .seconds(dice.pick([1, 30, 170, 600, 4_000]))
    radio.holdBack(until: now)
    if reference.shift != nil { track.add(Interval(from: start, to: now)) }
  }

  /// A message reaches the server.
  mutating func take(_ delivery: Radio.Delivery) -> Violation? {
    let report = received(delivery)
    let (upload, time) = (delivery.upload, delivery.arrivesAt)
    // With a steady clock, however wrong, the age of a report when it is sent is exact.
    if upload.clockError == delivery.clockError {
      let expected = time - (delivery.leftAt - upload.madeAt)
      if report.effectiveAt != expected { return violation("a report is dated wrongly") }
    }
    note(report, delivery)
    if let violation = judge(
      .report(report, upload.truePermission, device: upload.device), at: time)
    {
      return violation
    }
    // A late report says nothing about the present, but it is a contact.
    guard reference.shift?.device == upload.device, reference.incident(.contact) != nil else {
      return nil
    }
    return judge(.signOfLife(.noContact, device: upload.device, at: time), at: time)
  }

  /// The report as the server dates it.
  private mutating func received(_ delivery: Radio.Delivery) -> PermissionReport {
    let upload = delivery.upload
    let time = effectiveTime(
      recordedAt: upload.recordedAt, sentAt: delivery.sentAt, receivedAt: delivery.arrivesAt)
    lastReport += 1
    var report = PermissionReport(
      id: ReportID(lastReport), state: upload.state, effectiveAt: time.instant,
      skew: time.skew, sequence: upload.sequence)
    if let exit = upload.exit {
      report.appExit = AppExit(exit.cause, at: time.instant - (upload.madeAt - exit.at))
    }
    return report
  }

  /// Records a report in the server's tables: the history and the device's newest report.
  private mutating func note(_ report: PermissionReport, _ delivery: Radio.Delivery) {
    let upload = delivery.upload
    let received = ReceivedReport(
      report, from: upload.device, receivedAt: delivery.arrivesAt)
    if reference.shift != nil { track.add(received, upload.truePermission) }
    if reference.shift?.device == upload.device { track.recordContact(at: delivery.arrivesAt) }
    devices[Int(upload.device)].note(received, upload.platform, upload.truePermission)
  }
}

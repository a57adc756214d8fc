import GuardClient
import HTTPSending
import JSONText
import PhoneSimulation
import ShiftDomain

/// An enrolled device.
package struct EnrolledPhone: Sendable {
  /// The device's id, from the token.
  package var device: DeviceID
  let token: String

  /// `nil` unless `token` is a device token: `sg_<employee>_<device>_<secret>`.
  package init?(token: String) {
    let parts = token.split(separator: "_", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "sg", let employee = Int32(parts[1]), employee > 0,
      let number = Int16(parts[2]), number > 0
    else { return nil }
    device = DeviceID(employee: EmployeeID(employee), number: number)
    self.token = token
  }
}

/// One phone on shift: uploads and reports are sent concurrently, each in order.
struct LoadPhone: Sendable {
  let phone: EnrolledPhone
  let client: LoadClient
  let uploads: UploadPlan
  let reports: ReportPlan
  /// The time after which nothing new begins.
  let end: ContinuousClock.Instant
  private let builder = ReportBuilder()

  /// Clocks in, sends uploads and reports, and returns the record; `nil` if the clock-in fails.
  func work() async -> PhoneRecord? {
    let firstSequence = wallClock().milliseconds
    guard await clockIn(sequence: firstSequence) else { return nil }
    let start = (wall: wallClock(), clock: ContinuousClock.now)
    let blank = PhoneRecord(device: phone.device, start: start.wall, spacing: uploads.spacing)
    async let reported = report(from: start.clock, after: firstSequence)
    var record = await upload(blank, from: start.clock)
    record.reports = await reported
    return record
  }

  private func clockIn(sequence: Int64) async -> Bool {
    let clockIn = builder.clockAction(
      id: "load-\(sequence)", report: report(sequence, isDowngrade: false))
    let reply = await client.post(
      .clockAction(.clockIn, JSONValue.object(clockIn).bytes), token: phone.token)
    guard let status = reply?.response.status else { return false }
    if status != 200 && status != 201 {
      client.tally.note { $0.unexpected[status, default: 0] += 1 }
    }
    return status == 200 || status == 201
  }

  private func upload(
    _ blank: PhoneRecord, from start: ContinuousClock.Instant
  ) async -> PhoneRecord {
    var record = blank
    var plan = uploads
    while true {
      let upload = plan.next()
      guard await reaches(start + upload.due.duration) else { break }
      for number in upload.pings { record.note(.unanswered, ofPing: number) }
      let pings = upload.pings.map { RecordedPing($0, of: record) }
      guard let reply = await client.post(.pings(pings), token: phone.token) else { continue }
      guard reply.response.status == 200,
        let statuses = statuses(in: reply.response.body, count: upload.pings.count)
      else {
        let status = reply.response.status == 200 ? 0 : reply.response.status
        client.tally.note { $0.unexpected[status, default: 0] += 1 }
        continue
      }
      for (number, status) in zip(upload.pings, statuses) { record.note(status, ofPing: number) }
      let acknowledged = statuses.count { $0 == .acknowledged }
      client.tally.note {
        $0.pingsAcknowledged += acknowledged
        $0.pingsRefused += statuses.count - acknowledged
        $0.uploads.record(reply.latency)
      }
    }
    return record
  }

  /// Sends the planned reports; a permission that is lost at the end is restored.
  private func report(
    from start: ContinuousClock.Instant, after firstSequence: Int64
  ) async -> [Int64: SendStatus] {
    var statuses: [Int64: SendStatus] = [:]
    var sequence = firstSequence
    var isDown = false
    var plan = reports
    while let planned = plan.next() {
      guard await reaches(start + planned.due.duration) else { break }
      sequence += 1
      statuses[sequence] = await send(sequence, isDowngrade: planned.isDowngrade)
      isDown = planned.isDowngrade
    }
    if isDown { statuses[sequence + 1] = await send(sequence + 1, isDowngrade: false) }
    return statuses
  }

  private func send(_ sequence: Int64, isDowngrade: Bool) async -> SendStatus {
    let report = report(sequence, isDowngrade: isDowngrade)
    guard let reply = await client.post(.report(report), token: phone.token) else {
      return .unanswered
    }
    guard (200...201).contains(reply.response.status) else {
      client.tally.note { $0.unexpected[reply.response.status, default: 0] += 1 }
      return .unanswered
    }
    let detection = detection(inServerTiming: reply.response.header("Server-Timing"))
    client.tally.note {
      $0.reportsAcknowledged += 1
      $0.reports.record(reply.latency)
      if let detection { $0.detections.record(detection) }
    }
    return .acknowledged
  }

  private func report(_ sequence: Int64, isDowngrade: Bool) -> JSONObject {
    let authorization: Authorization = isDowngrade ? .denied : .always
    return builder.report(
      PermissionState(authorization: authorization, accuracy: .full, services: .on),
      sequence: sequence)
  }

  /// Waits until `due`; `false` if that is after the end.
  private func reaches(_ due: ContinuousClock.Instant) async -> Bool {
    guard max(due, .now) < end, !Task.isCancelled else { return false }
    if due > .now { try? await Task.sleep(until: due) }
    return !Task.isCancelled
  }
}

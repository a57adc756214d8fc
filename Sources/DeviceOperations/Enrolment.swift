import Cryptography
import GuardRules
import OperationCore
import Postgres
import ShiftDomain
import ShiftStore

extension DeviceOperations {
  /// Exchanges a code for a device with its own token. Soon after its first use a code works once
  /// more, which revokes the first device: a page that is installed to the Home Screen does not see
  /// the token that the browser has stored. It is the same phone, so a shift that the first device
  /// tracks is tracked by the second from then on.
  /// - Throws: `.notFound` for a code that is unknown, used or expired.
  package func enrol(code: String, _ device: NewDevice, receipt: Receipt)
    async throws(OperationError) -> Enrolment
  {
    guard let typed = TypedCode(code) else { throw .notFound("enrolment code") }
    let secret = randomBytes(DeviceToken.secretBytes)
    let new = DeviceToInsert(
      platform: device.platform, osVersion: device.osVersion, model: device.model,
      canReport: device.canReport, tokenHash: sha256(secret), language: device.language?.code)
    let enrolled: Enrolment = try await core.transact { (session) throws(PostgresError) in
      // Checked before anything is written, so that guessing leaves no trace.
      let use = try enrolmentCodeUse(
        hash: typed.hash, of: typed.employee, now: receipt.at, on: &session)
      switch use {
      case .unused:
        guard let id = try add(new, to: typed.employee, on: &session),
          try useEnrolmentCode(hash: typed.hash, for: id, now: receipt.at, on: &session)
        else { return .refused(.notFound("enrolment code")) }
        return .done(try enrolment(of: id, secret, on: &session))
      // Used by this very request, if the answer to the first COMMIT was lost.
      case .used(let user) where user.tokenHash == new.tokenHash:
        return .done(
          try enrolment(of: user.device, secret, replacing: user.replaced, on: &session))
      case .used(let first) where first.mayBeReplaced:
        guard let id = try add(new, to: typed.employee, on: &session),
          try useEnrolmentCodeAgain(
            hash: typed.hash, for: id, replacing: first.device, on: &session)
        else { return .refused(.notFound("enrolment code")) }
        try session.execute(revoke(first.device, at: receipt.at))
        let queued = try takeOver(from: first.device, on: id, at: receipt.at, on: &session)
        return .done(
          try enrolment(of: id, secret, replacing: first.device, on: &session),
          queued: queued, at: receipt.at)
      case .used, nil: return .refused(.notFound("enrolment code"))
      }
    }
    return enrolled
  }

  /// Lets `device` track the open shift that `replaced` tracks, and answers what is notified.
  private func takeOver(
    from replaced: DeviceID, on device: DeviceID, at: Instant, on session: inout Session
  ) throws(PostgresError) -> [ShiftNotification] {
    guard let employee = try gather(device.employee, on: &session),
      employee.openShift(at: at)?.device == replaced.number
    else { return [] }
    let event = GuardEvent.takeOver(device: device.number, at: at, nil)
    let commit = GuardCommit(
      before: employee, step: step(employee.state, event, policy: employee.policy, now: at),
      now: at)
    guard try commit.claim(on: &session) else { throw .lost }
    try session.pipeline(commit.statements)
    return commit.step.notifications
  }

  private func enrolment(
    of device: DeviceID, _ secret: [UInt8], replacing replaced: DeviceID? = nil,
    on session: inout Session
  ) throws(PostgresError) -> Enrolment {
    Enrolment(
      device: device, employeeSince: try creation(of: device.employee, on: &session),
      token: DeviceToken.text(of: device, secret: secret),
      replaced: replaced, privacyNotice: try newestPrivacyNotice(on: &session))
  }
}

/// The employee's number and the sixteen characters of the code, as typed, with any separators or
/// none, or as a link that ends with them.
private struct TypedCode {
  let employee: EmployeeID
  let hash: [UInt8]

  init?(_ text: String) {
    let typed = (text.split(separator: "#").last ?? "").filter {
      $0.isASCII && ($0.isLetter || $0.isNumber)
    }
    guard let number = Int32(typed.dropLast(16)), number > 0,
      let code = EnrolmentCode(typed: String(typed.suffix(16)))
    else { return nil }
    employee = EmployeeID(number)
    hash = code.hash
  }
}

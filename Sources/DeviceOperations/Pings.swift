import GuardRules
import IngestPipeline
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension DeviceOperations {
  /// Rejects an upload of pings, before any work is spent on it, if too many are already waiting.
  /// The contact still counts if this instance knows the phone's token from an earlier upload, so
  /// that an overload does not look like the phone's silence.
  package func rejectIfOverloaded(for credential: DeviceCredential, receipt: Receipt)
    throws(OperationError)
  {
    if isOverloaded { throw reject(credential, receipt) }
  }

  /// Whether uploads of pings are rejected, because too many are already waiting.
  package var isOverloaded: Bool { pings.isFull }

  /// Throws for a device that is unknown or revoked, before a long body is read. Known from an
  /// earlier upload is enough: who stores the body checks the token again.
  package func authorizeLongBody(of credential: DeviceCredential) async throws(OperationError) {
    if pings.knows(credential.device, tokenHash: credential.secretHash) { return }
    try await authorize(credential)
  }

  private func reject(_ credential: DeviceCredential, _ receipt: Receipt) -> OperationError {
    if pings.knows(credential.device, tokenHash: credential.secretHash) {
      lastSeen.note(Pulse(of: credential, receivedAt: receipt.at))
    }
    return .unavailable(detail: "too many pings are waiting to be stored")
  }

  /// Stores an upload's pings, in one transaction with those of others. Positions are stored only
  /// within a shift; others are refused.
  /// - Parameters:
  ///   - pings: Up to 1,000 of them.
  ///   - installation: The id of the app's installation; `nil`: the enrolment counts as the
  ///     installation.
  package func ping(
    _ pings: [IncomingPing], sentAt: Instant?, installation: String? = nil,
    from credential: DeviceCredential, receipt: Receipt
  ) async throws(OperationError) -> PingReceipt {
    let sent = SentPings(
      pings.map { $0.dated(sentAt: sentAt, receivedAt: receipt.at) }, sentAt: sentAt,
      from: credential, receipt: receipt)
    let result: Result<PingReceipt, IngestError>
    do throws(IngestError) { result = .success(try await self.pings.store(sent.upload)) } catch {
      result = .failure(error)
    }
    let received = try outcome(of: sent, result)
    if let installation, installation != received.installation {
      try await register(installation, of: credential.device)
    }
    return received
  }

  /// The same for an app that sends no installation, without a task that waits.
  /// - Parameter done: Gets the result once, on any thread, and must give it to `outcome`.
  /// - Returns: `false`: nothing was done, because too many pings are waiting; then `done` is not
  ///   called.
  package func ping(
    _ sent: SentPings, done: @escaping @Sendable (Result<PingReceipt, IngestError>) -> Void
  ) -> Bool { pings.store(sent.upload, done: done) }

  /// What follows once the pipeline has answered.
  package func outcome(
    of sent: SentPings, _ result: Result<PingReceipt, IngestError>
  ) throws(OperationError) -> PingReceipt {
    var received: PingReceipt
    switch result {
    case .success(let receipt): received = receipt
    case .failure(.unauthorized): throw .unauthorized
    case .failure(.overloaded): throw reject(sent.credential, sent.receipt)
    case .failure(.failed(let error)): throw OperationError(error)
    }
    if !received.stored.isEmpty { availability.noteSuccess() }
    // Only committed pings are rolled up.
    for span in received.stored { dirtyShifts.note(span) }
    lastSeen.note(sent.upload.pulse(received))
    received.advice.clock = sent.clock
    return received
  }
}

/// An upload on its way to the pipeline.
package struct SentPings: Sendable {
  package let credential: DeviceCredential
  package let receipt: Receipt
  private let sentAt: Instant?
  /// With server times.
  private let pings: [Ping]

  fileprivate init(
    _ pings: [Ping], sentAt: Instant?, from credential: DeviceCredential, receipt: Receipt
  ) {
    (self.credential, self.receipt) = (credential, receipt)
    (self.sentAt, self.pings) = (sentAt, pings)
  }

  /// A single ping.
  package init(
    _ ping: IncomingPing, sentAt: Instant?, from credential: DeviceCredential, receipt: Receipt
  ) {
    self.init(
      [ping.dated(sentAt: sentAt, receivedAt: receipt.at)], sentAt: sentAt, from: credential,
      receipt: receipt)
  }

  fileprivate var upload: DevicePings {
    DevicePings(
      device: credential.device, tokenHash: credential.secretHash, storeApp: credential.storeApp,
      pings: pings, receivedAt: receipt.at)
  }

  /// The phone's clock, if it is wrong.
  fileprivate var clock: DeviceClock? {
    DeviceClock(latest: pings.lazy.map(\.recordedAt).max(), sentAt: sentAt, receivedAt: receipt.at)
  }
}

extension DeviceOperations {
  /// Registers an installation that sends pings first. Only pings from an installation that is not
  /// the device's newest need this query.
  private func register(_ installation: String, of device: DeviceID) async throws(OperationError) {
    let isKnown = try await core.read { (session) throws(PostgresError) in
      try installationNumber(of: installation, on: device, &session) != nil
    }
    guard !isKnown else { return }
    let _: Bool = try await core.transact { (session) throws(PostgresError) in
      // A concurrent upload of the same installation waits here and then finds it.
      guard try bumpVersion(of: device.employee, on: &session),
        let record = try deviceRecords(of: [device], on: &session).first
      else { return .refused(.unauthorized) }
      let statements = try Installation(installation, of: record, on: &session).statements
      if !statements.isEmpty { try session.pipeline(statements) }
      return .done(true)
    }
  }
}

extension DevicePings {
  /// The contact that the upload proves. The time of a fix is a sign of life, stored or refused;
  /// positions and rests count at the time at which their shift counts them.
  fileprivate func pulse(_ received: PingReceipt) -> Pulse {
    var pulse = Pulse(device: device, tokenHash: tokenHash, receivedAt: receivedAt)
    if zip(pings, pings.dropFirst()).allSatisfy({ $0.effectiveAt <= $1.effectiveAt }) {
      for place in pings.indices { merge(place, of: received, into: &pulse) }
    } else {
      let inOrder = pings.indices.sorted { pings[$0].effectiveAt < pings[$1].effectiveAt }
      for place in inOrder { merge(place, of: received, into: &pulse) }
    }
    return pulse
  }

  private func merge(_ place: Int, of received: PingReceipt, into pulse: inout Pulse) {
    let result = received.results[place]
    let isCounted = result == .stored || result == .duplicate
    let ping = isCounted ? received.placed[place] : pings[place]
    guard isCounted || ping.fix != nil else { return }
    let at = min(ping.effectiveAt, receivedAt)
    let provesPosition = ping.fix == nil || !ping.isMock && !ping.isCoarse
    let rest = provesPosition ? ping.restsUntil : nil
    let sign = Pulse.Sign(
      at: at, restAt: rest ?? (ping.isStationary ? at : nil), isHidden: ping.isHidden,
      isRepeated: result == .duplicate)
    pulse.merge(
      fixAt: ping.fix == nil ? nil : at, positionAt: isCounted && ping.fix != nil ? at : nil,
      sign: isCounted ? sign : nil)
  }
}

extension IncomingPing {
  /// Its time by the server's clock.
  func time(sentAt: Instant?, receivedAt: Instant) -> EffectiveTime {
    let messageAt = sentAt ?? writtenAt ?? receivedAt
    return effectiveTime(
      recordedAt: fix == nil ? recordedAt : recordedAt.withoutWeekRollover(writtenAt: messageAt),
      sentAt: sentAt, receivedAt: receivedAt)
  }

  func dated(sentAt: Instant?, receivedAt: Instant) -> Ping {
    let time = time(sentAt: sentAt, receivedAt: receivedAt)
    let isMoving = fix?.isMoving ?? false
    return Ping(
      recordedAt: recordedAt, effectiveAt: time.instant, fix: fix,
      isStationary: isStationary && !isMoving, isMock: isMock, isHidden: isHidden,
      restsUntil: isMoving
        ? nil
        : rest.map { rest in
          // A time in the future has no age: what counts is how far ahead it is.
          guard let until = rest.until else { return Instant(milliseconds: .max) }
          return sentAt.map { receivedAt + (until - $0) } ?? until
        }, batteryPercent: batteryPercent)
  }
}

import HTTPSending
import PhoneSimulation
import ShiftDomain

/// A load of many phones on one server.
package struct Load: Sendable {
  private let shape: LoadShape
  private let phones: [EnrolledPhone]
  private let server: String
  private let patience: TimeSpan
  private let sender: HTTPSender
  private let tally = SharedTally()

  /// - Parameters:
  ///   - phones: At least one; each works alone and in order.
  ///   - server: Such as `http://127.0.0.1:8080`, without a path.
  ///   - patience: How long after the end unanswered requests are retried.
  package init(_ shape: LoadShape, phones: [EnrolledPhone], server: String, patience: TimeSpan) {
    precondition(!phones.isEmpty, "at least one phone")
    self.shape = shape
    self.phones = phones
    self.server = server
    self.patience = patience
    // A phone has at most one upload and one report in flight.
    sender = HTTPSender(connectionsMax: 2 * phones.count)
  }

  /// The results of all phones so far.
  package var progress: LoadTally { tally.now }

  /// Runs all phones to the end.
  /// - Returns: A record for each phone that could clock in.
  package func run() async -> [PhoneRecord] {
    let end = ContinuousClock.now + shape.span.duration
    let client = LoadClient(
      server: server, sender: sender, tally: tally, patienceEnd: end + patience.duration)
    return await withTaskGroup(of: PhoneRecord?.self) { group in
      for (number, phone) in phones.enumerated() {
        let worker = LoadPhone(
          phone: phone, client: client, uploads: UploadPlan(shape, phone: number, of: phones.count),
          reports: ReportPlan(shape, phone: number, of: phones.count), end: end)
        group.addTask { await worker.work() }
      }
      return await group.reduce(into: []) { records, record in
        if let record { records.append(record) }
      }
    }
  }
}

/// The outcome of a load: the results of the phones and the comparison with the database.
package struct LoadOutcome: Sendable {
  /// The results of the phones.
  package var tally: LoadTally
  /// The number of phones.
  package var phones: Int
  /// The number of phones that could clock in.
  package var working: Int
  /// Time from the first request to the last response.
  package var time: Duration
  /// Differences from the database; `nil` if not compared.
  package var discrepancies: Discrepancies?

  /// Creates an outcome.
  package init(
    tally: LoadTally, phones: Int, working: Int, time: Duration, discrepancies: Discrepancies?
  ) {
    self.tally = tally
    self.phones = phones
    self.working = working
    self.time = time
    self.discrepancies = discrepancies
  }

  /// Whether all phones could clock in, all responses were expected, and, if compared, the database
  /// has every acknowledged record once.
  package var isGood: Bool {
    working == phones && tally.unexpected.isEmpty && discrepancies?.isEmpty ?? true
  }
}

internal import HTTPSending
public import ShiftDomain

/// Many phones against one server.
public struct Load: Sendable {
  private let shape: LoadShape
  private let phones: [EnrolledPhone]
  private let server: String
  private let patience: TimeSpan
  private let sender: HTTPSender
  private let tally = SharedTally()

  /// - Parameters:
  ///   - phones: At least one; each works alone and in order.
  ///   - server: Such as `http://127.0.0.1:8080`, without a path.
  ///   - patience: How long after the end unanswered requests are sent again.
  public init(_ shape: LoadShape, phones: [EnrolledPhone], server: String, patience: TimeSpan) {
    precondition(!phones.isEmpty, "at least one phone")
    self.shape = shape
    self.phones = phones
    self.server = server
    self.patience = patience
    // A phone has at most an upload and a report under way.
    sender = HTTPSender(connectionsMax: 2 * phones.count)
  }

  /// What all phones have seen so far.
  public var progress: LoadTally { tally.now }

  /// Lets all phones work to the end.
  /// - Returns: One record for each phone that could clock in.
  public func run() async -> [PhoneRecord] {
    let end = ContinuousClock.now + shape.span.duration
    let door = LoadDoor(
      server: server, sender: sender, tally: tally, patienceEnd: end + patience.duration)
    return await withTaskGroup(of: PhoneRecord?.self) { group in
      for (number, phone) in phones.enumerated() {
        let worker = LoadPhone(
          phone: phone, door: door, uploads: UploadPlan(shape, phone: number, of: phones.count),
          reports: ReportPlan(shape, phone: number, of: phones.count), end: end)
        group.addTask { await worker.work() }
      }
      return await group.reduce(into: []) { records, record in
        if let record { records.append(record) }
      }
    }
  }
}

/// How a load went: what phones saw, and what the database says to it.
public struct LoadOutcome: Sendable {
  /// What phones saw.
  public var tally: LoadTally
  /// How many phones there were.
  public var phones: Int
  /// How many could clock in.
  public var working: Int
  /// From the first request to the last answer.
  public var time: Duration
  /// `nil`: nobody looked.
  public var discrepancies: Discrepancies?

  /// What came of a load.
  public init(
    tally: LoadTally, phones: Int, working: Int, time: Duration, discrepancies: Discrepancies?
  ) {
    self.tally = tally
    self.phones = phones
    self.working = working
    self.time = time
    self.discrepancies = discrepancies
  }

  /// Whether every phone could work, every answer was one of the expected, and everything that was
  /// acknowledged is there once, as far as somebody looked.
  public var isGood: Bool {
    working == phones && tally.unexpected.isEmpty && discrepancies?.isEmpty ?? true
  }
}

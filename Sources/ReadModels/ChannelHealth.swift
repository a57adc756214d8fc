import ShiftDomain

/// What the delivery attempts of the last seven days say about one way to deliver.
package struct ChannelHealth: Hashable, Sendable {
  package struct Failure: Hashable, Sendable {
    package var at: Instant
    package var outcome: DeliveryOutcome
    /// Safe to show.
    package var reason: String?

    package init(at: Instant, outcome: DeliveryOutcome, reason: String?) {
      (self.at, self.outcome, self.reason) = (at, outcome, reason)
    }
  }

  /// `nil`: the open app.
  package var channel: Channel?
  /// `nil`: this process does not know.
  package var isSetUp: Bool?
  /// When the last accepted attempt began.
  package var lastSuccessAt: Instant?
  package var lastFailure: Failure?
  /// Notifications in the outbox whose last attempt, by this channel, has failed.
  package var waiting: Int64 = 0
  /// When the oldest of them was queued.
  package var waitingSince: Instant?
  /// Dead letters whose last attempt was by this channel.
  package var deadLetters: [DeadLetterCause] = []

  package init(_ channel: Channel?) { self.channel = channel }

  /// Its code in JSON.
  package var code: String { channel?.code ?? EscalationStep.inApp.code }
}

/// Why notifications became dead letters, and how many.
package struct DeadLetterCause: Hashable, Sendable {
  /// Safe to show.
  package var reason: String
  package var count: Int

  package init(reason: String, count: Int) { (self.reason, self.count) = (reason, count) }
}

/// The health of all channels, and of the outbox before them.
package struct DeliveryHealth: Hashable, Sendable {
  package var load: OutboxLoad
  /// When the oldest pending notification was queued; `nil`: none is.
  package var waitingSince: Instant?
  /// The open app and every channel.
  package var channels: [ChannelHealth]
  /// Dead letters that no channel was tried for.
  package var deadLettersWithoutAttempt: [DeadLetterCause]

  package init(
    load: OutboxLoad, waitingSince: Instant?, channels: [ChannelHealth],
    deadLettersWithoutAttempt: [DeadLetterCause]
  ) {
    (self.load, self.waitingSince) = (load, waitingSince)
    (self.channels, self.deadLettersWithoutAttempt) = (channels, deadLettersWithoutAttempt)
  }
}

/// Where the channels are set up, and what is set. Holds no secret.
package struct ChannelSetup: Hashable, Sendable {
  /// The file of channels; `nil`: none is named.
  package var file: String?
  /// Where that file is named: the command line, a variable, or a file and its line.
  package var namedBy: String?
  /// Of the channels that can be used.
  package var details: [Channel: String]

  package init(file: String?, namedBy: String?, details: [Channel: String]) {
    (self.file, self.namedBy, self.details) = (file, namedBy, details)
  }
}

/// What became of a test e-mail that was sent at once.
package enum TestMailResult: Hashable, Sendable {
  /// The mail server accepted it.
  case accepted
  /// Safe to show.
  case failed(reason: String)
}

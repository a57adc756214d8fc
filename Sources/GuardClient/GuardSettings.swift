public import ShiftDomain

/// What an app decides when it starts a session.
public struct GuardSettings: Sendable {
  /// An existing folder of the app's own, which no backup copies to another phone.
  public var folder: String
  public var phone: PhoneDescription
  /// What decides what a clock-in shows until the server has sent the team's rules.
  public var policy: Policy
  /// For `Accept-Language`, such as `de`; `nil`: what the phone asked for last.
  public var language: String?
  /// The most that the queue may have on disk; at least 1 KiB. 8 MiB are some 100,000 positions.
  public var queueBytesMax: Int
  /// How long quick changes of the permission are collected; 0…3 s.
  public var debounce: TimeSpan

  public init(
    folder: String, phone: PhoneDescription, policy: Policy, language: String? = nil,
    queueBytesMax: Int = 8_388_608, debounce: TimeSpan = .seconds(1)
  ) {
    self.folder = folder
    self.phone = phone
    self.policy = policy
    self.language = language
    self.queueBytesMax = queueBytesMax
    self.debounce = debounce
  }
}

/// What an enrolment gave.
public struct Enrolment: Hashable, Sendable {
  public let employee: Int64
  public let device: Int64
  /// To be shown before anything else; `nil` if there is none.
  public let privacyNotice: String?
  /// Records of an earlier enrolment that had not been sent, and were removed.
  public let discarded: Int
}

public enum EnrolmentError: Error, Hashable, Sendable {
  /// No answer: the code may be used already, but works once more within ten minutes.
  case noResponse
  /// `enrolment_code_unknown` and others; `nil` if the answer was not the server's.
  case refused(code: String?)
  /// The queue of the earlier enrolment could not be emptied, so the token was not stored. The code
  /// works once more within ten minutes.
  case disk(DiskQueueError)
}

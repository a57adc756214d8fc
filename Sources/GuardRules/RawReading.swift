public import ShiftDomain

// What platforms and client libraries say of the permission, in our words. Libraries lie in known
// ways; a file for each says how. What nobody knows is `unknown`: never a grant, never a denial.

/// How far raw values can be relied on; the higher, the less.
public enum RawQuality: UInt8, Coded {
  /// They say one thing.
  case clear = 0
  /// What would decide was not sent, or the library cannot tell. Taken is at most what is certain:
  /// of *Always* or while in use, the lesser.
  case incomplete = 1
  /// One is a word or a number that nobody knows, or not of its type.
  case unknownValue = 2
  /// They cannot all be true.
  case contradictory = 3

  /// Its word in metrics.
  public var code: String {
    switch self {
    case .clear: "clear"
    case .incomplete: "incomplete"
    case .unknownValue: "unknown_value"
    case .contradictory: "contradictory"
    }
  }
}

/// One field of the raw values that an app sent.
public enum RawField<Value: Hashable & Sendable>: Hashable, Sendable {
  /// Not sent.
  case absent
  /// Sent and understood.
  case told(Value)
  /// Sent, but a word or number that nobody knows, or of another type.
  case unreadable

  /// A value that was told, or `absent` for `nil`.
  public init(_ value: Value?) {
    if let value { self = .told(value) } else { self = .absent }
  }

  /// The value, if one was told and understood.
  public var value: Value? {
    if case .told(let value) = self { value } else { nil }
  }

  /// Whether something was sent that nobody can read.
  public var isUnreadable: Bool {
    if case .unreadable = self { true } else { false }
  }

  /// The same in other words; a value without one in them is unreadable.
  func translated<Other>(_ word: (Value) -> Other?) -> RawField<Other> {
    switch self {
    case .absent: return .absent
    case .unreadable: return .unreadable
    case .told(let value):
      guard let other = word(value) else { return .unreadable }
      return .told(other)
    }
  }

  /// What two fields say that tell of the same; `nil` when they differ.
  func agreeing(with other: RawField) -> RawField? {
    switch (self, other) {
    case (.absent, let one), (let one, .absent): one
    case (.unreadable, _), (_, .unreadable): .unreadable
    case (.told(let one), .told(let two)): one == two ? self : nil
    }
  }
}

/// Raw values in our words.
public struct RawReading: Hashable, Sendable {
  /// What they say of the permission; of the device's other conditions they say nothing.
  public private(set) var state: PermissionState
  /// How far that can be relied on.
  public private(set) var quality: RawQuality

  init(
    _ authorization: Authorization, _ grantPath: GrantPath = .unknown,
    quality: RawQuality = .clear
  ) {
    state = PermissionState(authorization: authorization, grantPath: grantPath)
    self.quality = quality
  }

  /// What the field that decides was found to say.
  init(_ reading: RawField<RawReading>) {
    switch reading {
    case .absent: self = .incomplete
    case .unreadable: self = .unknownValue
    case .told(let reading): self = reading
    }
  }

  /// Too little was sent to say anything.
  static var incomplete: RawReading { RawReading(.unknown, quality: .incomplete) }
  /// What would decide is a value that nobody knows.
  static var unknownValue: RawReading { RawReading(.unknown, quality: .unknownValue) }
  /// What was sent cannot all be true.
  static var contradictory: RawReading { RawReading(.unknown, quality: .contradictory) }

  /// Whether the app has a permission.
  var isGrant: Bool { state.authorization == .always || state.authorization == .whenInUse }

  /// With the accuracy, which is told only where there is a grant for it to apply to.
  func adding(accuracy: RawField<LocationAccuracy>) -> RawReading {
    var reading = noting(accuracy)
    if isGrant { reading.state.accuracy = accuracy.value ?? .unknown }
    return reading
  }

  /// With the device's location switch.
  func adding(services: RawField<Bool>) -> RawReading {
    var reading = noting(services)
    reading.state.services = Switch(services.value)
    return reading
  }

  /// At best of `quality`.
  func limited(to quality: RawQuality) -> RawReading {
    var reading = self
    if quality.rawValue > reading.quality.rawValue { reading.quality = quality }
    return reading
  }

  /// What this and `other` both say, when it is open which of them applies.
  func common(with other: RawReading) -> RawReading {
    if self == other { return self }
    var reading = self
    if state != other.state {
      reading.state = PermissionState(
        authorization: .unknown,
        services: state.services == other.state.services ? state.services : .unknown)
    }
    if other.quality.rawValue < quality.rawValue { reading.quality = other.quality }
    return reading.limited(to: .incomplete)
  }

  /// A field beside those that decide: when nobody can read it, that counts, but changes nothing.
  func noting<Value>(_ field: RawField<Value>) -> RawReading {
    field.isUnreadable ? limited(to: .unknownValue) : self
  }
}

extension Switch {
  /// On, off, or unknown for `nil`.
  public init(_ isOn: Bool?) {
    switch isOn {
    case true?: self = .on
    case false?: self = .off
    case nil: self = .unknown
    }
  }
}

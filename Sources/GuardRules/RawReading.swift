public import ShiftDomain

// The permission values of platforms and client libraries, in our own codes. Libraries are wrong in
// known ways; a file for each describes them. Unknown values are `unknown`: never a grant, never a
// denial.

/// How reliable raw values are; the higher, the less.
public enum RawQuality: UInt8, Coded {
  /// They are consistent and complete.
  case clear = 0
  /// The deciding value was not sent, or the library does not know it. At most the certain part
  /// counts: of *Always* or while in use, the lesser.
  case incomplete = 1
  /// A value is unknown, or not of its type.
  case unknownValue = 2
  case contradictory = 3

  public var code: String {
    switch self {
    case .clear: "clear"
    case .incomplete: "incomplete"
    case .unknownValue: "unknown_value"
    case .contradictory: "contradictory"
    }
  }
}

public enum RawField<Value: Hashable & Sendable>: Hashable, Sendable {
  case absent
  case given(Value)
  /// Sent, but with an unknown value or another type.
  case unreadable

  public init(_ value: Value?) {
    if let value { self = .given(value) } else { self = .absent }
  }

  public var value: Value? {
    if case .given(let value) = self { value } else { nil }
  }

  public var isUnreadable: Bool {
    if case .unreadable = self { true } else { false }
  }

  /// The same in other codes; a value without an equivalent is unreadable.
  func translated<Other>(_ word: (Value) -> Other?) -> RawField<Other> {
    switch self {
    case .absent: return .absent
    case .unreadable: return .unreadable
    case .given(let value):
      guard let other = word(value) else { return .unreadable }
      return .given(other)
    }
  }

  /// The common value of two fields with the same meaning; `nil` if they differ.
  func agreeing(with other: RawField) -> RawField? {
    switch (self, other) {
    case (.absent, let one), (let one, .absent): one
    case (.unreadable, _), (_, .unreadable): .unreadable
    case (.given(let one), .given(let two)): one == two ? self : nil
    }
  }
}

public struct RawReading: Hashable, Sendable {
  /// The permission; the device's other conditions stay unknown.
  public private(set) var state: PermissionState
  public private(set) var quality: RawQuality

  init(
    _ authorization: Authorization, _ grantPath: GrantPath = .unknown,
    quality: RawQuality = .clear
  ) {
    state = PermissionState(authorization: authorization, grantPath: grantPath)
    self.quality = quality
  }

  /// From the deciding field.
  init(_ reading: RawField<RawReading>) {
    switch reading {
    case .absent: self = .incomplete
    case .unreadable: self = .unknownValue
    case .given(let reading): self = reading
    }
  }

  static var incomplete: RawReading { RawReading(.unknown, quality: .incomplete) }
  static var unknownValue: RawReading { RawReading(.unknown, quality: .unknownValue) }
  static var contradictory: RawReading { RawReading(.unknown, quality: .contradictory) }

  var isGrant: Bool { state.authorization == .always || state.authorization == .whenInUse }

  /// With the accuracy, which has a meaning only with a grant.
  func adding(accuracy: RawField<LocationAccuracy>) -> RawReading {
    var reading = noting(accuracy)
    if isGrant { reading.state.accuracy = accuracy.value ?? .unknown }
    return reading
  }

  func adding(services: RawField<Bool>) -> RawReading {
    var reading = noting(services)
    reading.state.services = Switch(services.value)
    return reading
  }

  /// With `quality` as the best possible.
  func limited(to quality: RawQuality) -> RawReading {
    var reading = self
    if quality.rawValue > reading.quality.rawValue { reading.quality = quality }
    return reading
  }

  /// The common part of this and `other`, if it is open which of them applies.
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

  /// A field that does not decide: if unreadable, it only lowers the quality.
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

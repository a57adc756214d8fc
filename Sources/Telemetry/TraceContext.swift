internal import Synchronization

/// The names of a request in log lines, in its response and in other programs.
/// - Source: W3C Trace Context, level 2.
public struct TraceContext: Hashable, Sendable {
  /// Shared by everything that one event caused, in whatever program; never zero.
  public let traceID: UInt128
  /// Of this request alone; never zero.
  public let spanID: UInt64
  /// Of what caused this request in another program; `nil`: the trace begins here.
  public let parentID: UInt64?
  /// Whether the trace is recorded somewhere, as its beginner decided.
  public let isSampled: Bool

  /// Of the request whose task this is; `nil` outside of requests.
  @TaskLocal public static var current: TraceContext?

  /// Continues the trace that `traceparent` names; begins one if it names none or is invalid.
  public init(continuing traceparent: String? = nil) {
    if let caller = traceparent.flatMap(Self.parse) {
      (traceID, parentID, isSampled) = caller
    } else {
      traceID = max(1, UInt128(Self.nextID()) << 64 | UInt128(Self.nextID()))
      (parentID, isSampled) = (nil, false)
    }
    spanID = max(1, Self.nextID())
  }

  /// The value of the response header `traceresponse`: `00-<trace id>-<span id>-<flags>`.
  public var header: String {
    "00-\(traceText)-\(spanText)-\(isSampled ? "01" : "00")"
  }

  /// 32 hexadecimal digits.
  public var traceText: String {
    hexadecimal(UInt64(truncatingIfNeeded: traceID >> 64))
      + hexadecimal(UInt64(truncatingIfNeeded: traceID))
  }

  /// 16 hexadecimal digits.
  public var spanText: String { hexadecimal(spanID) }

  /// 16 hexadecimal digits; `nil`: the trace begins here.
  public var parentText: String? { parentID.map(hexadecimal) }

  // Ids need to be unique, not secret: a counter from a random start, its bits mixed, costs a
  // hundredth of asking the kernel.
  private static let count = Atomic<UInt64>(.random(in: 0 ... .max))

  /// - Source: SplitMix64 (Steele, Lea and Flood, 2014).
  private static func nextID() -> UInt64 {
    var id = count.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
    id = (id ^ (id >> 30)) &* 0xBF58_476D_1CE4_E5B9
    id = (id ^ (id >> 27)) &* 0x94D0_49BB_1331_11EB
    return id ^ (id >> 31)
  }

  /// `00-<32 digits>-<16 digits>-<2 digits>`, in lower case; later versions may have more after it.
  private static func parse(
    _ text: String
  ) -> (traceID: UInt128, parentID: UInt64?, isSampled: Bool)? {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count >= 4, let version = number(parts[0], digits: 2), version != 0xFF,
      version > 0 || parts.count == 4, let traceID = number(parts[1], digits: 32), traceID != 0,
      let parentID = number(parts[2], digits: 16), parentID != 0,
      let flags = number(parts[3], digits: 2)
    else { return nil }
    return (traceID, UInt64(parentID), flags & 1 == 1)
  }

  private static func number(_ text: Substring.UTF8View, digits: Int) -> UInt128? {
    guard text.count == digits else { return nil }
    var number: UInt128 = 0
    for byte in text {
      guard let digit = hexadecimalDigits.firstIndex(of: byte) else { return nil }
      number = number << 4 | UInt128(digit)
    }
    return number
  }
}

private let hexadecimalDigits = Array("0123456789abcdef".utf8)

/// 16 digits.
private func hexadecimal(_ number: UInt64) -> String {
  let text = stride(from: 60, through: 0, by: -4).map { hexadecimalDigits[Int(number >> $0 & 15)] }
  return String(decoding: text, as: UTF8.self)
}

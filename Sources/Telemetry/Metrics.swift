internal import Lifecycle

/// The metrics of a program, for Prometheus. Get an instrument once and keep it: getting takes a
/// lock. Names and labels are fixed in the source: user input would let memory grow without bound.
public final class Metrics: Sendable {
  public typealias Labels = KeyValuePairs<String, String>

  private enum Instrument: Sendable {
    case counter(Counter)
    case gauge(Gauge)
    case reading(@Sendable () -> Double)
    case histogram(Histogram)
  }

  private struct Family: Sendable {
    var help: String
    var kind: String
    var instruments: [String: Instrument] = [:]
  }

  private let families = Lock<[String: Family]>([:])

  public init() {}

  /// The counter with this name and labels; by convention the name ends in `_total`.
  public func counter(_ name: String, _ help: String, _ labels: Labels = [:]) -> Counter {
    let made = Instrument.counter(Counter())
    guard case .counter(let counter) = register(made, "counter", name, help, labels) else {
      preconditionFailure("\(name) is not a counter")
    }
    return counter
  }

  /// Registers a counter whose value `read` returns when metrics are rendered; `read` must not
  /// block.
  public func counter(_ name: String, _ help: String, read: @escaping @Sendable () -> Double) {
    _ = register(.reading(read), "counter", name, help, [:])
  }

  public func gauge(_ name: String, _ help: String, _ labels: Labels = [:]) -> Gauge {
    guard case .gauge(let gauge) = register(.gauge(Gauge()), "gauge", name, help, labels) else {
      preconditionFailure("\(name) is not a gauge that is set")
    }
    return gauge
  }

  /// Registers a gauge whose value `read` returns when metrics are rendered; `read` must not block.
  public func gauge(
    _ name: String, _ help: String, _ labels: Labels = [:],
    read: @escaping @Sendable () -> Double
  ) {
    _ = register(.reading(read), "gauge", name, help, labels)
  }

  /// The name ends with the unit, as in `_seconds`. Only the `bounds` of the first call count.
  public func histogram(
    _ name: String, _ help: String, _ labels: Labels = [:], bounds: [Double] = Histogram.seconds
  ) -> Histogram {
    let made = Instrument.histogram(Histogram(bounds: bounds))
    guard case .histogram(let histogram) = register(made, "histogram", name, help, labels) else {
      preconditionFailure("\(name) is not a histogram")
    }
    return histogram
  }

  /// All instruments in Prometheus' text format 0.0.4, sorted by name and labels.
  public func render() -> String {
    var text = ""
    // Readings run outside the lock: one of them may get an instrument.
    for (name, family) in families.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      text +=
        "# HELP \(name) \(escaped(family.help, quote: false))\n# TYPE \(name) \(family.kind)\n"
      for (labels, instrument) in family.instruments.sorted(by: { $0.key < $1.key }) {
        text += lines(name, labels, instrument)
      }
    }
    return text
  }

  private func register(
    _ instrument: Instrument, _ kind: String, _ name: String, _ help: String, _ labels: Labels
  ) -> Instrument {
    precondition(isName(name) && labels.allSatisfy { isName($0.key) }, "odd metric name \(name)")
    let key = labels.map { "\($0.key)=\"\(escaped($0.value, quote: true))\"" }
      .joined(separator: ",")
    return families.withLock { families in
      var family = families[name] ?? Family(help: help, kind: kind)
      precondition(family.kind == kind, "\(name) is registered as \(family.kind)")
      if let known = family.instruments[key] { return known }
      family.instruments[key] = instrument
      families[name] = family
      return instrument
    }
  }

  private func lines(_ name: String, _ labels: String, _ instrument: Instrument) -> String {
    let suffix = labels.isEmpty ? "" : "{\(labels)}"
    switch instrument {
    case .counter(let counter): return "\(name)\(suffix) \(counter.value)\n"
    case .gauge(let gauge): return "\(name)\(suffix) \(number(gauge.value))\n"
    case .reading(let read): return "\(name)\(suffix) \(number(read()))\n"
    case .histogram(let histogram):
      let counts = histogram.counts
      let comma = labels.isEmpty ? "" : ","
      var total: UInt64 = 0
      var text = ""
      for (bucket, bound) in zip(counts.buckets, histogram.bounds + [.infinity]) {
        total += bucket
        text += "\(name)_bucket{\(labels)\(comma)le=\"\(number(bound))\"} \(total)\n"
      }
      return text + "\(name)_sum\(suffix) \(number(counts.sum))\n\(name)_count\(suffix) \(total)\n"
    }
  }
}

private func number(_ value: Double) -> String {
  if value.isNaN { return "NaN" }
  if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
  return value.rounded() == value && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
}

private func isName(_ text: String) -> Bool {
  guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
  else { return false }
  return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
}

private func escaped(_ text: String, quote: Bool) -> String {
  text.reduce(into: "") { result, character in
    switch character {
    case "\\": result += "\\\\"
    case "\n", "\r\n": result += "\\n"
    case "\"" where quote: result += "\\\""
    default: result.append(character)
    }
  }
}

/// A statement and its parameters. Interpolated values are bound, never inserted into the text:
/// `"SELECT name FROM team WHERE id = \(id)"` is sent as `… id = $1`. Statements of identical text
/// and parameter types share one prepared statement per connection.
public struct SQL: ExpressibleByStringInterpolation, Sendable {
  /// What the server parses, with `$1`, `$2`, … where values were interpolated.
  public private(set) var text: String
  let parameters: ParameterBuffer

  public init(stringLiteral text: String) {
    self.text = text
    parameters = ParameterBuffer()
  }

  public init(stringInterpolation: Interpolation) {
    text = stringInterpolation.text
    parameters = stringInterpolation.parameters
  }

  /// For migrations and tests only: nothing keeps a value out of `text`.
  public init(unescaped text: String) {
    self.text = text
    parameters = ParameterBuffer()
  }

  public mutating func append(fragment: StaticString) { text += fragment.description }

  /// Opens a cursor over the rows instead of returning them, within a snapshot or a transaction.
  public func cursor(named name: StaticString) -> SQL {
    var declaration = self
    declaration.text = "DECLARE \(name) NO SCROLL CURSOR FOR " + text
    return declaration
  }

  /// Shows the plan of the statement with these values instead of running it.
  public var explained: SQL {
    var plan = self
    plan.text = "EXPLAIN (COSTS OFF) " + text
    return plan
  }

  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""
    @usableFromInline var parameters = ParameterBuffer()

    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 3 * interpolationCount)
    }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    @inlinable public mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value) {
      parameters.bind(value)
      nameParameter()
    }

    /// A parameter that may be NULL; separate, to avoid the compiler's warning about Optionals.
    @inlinable public mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
      parameters.bind(value)
      nameParameter()
    }

    /// An array of what `value` gives for each of `rows`.
    @inlinable
    public mutating func appendInterpolation<
      Row, Value: PostgresListable & PostgresEncodable
    >(_ rows: [Row], _ value: (Row) -> Value) {
      parameters.bind(rows, value)
      nameParameter()
    }

    /// Refers to the last parameter.
    @usableFromInline mutating func nameParameter() {
      text += "$"
      text += String(parameters.slots.count)
    }

    /// `= $1`, or `= ANY ($1)`.
    public mutating func appendInterpolation<Value: PostgresEncodable>(equalsAny values: [Value])
    where [Value]: PostgresEncodable {
      if values.count == 1 {
        text += "= "
        appendInterpolation(values[0])
      } else {
        text += "= ANY ("
        appendInterpolation(values)
        text += ")"
      }
    }

    /// The assignments of an UPDATE: columns known at compile time, each set to its parameter.
    public mutating func appendInterpolation<Value: PostgresEncodable>(
      assigning values: [(column: StaticString, value: Value)]
    ) {
      for (place, (column, value)) in values.enumerated() {
        text += (place == 0 ? "" : ", ") + column.description + " = "
        appendInterpolation(value)
      }
    }

    /// A time that a test fixed, or when the transaction began. Separate from the parameter: Citus
    /// evaluates `now()` itself, but not inside of COALESCE or CASE.
    public mutating func appendInterpolation<Time: PostgresEncodable>(now fixed: Time?) {
      if let fixed { appendInterpolation(fixed) } else { text += "now()" }
    }

    /// A time that a test fixed, or when the statement began.
    public mutating func appendInterpolation<Time: PostgresEncodable>(statementTime fixed: Time?) {
      if let fixed { appendInterpolation(fixed) } else { text += "statement_timestamp()" }
    }

    /// Text that several statements share, such as a list of columns; known at compile time.
    public mutating func appendInterpolation(fragment: StaticString) {
      text += fragment.description
    }
  }
}

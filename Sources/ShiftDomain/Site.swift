/// A place of work: a circle with a name.
public struct Site: Hashable, Sendable {
  /// The allowed radius in meters: no smaller than the error of an ordinary fix.
  public static let radii: ClosedRange<Int32> = 50...5_000

  /// Its number within the team, from 1.
  public var number: Int16
  public var name: String
  public var center: Coordinate
  public var radiusMeters: Int32

  public init(number: Int16, name: String, center: Coordinate, radiusMeters: Int32) {
    self.number = number
    self.name = name
    self.center = center
    self.radiusMeters = radiusMeters
  }
}

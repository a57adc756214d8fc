import HTTPAPI
import HTTPServing
import Testing

@Suite("Bearer tokens") struct BearerTokenTests {
  static let rows: [(field: String?, token: String?)] = [
    (nil, nil), ("", nil), ("Bearer", nil), ("Bearer ", nil), ("sg_7_1_x", nil),
    ("Basic sg_7_1_x", nil), ("Bearer a b", nil),
    ("Bearer sg_7_1_x", "sg_7_1_x"), ("bearer sg_7_1_x", "sg_7_1_x"),
    ("BEARER   sg_7_1_x", "sg_7_1_x"),
  ]

  @Test("are read from the header", arguments: rows)
  func reads(_ field: String?, _ token: String?) throws {
    var headers = HTTPHeaders()
    headers["authorization"] = field
    #expect(try HTTPRequest(.get, "/v1/me", headers: headers).bearerToken == token)
  }
}

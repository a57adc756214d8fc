/// Keys made for these tests, which protect nothing, and what another library computed with them.
enum SampleKeys {
  static let rsa = """
    -----BEGIN PRIVATE KEY-----
    MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCqw1w+NvOuktoZ
    DriAKwEJYAU0fUh5X5mDE4sBgbKBHm4YzTEeNnZK5hN6PbD3PybyjYePE8iOGVb+
    0AMRjq9qIc4iYhJ9uKi33saDGmXXh/4C9CQ6L/JjULj9M7DqcamhCrbzASUdy5d8
    0jrymLEVjgFhrEluUgaLJmrnsNb5hHcuHYzhYhatgHEUekQh7B/jz2cnGD3RRTja
    AA+8fehAdOAPa7xsT3C0bnNrliksd6MgfiLuQKgql7nkhLk2UsM2tzXgDxKFkxAj
    LbmqCnq/0PsfkgNsRnjm6awHxMW2G5qgh1iD38V4a8lwCFaH4ptX4FPGAmBcLhvd
    UhvwYvEpAgMBAAECggEAMl/BJWVGi3gsuHmcOcr12lMmFe7jY1KtUXqBZidhhi94
    4P4fAD+ms7+dfVEXlEhf7+uKUs3OOwUEodSxIwvJeXCRg5kUxVulAeDJBMHTyzoF
    1883pKaiRWP5vk/yX6a6GJS1lYf/8AMwJBVMaGZczvP+Olb9rnqqDYB+xuxm7mIG
    k0evIV0+zMwcKol2a78nJwYv4F7hitt476O9lAH9zb9xuMP3pPxpkXyNp9TxR6yp
    qaV3pQKFPlQpaKRR8UGfZfb/BR/+lJc+1v8Y2EiJNV8l71hKm53ECWKNaDMkfiTI
    3CsWyG3dSkryYtesq7RjXkhIlEGIyjP4LS5I/HespQKBgQDjEHSg4gFkGf2eD0b7
    zeAPyDUkIVgA8XR/snn7wVQnXoIZSB0AGcDLUDP88BdgBcueJNm9au/vmaPh/ebd
    5iCee2q9yIfFj+RqAzghXTQpLWwEyT2UURMgV0dyWwXdqNi4SpngvBJ7/endT7gc
    2kwrLsR+4aOAN6I5dA07Q2If3wKBgQDAhi+H1mBxnME+54R+bkVp5ZXoGSPNdn3L
    NubKt/e3RczOe31/427RswOqy349ychnrow9cAHCBdFMqv5GO0sK0sHy5/2vOy0u
    FiKJ/oIOR3tc7TpqNUSycW9d9cd28C3UdYXTk+Lf40xnb1NDmrDrnc/GDeh0i4DL
    0axK2avv9wKBgHSag7oGtb4pFrOvlr1CqRiRsLCAKwg49qGJDtl5G3UoNFk1Tic6
    EmaWJkxzIx3dfAYXWHXMT7DUTnOEhqVXQ1L/f/4713VeAmdqhc2kZl/rAnimu2fK
    Bq9qAre4BJgi2EAzlzfwfPGNoCZVhO/ULp9SYffieasjZrxoW08euGozAoGAVL37
    x+/dzcRw7y5bDIefOCidXmdKchLY9gz5c3ucpugraSvEJvnF+rmwQIqHy8y40KJt
    ClH2BCApa3TMrb9FncL9Kd1htbL3hRSrKVCEkKJ4M4QcNUmzLlRt787SeJDpq137
    hRDQSTo0lEbVQKmjfGKfZQ8UJdCN5akqDFxZqSsCgYEA33qn9hXpK5/dcPfseFb1
    7iG93rOAkavFBpUVDj6Td0ssyJ9VwGQI9K6O2Mm1Q0OIAQgZsc057U0eAg675zRR
    JYZnULmPEpynJMhnoUMDXUWakJkKC0luESjT3Lv8zzhjfmgoUoHtZzyeU2gCcxs6
    cZHSrTXof3S6JIVLJpQ3v0U=
    -----END PRIVATE KEY-----
    """

  /// The RS256 signature of `abc`.
  static let rsaSignature =
    "2060abcc6bb016873baddfa4fa8682cccad712ff7948d59eda2732ac45318eb8f18ceebe62b3b551"
    + "118e97aaf22eb64422a503ca850a79731b47c036ce6ca9632d819b688602febfe48e800220564bec"
    + "29d0771cf8f0aba74d8a489af2f49d0a8be5b741943042f1d6080e522b03cfa14626236c4f5203c7"
    + "ea8c9982662108478da3d832319369e3c1bacc406bcf594d2664e907b6a7454fe1b03f8edc773508"
    + "ad5b4fef915ccd4e2dd8234b78457dcf1118bc6ed3fdd75b5f88dda6b55e1c63df5953f6c9cdeec9"
    + "f2e417cb9c90726b07121e66b5db24832c8cbf63f6c5b976111f941127c5eb93ccba8143ee961b13"
    + "e62087e93dba082a9c15022d97f2a3b2"

  static let elliptic = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVIOoo2QA2drGgaSC
    bUse/LzgHGqYM6OuZoRYbaJvky+hRANCAAQqKYy+6kRqQjfICjdY3BbOw1jkE7ZH
    QOWsBtfOSb6SFOsLEtPIXnGpQckpok8uQLU8xxWb7v+k9rwp3mZdIJHS
    -----END PRIVATE KEY-----
    """

  /// The same key in the older form.
  static let ellipticInOldForm = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIFSDqKNkANnaxoGkgm1LHvy84BxqmDOjrmaEWG2ib5MvoAoGCCqGSM49
    AwEHoUQDQgAEKimMvupEakI3yAo3WNwWzsNY5BO2R0DlrAbXzkm+khTrCxLTyF5x
    qUHJKaJPLkC1PMcVm+7/pPa8Kd5mXSCR0g==
    -----END EC PRIVATE KEY-----
    """

  /// Its number and its point.
  static let ellipticNumber = "5483a8a36400d9dac681a4826d4b1efcbce01c6a9833a3ae6684586da26f932f"
  static let ellipticPoint =
    "042a298cbeea446a4237c80a3758dc16cec358e413b64740e5ac06d7ce49be92"
    + "14eb0b12d3c85e71a941c929a24f2e40b53cc7159beeffa4f6bc29de665d2091d2"

  /// A key on another curve, P-384.
  static let otherCurve = """
    -----BEGIN PRIVATE KEY-----
    MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDBrs0W4yXVj7BcRIR/o
    q971/2fpGkDlhRVdgZRQ4/8j/ihHdAfAI99sNdT/itIxDFuhZANiAARPzKrEdJka
    DAFgnhrbpzdcmkopQPnLbMB2bAxBveAetUnzNGsVI8QPzBEeNtsRvrlIEiF7NBO2
    yxjxYyTvlI/LTf5ltWC/7BpIhwdJLfcXwkLoKlvvxVw4DbL+Fk7cpv8=
    -----END PRIVATE KEY-----
    """
}

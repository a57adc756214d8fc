import CommandParsing

/// What `guardsim` can be asked for.
let commandTree = Command(
  "guardsim", "phones over HTTP as real ones would be, and the rules in millions of lives",
  subcommands: [
    Command(
      "replay", "play a script of phones against a server",
      options: [
        .text(
          "server", "the server's address", default: "http://127.0.0.1:8080",
          environment: "SHIFTGUARD_SERVER"),
        .path("state", "keeps tokens and numbers from run to run; mode 0600"),
        .flag("json", "tell what happened in JSON"),
        .flag("quiet", "tell only what was not as expected"),
      ],
      arguments: [.path("script", "what the phones do; `guardsim language` explains it")],
      footer: """
        Ends with 0 when all was as expected, 1 when not, 65 for a script or a
        recording that cannot be followed, 74 for a state file that cannot be used.
        """),
    Command(
      "load", "many phones at once, and afterwards a look for every record in the database",
      options: [
        .text(
          "server", "the server's address", default: "http://127.0.0.1:8080",
          environment: "SHIFTGUARD_SERVER"),
        .path("tokens", "a file with a device's token on each line", required: true),
        .integer("phones", "use so many of them at most", in: 1...2_000, default: 100),
        .integer("seconds", "for how long anything new begins", in: 1...86_400, default: 30),
        .integer(
          "rate", "pings a second of all phones; 0: as fast as answers come", in: 0...1_000_000,
          default: 0),
        .text("items", "new pings in an upload: `1`, or `1-100` by chance", default: "1"),
        .integer(
          "duplicates", "of 100 uploads, how many repeat a ping", in: 0...100, default: 0),
        .integer("late", "of 100 pings, how many come later", in: 0...100, default: 0),
        .integer("shuffled", "of 100 uploads, how many are in no order", in: 0...100, default: 0),
        .integer(
          "downgrades", "permissions lost a minute, over all phones", in: 0...1_000_000,
          default: 0),
        .integer("seed", "where chance begins", in: 0...Int.max, default: 1),
        .integer(
          "patience", "seconds after the end to go on asking for answers", in: 0...3_600,
          default: 60),
        .text("database", "compare with what is stored there; only reads"),
        .flag("json", "tell what happened in JSON"),
        .flag("quiet", "no progress on the error stream"),
      ],
      footer: """
        Every phone clocks in first. A request without an answer, and a 503, is sent again with the
        same content: guardd may be killed and started again meanwhile. Then what was acknowledged
        must be in the database once, and what was refused must not. Ends with 0 when it is so and
        every answer was as expected, 1 when not, 65 for tokens that cannot be used, 74 for a
        database that cannot be read.
        """),
    Command(
      "bench-rules", "time the rules",
      options: [
        .integer("rounds", "how often each is timed", in: 1...1_000, default: 9),
        .flag("json", "tell it in JSON"),
      ],
      footer: """
        Nanoseconds for one decision, comparison, step of an employee's state and coverage of a
        shift. Ends with 1 when a median misses its promise. Only -c release is held to them.
        """),
    Command("language", "explain the scripts' language"),
    Command(
      "rules", "try the rules in random lives, beside an oracle that knows the truth",
      options: [
        .integer("steps", "events to judge", in: 1...Int.max, default: 1_000_000),
        .integer("seed", "the first world's", in: 0...Int.max, default: 1),
        .integer("workers", "threads", in: 1...64, default: 2),
        .integer("until", "live one world to this step", in: 1...Int.max),
        .flag("trace", "tell each step of that one world"),
        .flag("quiet", "no progress on the terminal"),
      ],
      footer: """
        Each world begins from a seed of its own, counted up from the first. A promise
        that the rules break is told with the world's seed and the step, and ends it
        with 1. To see how it came about: --seed SEED --until STEP --trace.
        """),
  ])

/// The scripts' language, on one screen.
let languageText = """
  phone anna code $CODE platform ios os 17.5 model "iPhone 13"  # $: environment
  anna is always accuracy full services on background-fix on    # tells nobody
  anna report [PERMISSION] [trigger WORD]                       # tells the server
  anna clock-in [with-report]
  anna play drive.gpx [from TIME] [points N] live               # at its own pace
  anna play hike.gpx backlog [lead 1s]     # an offline shift that just ended
  anna ping [LATITUDE LONGITUDE [accuracy METERS]] [stationary]
  anna silent 30s
  anna clock-out                           # also: break-start, break-end, take-over
  anna check                               # and `look`: the app's first page
  anna expect status 409                   # of the step before; also:
      code|verdict|finding|incident|disposition|command|reason|tracking WORD|none
      stored|duplicate|refused N     detection|round-trip|fix under 5s
  wait 2s                                  # everybody meets here, then waits

  PERMISSION: always, when_in_use, denied, restricted, not_determined or unknown,
  then any of: grant prompt|settings|administrator, accuracy full|reduced, and
  services, notifications, battery-optimisation, background-refresh, power-save,
  foreground-service, background-fix, each on|off|unknown.
  Phones act at the same time, each in its own order. A step without an
  expectation must be answered 2xx, with no ping refused. A recording is named
  relative to the script; times look like 2020-12-18T06:16:48Z.
  """

-- The requests of phones for wrk: the same bodies for every measured service.
-- Arguments: KIND (one, batch or report), ITEMS in a request, FIRST (the earliest time, in ms since
-- 1970), STEP (ms from one ping of a phone to its next), TOKENS (a file with one per line) and
-- THREADS. The phones of a thread take turns, so that no two requests in flight are of the same
-- phone, and no time is sent twice.
local thread_number = 0

function setup(thread)
  thread:set("number", thread_number)
  thread_number = thread_number + 1
end

function init(arguments)
  kind, items = arguments[1], tonumber(arguments[2])
  first, step = tonumber(arguments[3]), tonumber(arguments[4])
  heads, sent = {}, 0
  local line, count = 0, tonumber(arguments[6])
  for token in io.lines(arguments[5]) do
    if line % count == number then
      heads[#heads + 1] = "POST " .. wrk.path .. " HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer "
        .. token .. "\r\nContent-Type: application/json\r\nContent-Length: "
    end
    line = line + 1
  end
end

-- RFC 3339; each second is formatted once for all its pings.
local second, second_text
local function instant(ms)
  local whole = math.floor(ms / 1000)
  if whole ~= second then
    second, second_text = whole, os.date("!%Y-%m-%dT%H:%M:%S", whole)
  end
  return string.format("%s.%03dZ", second_text, ms - whole * 1000)
end

local now, now_text
local function sent_at()
  local time = os.time()
  if time ~= now then now, now_text = time, os.date("!%Y-%m-%dT%H:%M:%SZ", time) end
  return now_text
end

local function fix(index)
  return string.format(
    '"recordedAt":"%s","latitude":45.%07d,"longitude":13.%07d,"accuracy":8.5,"speed":1.4,"heading":%d,"altitude":102.5,"battery":%d}',
    instant(first + index * step), index * 37 % 10000000, index * 53 % 10000000, index % 360,
    100 - index % 100)
end

local bodies = {}

function bodies.one(turn) return '{"sentAt":"' .. sent_at() .. '",' .. fix(turn) end

function bodies.batch(turn)
  local pings = {}
  for item = 1, items do pings[item] = fix(turn * items + item - 1) end
  return '{"sentAt":"' .. sent_at() .. '","pings":[{' .. table.concat(pings, ",{") .. "]}"
end

-- Every tenth report is a downgrade, and the next restores the permission.
function bodies.report(turn, phone)
  return string.format(
    '{"sentAt":"%s","recordedAt":"%s","sequence":%d,"authorization":"%s","accuracy":"full","services":"on"}',
    sent_at(), sent_at(), first + turn, (turn + phone) % 10 == 9 and "denied" or "always")
end

function request()
  local phone = sent % #heads
  local body = bodies[kind](math.floor(sent / #heads), phone)
  sent = sent + 1
  return heads[phone + 1] .. #body .. "\r\n\r\n" .. body
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"refused":%d,"broken":%d,"seconds":%.6f,"p50_ms":%.3f,"p99_ms":%.3f,"p999_ms":%.3f,"max_ms":%.3f}\n',
    summary.requests, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    latency:percentile(99.9) / 1e3, latency.max / 1e3))
end

-- The requests of phones for wrk: the same bodies for every measured service.
-- Arguments: KIND (a key of `bodies`), ITEMS in a request, FIRST (the earliest time, in ms since
-- 1970), STEP (ms from one ping of a phone to its next), TOKENS (a file with one per line), THREADS
-- and TWICE (how many requests of 100 a phone repeats at its next turn, as after a lost answer). The
-- phones of a thread take turns, so that no two requests in flight are of the same phone, and no
-- other time is sent twice.
local threads = {}

function setup(thread)
  thread:set("number", #threads)
  threads[#threads + 1] = thread
end

local function base64(text)
  local alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  local encoded = {}
  for place = 1, #text, 3 do
    local a, b, c = text:byte(place, place + 2)
    local bits = a * 65536 + (b or 0) * 256 + (c or 0)
    for digit = 0, 3 do
      local index = math.floor(bits / 64 ^ (3 - digit)) % 64
      local isThere = digit < 2 or (digit == 2 and b) or (digit == 3 and c)
      encoded[#encoded + 1] = isThere and alphabet:sub(index + 1, index + 1) or "="
    end
  end
  return table.concat(encoded)
end

-- Where the app of a protocol has its token; the others have it as our own apps do.
local headers = {}

function headers.owntracks(token)
  return "Authorization: Basic " .. base64("7:" .. token)
    .. "\r\nContent-Type: application/json\r\nX-Limit-U: 7\r\nX-Limit-D: phone"
end

function headers.traccar() return "Content-Type: application/x-www-form-urlencoded" end

local function bearer(token)
  return "Authorization: Bearer " .. token .. "\r\nContent-Type: application/json"
end

function init(arguments)
  kind, items = arguments[1], tonumber(arguments[2])
  first, step = tonumber(arguments[3]), tonumber(arguments[4])
  heads, tokens, sent = {}, {}, 0
  twice, turns, again, repeated = tonumber(arguments[7]), {}, {}, 0
  local line, count = 0, tonumber(arguments[6])
  for token in io.lines(arguments[5]) do
    if line % count == number then
      tokens[#tokens + 1] = token
      heads[#heads + 1] = "POST " .. wrk.path .. " HTTP/1.1\r\nHost: bench\r\n"
        .. (headers[kind] or bearer)(token) .. "\r\nContent-Length: "
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

-- The same position as apps from a store send it.

local function place(index)
  return string.format("45.%07d", index * 37 % 10000000),
    string.format("13.%07d", index * 53 % 10000000)
end

local function seconds(index) return string.format("%.3f", (first + index * step) / 1000) end

function bodies.owntracks(turn)
  local latitude, longitude = place(turn)
  return string.format(
    '{"_type":"location","topic":"owntracks/7/phone","tid":"07","lat":%s,"lon":%s,"tst":%s,"acc":8,"alt":102,"vac":3,"vel":5,"cog":%d,"batt":%d,"bs":1,"conn":"m","m":2,"t":"t"}',
    latitude, longitude, seconds(turn), turn % 360, 100 - turn % 100)
end

function bodies.traccar(turn, phone)
  local latitude, longitude = place(turn)
  return string.format(
    "id=%s&lat=%s&lon=%s&timestamp=%s&accuracy=8.5&altitude=102.5&speed=2.72&bearing=%d.0&batt=%d&charge=false",
    tokens[phone + 1], latitude, longitude, seconds(turn), turn % 360, 100 - turn % 100)
end

local function feature(index)
  local latitude, longitude = place(index)
  return string.format(
    '{"type":"Feature","geometry":{"type":"Point","coordinates":[%s,%s]},"properties":{"timestamp":"%s","altitude":102,"speed":1,"course":%d,"horizontal_accuracy":8,"vertical_accuracy":3,"speed_accuracy":0.5,"course_accuracy":10.2,"motion":["walking"],"battery_state":"unplugged","battery_level":0.%02d,"device_id":"7-1","wifi":""}}',
    longitude, latitude, instant(first + index * step), index % 360, index % 100)
end

local function record(index)
  local latitude, longitude = place(index)
  return string.format(
    '{"uuid":"5a0f3c1e-7d2b-4a77-9d0e-%012d","timestamp":"%s","age":212,"is_moving":true,"odometer":18234.5,"coords":{"latitude":%s,"longitude":%s,"accuracy":8.5,"speed":1.4,"speed_accuracy":0.5,"heading":%d,"heading_accuracy":-1,"altitude":102.5,"ellipsoidal_altitude":80.1,"altitude_accuracy":3.0},"activity":{"type":"walking","confidence":92},"battery":{"level":0.%02d,"is_charging":false},"extras":{}}',
    index, instant(first + index * step), latitude, longitude, index % 360, index % 100)
end

local function list(turn, each)
  local texts = {}
  for item = 1, items do texts[item] = each(turn * items + item - 1) end
  return "[" .. table.concat(texts, ",") .. "]"
end

function bodies.overland(turn) return '{"locations":' .. list(turn, feature) .. "}" end

function bodies.transistorsoft(turn)
  local location = items == 1 and record(turn) or list(turn, record)
  return '{"location":' .. location .. ',"device_id":"7-1"}'
end

-- The number of the phone's request among its own. wrk asks for one request that it does not send,
-- which is not repeated.
local function turn_of(phone)
  if again[phone] then
    again[phone], repeated = false, repeated + 1
  else
    local turn = (turns[phone] or -1) + 1
    turns[phone] = turn
    again[phone] = turn > 0 and (turn * 37 + phone * 61) % 100 < twice
  end
  return turns[phone]
end

function request()
  local phone = sent % #heads
  local body = bodies[kind](turn_of(phone), phone)
  sent = sent + 1
  return heads[phone + 1] .. #body .. "\r\n\r\n" .. body
end

function done(summary, latency)
  local errors, repeats = summary.errors, 0
  for _, thread in ipairs(threads) do repeats = repeats + thread:get("repeated") end
  io.write(string.format(
    '\n{"requests":%d,"repeated":%d,"refused":%d,"broken":%d,"seconds":%.6f,"p50_ms":%.3f,"p99_ms":%.3f,"p999_ms":%.3f,"max_ms":%.3f}\n',
    summary.requests, repeats, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    latency:percentile(99.9) / 1e3, latency.max / 1e3))
end

-- Decides requests of one account and key that arrived together; all of them cost one.
-- KEYS: account hash, rings, leases, prefix of the usage cells; of a key with caps of its own also its rings and leases
-- (all with the {account} tag).
-- ARGV: 1 kid · 2 3 4 versions of user, subscription, key that the gateway believes (4 empty: no key) ·
-- 5 empty, or `<g>:<bits>`: what it loaded after a reply that the field is missing while `g` was this · 6 requests asked for · 7 requests refused locally ·
-- 8 '1' = report the windows although nothing is asked · 9 lease ms · 10 burst · 11 minute · 12 hour · 13 day · 14 month ·
-- 15 concurrency · 16 17 18 start of this, the next and the second next month period (s) · 19 clock in ms for tests, else '' ·
-- 20 id of the key (empty: no key) · with own caps 21–26 as 10–15 (26 empty: none) · then lease ids.
-- Answers {0 OK, now[, admitted, mask, wait, used × 4, month, open, reset × 4, period end[, the same of the key: used × 4,
-- month, open, reset × 4]]}, {1 STALE, now, u, s, k, g}, {2 SEED, now, ticket} or {3 SEED KEY, now}. Bits 6–11 of the mask are the
-- key's. What was loaded before Redis lost the account must not be written after it: the loss takes `g` and the ticket along.
local now = clock(ARGV[19])
local lists = #KEYS == 6 and 2 or 1
local v = redis.call('HMGET', KEYS[1], 'g', 'u', 's', 'k:' .. ARGV[1], 'c:' .. ARGV[20])
if not v[1] then
  local t = redis.call('TIME')
  redis.call('HSETNX', KEYS[1], 't', t[1] * 1000000 + t[2])
  return {2, now, tonumber(redis.call('HGET', KEYS[1], 't'))}
end
local fields = {'u', 's', 'k:' .. ARGV[1]}
local records = ARGV[4] == '' and 2 or 3
local loaded = 0
if ARGV[5] ~= '' then
  local mark, bits = string.match(ARGV[5], '^(%d+):(%d)$')
  if mark == v[1] then loaded = tonumber(bits) end
end
local seen = {}
for i = 1, records do seen[i] = v[i + 1] and tonumber(v[i + 1]) or -1 end
for i = 1, records do
  local isMissing = seen[i] == -1 and bit.band(loaded, 2 ^ (i - 1)) == 0
  if isMissing or tonumber(ARGV[i + 1]) < seen[i] then return {1, now, seen[1], seen[2], seen[3] or -1, tonumber(v[1])} end
end
for i = 1, records do
  if tonumber(ARGV[i + 1]) > seen[i] then redis.call('HSET', KEYS[1], fields[i], ARGV[i + 1]) end
end
-- A key without caps is not counted by itself: when it has some again, its counters must be seeded.
if v[5] and lists == 1 then redis.call('HDEL', KEYS[1], 'c:' .. ARGV[20]) end

local asked, refused = tonumber(ARGV[6]), tonumber(ARGV[7])
if refused > 0 then countUsage(KEYS[4], math.floor(now / 60000), ARGV[1], 'refused', refused) end
if asked == 0 and ARGV[8] ~= '1' then return {0, now} end
if lists == 2 and not v[5] then return {3, now} end

local period, nextPeriod = tonumber(ARGV[16]), tonumber(ARGV[17])
if now >= nextPeriod * 1000 then period, nextPeriod = nextPeriod, tonumber(ARGV[18]) end
-- A month begins by this clock and never goes back, whatever the clocks of the gateways say: of one that is ahead only the
-- end of the running month is known, so that month is named by the second before. One that has not begun by this clock was
-- named while the clock was far ahead: it counts on as the running one.
local function enterPeriod(held)
  if held * 1000 > now + MS[4] then held = 0 end
  if held > period then
    if held >= nextPeriod then nextPeriod = tonumber(ARGV[18]) end
    period = held
  elseif held < period and now < period * 1000 then
    period, nextPeriod = held > 0 and held or period - 1, period
  end
end

-- Windows 1–4 are the account's, 5–8 the key's.
local rings, fresh, month, open, concurrency = {}, {}, {}, {}, {}
local limit, last, newest, cur, sum, step, first = {}, {}, {}, {}, {}, {}, {}
local function cell(i, n)
  if n == last[i] then return newest[i] end
  return (struct.unpack('<I4', rings[i > 4 and 2 or 1], AT[i] + (n % CELLS[i]) * 4 + 1))
end

-- A clock that went back by more than a cell: no window waits for it to come where it was. What is counted lies in the cell of
-- now, so it leaves after one window; kept at once, or every denial would move it on.
local function pullBack(l, h)
  local body = string.sub(rings[l], AT[1] + 1)
  for n = 1, 4 do
    local c = math.floor(now / MS[n])
    if h[4 * n - 3] > c + 1 then
      h[4 * n - 3], h[4 * n - 1], h[4 * n] = c, c, h[4 * n - 2]
      body = string.sub(body, 1, AT[n] - AT[1]) .. string.rep('\0', CELLS[n] * 4) .. string.sub(body, AT[n] - AT[1] + CELLS[n] * 4 + 1)
    end
  end
  rings[l] = struct.pack(HEAD, unpack(h, 1, 18)) .. body
  redis.call('SET', KEYS[3 * l - 1], rings[l], 'PX', RINGS_LIFE_MS)
end

local admitted = asked
for l = 1, lists do
  local b = redis.call('GET', KEYS[3 * l - 1])
  fresh[l] = not b
  rings[l] = b or string.rep('\0', SIZE)
  local h = {struct.unpack(HEAD, rings[l])}
  for n = 1, 4 do
    local i = 4 * l - 4 + n
    local c = math.floor(now / MS[i])
    if h[4 * n - 3] > c + 1 then pullBack(l, h) end
    local s, f = h[4 * n - 2], h[4 * n - 1]
    last[i], newest[i] = h[4 * n - 3], h[4 * n]
    if last[i] > c then c = last[i] end   -- a clock that went back by less stays where it was
    local oldest = c - CELLS[i] + 1
    if last[i] < oldest then
      s, f = 0, c
    elseif s > 0 and f < oldest then
      for m = math.max(f, oldest - CELLS[i]), oldest - 1 do s = s - cell(i, m) end
      f = oldest
      while s > 0 and f < last[i] and cell(i, f) == 0 do f = f + 1 end
    end
    if s == 0 then f = c end
    cur[i], sum[i], step[i], first[i], limit[i] = c, s, c - last[i], f, tonumber(ARGV[11 * l - 2 + n])
    admitted = math.min(admitted, limit[i] - s)
  end
  if l == 1 then enterPeriod(h[18]) end
  month[l] = h[18] >= period and h[17] or 0
  concurrency[l], open[l] = tonumber(ARGV[11 * l - 2 + 6]), 0
  if concurrency[l] then
    -- Leases that ran out are looked for when they would deny, and about once a second.
    open[l] = redis.call('ZCARD', KEYS[3 * l])
    if open[l] > 0 and (asked == 0 or step[4 * l - 2] > 0 or open[l] + asked > concurrency[l]) then
      open[l] = open[l] - redis.call('ZREMRANGEBYSCORE', KEYS[3 * l], '-inf', now)
    end
    admitted = math.min(admitted, concurrency[l] - open[l])
  end
  admitted = math.min(admitted, tonumber(ARGV[11 * l - 2 + 5]) - month[l])
end
admitted = math.max(0, admitted)

local mask, wait = 0, 0
if admitted < asked then
  for l = 1, lists do
    local bits = 2 ^ (6 * l - 6)
    for n = 1, 4 do
      local i = 4 * l - 4 + n
      local need = sum[i] + admitted + 1 - limit[i]
      if need > 0 then
        mask = mask + bits * 2 ^ (n - 1)
        local m = first[i]                                  -- when enough of the oldest cells have left, one passes
        while need > 0 and m <= cur[i] do
          if m + step[i] <= cur[i] then need = need - cell(i, m) end
          if m == cur[i] then need = need - admitted end
          m = m + 1
        end
        wait = math.max(wait, (m - 1 + CELLS[i]) * MS[i] - now)
      end
    end
    if month[l] + admitted + 1 > tonumber(ARGV[11 * l - 2 + 5]) then
      mask = mask + bits * 16
      wait = math.max(wait, nextPeriod * 1000 - now)
    end
    if concurrency[l] and open[l] + admitted + 1 > concurrency[l] then mask = mask + bits * 32 end
  end
  countUsage(KEYS[4], math.floor(now / 60000), ARGV[1], 'denied', asked - admitted)
end

-- The cell that was the newest goes to its place, and those between it and the new one are empty: one piece, or two around
-- the end of the ring.
local function keepOlder(key, i)
  if step[i] >= CELLS[i] then
    redis.call('SETRANGE', key, AT[i], string.rep('\0', CELLS[i] * 4))
    return
  end
  local at = (last[i] % CELLS[i]) * 4
  local piece, fits = struct.pack('<I4', newest[i]) .. string.rep('\0', (step[i] - 1) * 4), CELLS[i] * 4 - at
  redis.call('SETRANGE', key, AT[i] + at, string.sub(piece, 1, fits))
  if #piece > fits then redis.call('SETRANGE', key, AT[i], string.sub(piece, fits + 1)) end
end

if admitted > 0 then
  local leases = {}
  local from = lists == 2 and 26 or 20
  for n = 1, admitted do leases[2 * n - 1], leases[2 * n] = now + ARGV[9], ARGV[from + n] end
  for l = 1, lists do
    local key, o = KEYS[3 * l - 1], 4 * l - 4
    for i = o + 1, o + 4 do
      if step[i] == 0 then newest[i] = newest[i] + admitted
      else
        if not fresh[l] then keepOlder(key, i) end
        newest[i] = admitted
      end
    end
    local head = struct.pack(HEAD, cur[o + 1], sum[o + 1] + admitted, first[o + 1], newest[o + 1],
      cur[o + 2], sum[o + 2] + admitted, first[o + 2], newest[o + 2], cur[o + 3], sum[o + 3] + admitted, first[o + 3], newest[o + 3],
      cur[o + 4], sum[o + 4] + admitted, first[o + 4], newest[o + 4], month[l] + admitted, period)
    if fresh[l] then redis.call('SET', key, head .. string.sub(rings[l], #head + 1), 'PX', RINGS_LIFE_MS)
    else
      redis.call('SETRANGE', key, 0, head)
      if step[o + 4] > 0 then redis.call('PEXPIRE', key, RINGS_LIFE_MS) end
    end
    if concurrency[l] then redis.call('ZADD', KEYS[3 * l], unpack(leases)) end
  end
  countUsage(KEYS[4], math.floor(now / 60000), ARGV[1], 'admitted', admitted)
end

local function reset(i) return sum[i] + admitted > 0 and (first[i] + CELLS[i]) * MS[i] - now or 0 end
local reply = {0, now, admitted, mask, wait, sum[1], sum[2], sum[3], sum[4], month[1], open[1],
  reset(1), reset(2), reset(3), reset(4), nextPeriod * 1000 - now}
if lists == 2 then
  for i = 5, 8 do reply[i + 12], reply[i + 18] = sum[i], reset(i) end
  reply[21], reply[22] = month[2], open[2]
end
return reply

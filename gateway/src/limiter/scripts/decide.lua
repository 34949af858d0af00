-- Decides requests of one account and key that arrived together; each counts once. Reply: limiter-reply.ts.
-- KEYS: account hash, rings, leases, prefix of the usage cells; for a key with its own caps also its rings and leases
-- (all with the {account} tag).
local kid,                -- public id of the key; `session` without a key
  userVersion,            -- versions of the gateway's cached records
  subscriptionVersion,
  keyVersion,             -- empty: no key
  loadedMark,             -- empty, or `<g>:<bits>`: records loaded after a reply with this `g` reported their version as missing
  requested,              -- requests to count
  refused,                -- requests with an authorization failure
  mode,                   -- '1': report the windows although no request is counted; shadow limits: '2' of the tier, '3' of the key, '4' both
  leaseMs = unpack(ARGV, 1, 9)
-- Limits of the account: burst, minute, hour, day, month, concurrency. Caps of a key follow its id; empty: no cap.
-- Shadow limits follow, each proposal as one argument, because each costs time: `<mark of the proposal> <burst> … <concurrency>`.
local LIMITS_AT = {10, 21}
local MONTH, CONCURRENCY = 5, 6
local monthStart,         -- starts of this month period and the two after it, seconds
  nextMonthStart,
  monthStartAfterNext,
  testClockMs,            -- empty outside of tests
  keyId = unpack(ARGV, 16, 20)   -- empty: no key
-- Lease ids of the counted requests are the last arguments.
local DECIDED, STALE, ACCOUNT_UNSEEDED, KEY_UNSEEDED = 0, 1, 2, 3   -- kinds of replies
local now = clock(testClockMs)
local lists = #KEYS == 6 and 2 or 1
local leaseIdsAt = lists == 2 and 27 or 21
local shadowAt, keyShadowAt
if mode == '2' or mode == '4' then shadowAt, leaseIdsAt = leaseIdsAt, leaseIdsAt + 1 end
if mode == '3' or mode == '4' then keyShadowAt, leaseIdsAt = leaseIdsAt, leaseIdsAt + 1 end
local function limitOf(l, n) return tonumber(ARGV[LIMITS_AT[l] + n - 1]) end
local v
if keyShadowAt then v = redis.call('HMGET', KEYS[1], 'g', 'u', 's', 'k:' .. kid, 'c:' .. keyId, 'w:' .. keyId)
else v = redis.call('HMGET', KEYS[1], 'g', 'u', 's', 'k:' .. kid, 'c:' .. keyId) end
if not v[1] then
  local t = redis.call('TIME')
  redis.call('HSETNX', KEYS[1], 't', t[1] * 1000000 + t[2])
  return {ACCOUNT_UNSEEDED, now, tonumber(redis.call('HGET', KEYS[1], 't'))}
end
local fields = {'u', 's', 'k:' .. kid}
local cached = {userVersion, subscriptionVersion, keyVersion}
local records = keyVersion == '' and 2 or 3
local loaded = 0
-- Records loaded before Redis lost the account must not be written afterwards; `g` is lost with the account.
if loadedMark ~= '' then
  local mark, bits = string.match(loadedMark, '^(%d+):(%d)$')
  if mark == v[1] then loaded = tonumber(bits) end
end
local seen = {}
for i = 1, records do seen[i] = v[i + 1] and tonumber(v[i + 1]) or -1 end
for i = 1, records do
  local isMissing = seen[i] == -1 and bit.band(loaded, 2 ^ (i - 1)) == 0
  if isMissing or tonumber(cached[i]) < seen[i] then return {STALE, now, seen[1], seen[2], seen[3] or -1, tonumber(v[1])} end
end
for i = 1, records do
  if tonumber(cached[i]) > seen[i] then redis.call('HSET', KEYS[1], fields[i], cached[i]) end
end
-- A key without caps is not counted separately, so its counters must be seeded when it has caps again.
if v[5] and lists == 1 then redis.call('HDEL', KEYS[1], 'c:' .. keyId) end

requested, refused = tonumber(requested), tonumber(refused)
if refused > 0 then countUsage(KEYS[4], math.floor(now / 60000), kid, 'refused', refused) end
if requested == 0 and mode ~= '1' then return {DECIDED, now} end
if lists == 2 and not v[5] then return {KEY_UNSEEDED, now} end

local period, nextPeriod = tonumber(monthStart), tonumber(nextMonthStart)
if now >= nextPeriod * 1000 then period, nextPeriod = nextPeriod, tonumber(monthStartAfterNext) end
-- A month begins by this clock and never goes back, regardless of the gateways' clocks. A gateway that is ahead only gives the
-- end of the current month, so that month is identified by the second before its end. A month that has not begun by this clock
-- was set while the clock was far ahead; it continues as the current month.
local function enterPeriod(held)
  if held * 1000 > now + MS[4] then held = 0 end
  if held > period then
    if held >= nextPeriod then nextPeriod = tonumber(monthStartAfterNext) end
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

-- If the clock was set back by more than a cell, all counts of a window move to the current cell, so that they leave after one
-- window. Written at once, because otherwise every denial would move them again.
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

local admitted = requested
for l = 1, lists do
  local b = redis.call('GET', KEYS[3 * l - 1])
  fresh[l] = not b
  rings[l] = b or string.rep('\0', SIZE)
  if l == 1 and not shadowAt and #rings[1] > SIZE then   -- the shadow limits were removed
    rings[1] = string.sub(b, 1, SIZE)
    redis.call('SET', KEYS[2], rings[1], 'PX', RINGS_LIFE_MS)
  end
  local h = {struct.unpack(HEAD, rings[l])}
  for n = 1, 4 do
    local i = 4 * l - 4 + n
    local c = math.floor(now / MS[i])
    if h[4 * n - 3] > c + 1 then pullBack(l, h) end
    local s, f = h[4 * n - 2], h[4 * n - 1]
    last[i], newest[i] = h[4 * n - 3], h[4 * n]
    if last[i] > c then c = last[i] end   -- after a smaller step back, the newest cell remains current
    local oldest = c - CELLS[i] + 1
    if last[i] < oldest then
      s, f = 0, c
    elseif s > 0 and f < oldest then
      for m = math.max(f, oldest - CELLS[i]), oldest - 1 do s = s - cell(i, m) end
      f = oldest
      while s > 0 and f < last[i] and cell(i, f) == 0 do f = f + 1 end
    end
    if s == 0 then f = c end
    cur[i], sum[i], step[i], first[i], limit[i] = c, s, c - last[i], f, limitOf(l, n)
    admitted = math.min(admitted, limit[i] - s)
  end
  if l == 1 then enterPeriod(h[18]) end
  month[l] = h[18] >= period and h[17] or 0
  concurrency[l], open[l] = limitOf(l, CONCURRENCY), 0
  if concurrency[l] then
    -- Expired leases are removed when they would cause a denial, and about once a second.
    open[l] = redis.call('ZCARD', KEYS[3 * l])
    if open[l] > 0 and (requested == 0 or step[4 * l - 2] > 0 or open[l] + requested > concurrency[l]) then
      open[l] = open[l] - redis.call('ZREMRANGEBYSCORE', KEYS[3 * l], '-inf', now)
    end
    admitted = math.min(admitted, concurrency[l] - open[l])
  end
  admitted = math.min(admitted, limitOf(l, MONTH) - month[l])
end
admitted = math.max(0, admitted)

local mask, wait = 0, 0
if admitted < requested then
  for l = 1, lists do
    local bits = 2 ^ (6 * l - 6)
    for n = 1, 4 do
      local i = 4 * l - 4 + n
      local need = sum[i] + admitted + 1 - limit[i]
      if need > 0 then
        mask = mask + bits * 2 ^ (n - 1)
        local m = first[i]                                  -- when enough of the oldest cells have left, a request is admitted
        while need > 0 and m <= cur[i] do
          if m + step[i] <= cur[i] then need = need - cell(i, m) end
          if m == cur[i] then need = need - admitted end
          m = m + 1
        end
        wait = math.max(wait, (m - 1 + CELLS[i]) * MS[i] - now)
      end
    end
    if month[l] + admitted + 1 > limitOf(l, MONTH) then
      mask = mask + bits * 16
      wait = math.max(wait, nextPeriod * 1000 - now)
    end
    if concurrency[l] and open[l] + admitted + 1 > concurrency[l] then mask = mask + bits * 32 end
  end
  countUsage(KEYS[4], math.floor(now / 60000), kid, 'denied', requested - admitted)
end

-- Writes the previous newest cell to its place and empties the cells up to the new one: one range, or two around the end of
-- the ring.
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
  for n = 1, admitted do leases[2 * n - 1], leases[2 * n] = now + leaseMs, ARGV[leaseIdsAt + n - 1] end
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
  countUsage(KEYS[4], math.floor(now / 60000), kid, 'admitted', admitted)
end

local function reset(i) return sum[i] + admitted > 0 and (first[i] + CELLS[i]) * MS[i] - now or 0 end
local reply = {DECIDED, now, admitted, mask, wait, sum[1], sum[2], sum[3], sum[4], month[1], open[1],
  reset(1), reset(2), reset(3), reset(4), nextPeriod * 1000 - now}
if lists == 2 then
  for i = 5, 8 do reply[i + 12], reply[i + 18] = sum[i], reset(i) end
  reply[21], reply[22] = month[2], open[2]
end
if not shadowAt and not keyShadowAt then return reply end
-- shadow.lua continues here.

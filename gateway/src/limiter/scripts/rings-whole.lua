-- Prepended to the scripts that write whole rings: seeding and merging.

-- Whether a month period (s) contains `now`.
local function isRunning(now, start, finish)
  return now >= tonumber(start) * 1000 and now < tonumber(finish) * 1000
end

-- The four rings as tables without cells that have left by `now`; for seeding and merging, not for decisions. The rings of
-- shadow limits are unchanged.
local function readRings(key, now)
  local b = redis.call('GET', key) or string.rep('\0', SIZE)
  local h = {struct.unpack(HEAD, b)}
  local rings = {month = h[17], period = h[18], shadow = string.sub(b, SIZE + 1)}
  for i = 1, 4 do
    local last, current = h[4 * i - 3], math.floor(now / MS[i])
    local ring = {cur = math.max(current, last), cells = {}}
    for n = math.max(ring.cur - CELLS[i] + 1, last - CELLS[i] + 1, 0), last do
      local v = n == last and h[4 * i] or struct.unpack('<I4', b, AT[i] + (n % CELLS[i]) * 4 + 1)
      if v > 0 then ring.cells[n] = v end
    end
    if last > current + 1 then   -- the clock was set back, as in decide.lua
      local sum = 0
      for _, v in pairs(ring.cells) do sum = sum + v end
      ring = {cur = current, cells = {[current] = sum > 0 and sum or nil}}
    end
    rings[i] = ring
  end
  return rings
end

-- Adds to a cell; counts in the future go to the newest cell, counts that have left the window are not added.
local function addToRing(rings, i, cell, count)
  local ring = rings[i]
  local n = math.min(cell, ring.cur)
  if n > ring.cur - CELLS[i] then ring.cells[n] = (ring.cells[n] or 0) + count end
end

-- Counts per minute from roll-ups, given as minute, count, …: each is added to the newest cell to which it may belong.
local function addMinutes(rings, now, from)
  for n = from, #ARGV, 2 do
    local newest = math.min((tonumber(ARGV[n]) + 1) * 60000 - 1, now)
    for i = 1, 4 do addToRing(rings, i, math.floor(newest / MS[i]), tonumber(ARGV[n + 1])) end
  end
end

-- Adds admissions of the current month by a gateway's clock and of the month before. The month begins by this clock: for a
-- gateway that is ahead, both belong to the current month; those of an older month are dropped unless the newer has not begun.
local function addMonth(rings, now, period, count, before)
  local isAhead = rings.period * 1000 > now + MS[4]
  if now < period * 1000 then
    if rings.period == 0 then rings.period = period - 1 end
    rings.month = rings.month + before + count
  elseif rings.period < period then rings.month, rings.period = count, period
  elseif rings.period == period or isAhead then rings.month = rings.month + count end
end

-- Adds admissions of a share: window, cell, count, … up to the argument `last`.
local function addShare(rings, from, last)
  for n = from, last, 3 do addToRing(rings, tonumber(ARGV[n]), tonumber(ARGV[n + 1]), tonumber(ARGV[n + 2])) end
end

-- Changes usage cells; never below zero, because counts that were lost cannot be subtracted.
local function addUsage(prefix, minute, kid, kind, by)
  if by < 0 then
    local held = redis.call('HGET', prefix .. math.floor(minute / 60), minute .. ':' .. kid .. ':' .. kind)
    by = -math.min(-by, tonumber(held or '0'))
  end
  if by ~= 0 then countUsage(prefix, minute, kid, kind, by) end
end

-- The reply of a merge: verdict, clock, used × 4, month, reset × 4, and 0 for the month, whose end is known to the gateway.
local function describe(rings, now, verdict)
  local answer = {verdict, now}
  for i = 1, 4 do
    local sum, first = 0, rings[i].cur
    for n, v in pairs(rings[i].cells) do
      if n > rings[i].cur - CELLS[i] then
        sum = sum + v
        if n < first then first = n end
      end
    end
    answer[i + 2], answer[i + 7] = sum, sum > 0 and (first + CELLS[i]) * MS[i] - now or 0
  end
  answer[7], answer[12] = rings.month, 0
  return answer
end

local function writeRings(key, rings)
  local head, body = {}, {}
  for i = 1, 4 do
    local ring, sum, first, slots = rings[i], 0, rings[i].cur, {}
    for n, v in pairs(ring.cells) do
      sum = sum + v
      if n < first then first = n end
      slots[n % CELLS[i]] = v
    end
    for _, value in ipairs({ring.cur, sum, first, ring.cells[ring.cur] or 0}) do head[#head + 1] = value end
    for slot = 0, CELLS[i] - 1 do body[#body + 1] = struct.pack('<I4', slots[slot] or 0) end
  end
  head[17], head[18] = rings.month, rings.period
  redis.call('SET', key, struct.pack(HEAD, unpack(head)) .. table.concat(body) .. rings.shadow, 'PX', RINGS_LIFE_MS)
end

-- Versions never decrease.
local function raiseVersion(key, field, version)
  local have = redis.call('HGET', key, field)
  if not have or tonumber(have) < tonumber(version) then redis.call('HSET', key, field, version) end
end

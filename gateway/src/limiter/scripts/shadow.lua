-- Continues decide.lua for shadow limits, of the account's tier and of the key, which decide the same requests by their own
-- windows and change nothing else. The windows of each proposal begin empty; its concurrency limit is compared with the requests
-- that are actually open. Optimized for few operations: limits are stored with the rings, a new cell of a window is checked only
-- when the next shorter window has a new cell, and one write stores the changes of the header and of the following two rings.
-- The tier's are behind the rings of the account, the key's in the account hash: `w:<key id>` up to the ring of the minute,
-- `x:<key id>` the two longer rings, which are read once a minute.
local LIMITS_BYTES, HEADER = 32, '<I6I4I4I4I4I4I4I4I4I4I4I6'   -- the mark and the limits; then the changing fields
local LIMITS_HEADER = '<I4I4I4I4I4I4I6I4I4I4I4I4I4I4I4I4I4I6'
local BYTES, SHORT_BYTES, FREE_AT = 1004, 372, 78
local NO_LIMIT = 4294967295
-- For a denial that is more cells long than this, its end is stored instead of computed again.
local CELLS_SEARCHED = 8
local floor, sub, rep, pack, unpackFrom = math.floor, string.sub, string.rep, struct.pack, struct.unpack
local block, base, ringAt, isKeys
local hasLong, shortChanged, longChanged   -- of a key's
local longField = keyShadowAt and 'x:' .. keyId

-- Functions are made only where they are called, because making one costs as much as a few operations.
local readLong
if keyShadowAt then
  readLong = function()   -- the longer rings of a key
    if hasLong then return end
    hasLong, block = true, block .. (redis.call('HGET', KEYS[1], longField) or rep('\0', BYTES - SHORT_BYTES))
  end
end

-- Replaces bytes, from byte `at` of the proposal's rings on. Those of a key are written at the end.
local function put(at, bytes)
  if not isKeys then redis.call('SETRANGE', KEYS[2], base + at, bytes)
  else
    block = sub(block, 1, at) .. bytes .. sub(block, at + #bytes + 1)
    shortChanged, longChanged = shortChanged or at < SHORT_BYTES, longChanged or at + #bytes > SHORT_BYTES
  end
end

-- The remaining sum of a window in cell `c`, after the newest cell `l`. Cells between them take the places of cells that
-- leave.
local function roll(n, s, new, l, c)
  local cells, from = CELLS[n], ringAt[n] + 1
  if c - l >= cells then return 0 end
  local m = l
  while s > new and m < c do
    m = m + 1
    s = s - unpackFrom('<I4', block, from + (m % cells) * 4)
  end
  return s
end

-- The ring with the newest cell `l` written to its place and the following cells up to `c` empty.
local function turn(n, new, l, c)
  local bytes, from = CELLS[n] * 4, ringAt[n]
  local piece = (c - l) * 4
  if piece >= bytes then return rep('\0', bytes) end
  local place = (l % CELLS[n]) * 4
  local beyond = place + piece - bytes
  if beyond <= 0 then
    return sub(block, from + 1, from + place) .. pack('<I4', new) .. rep('\0', piece - 4) .. sub(block, from + place + piece + 1, from + bytes)
  end
  return rep('\0', beyond) .. sub(block, from + beyond + 1, from + place) .. pack('<I4', new) .. rep('\0', piece - 4 - beyond)
end

-- Decides by the proposal `shadow`, whose rings are in `block` from byte `base` on. `opened`: open requests; of a key a function that
-- counts them when their number is limited. Returns true if the rings are new.
local function decideShadow(shadow, opened)
  local mark = sub(shadow, 1, 8)
  local l1, l2, l3, l4, l5, l6
  -- Newest burst cell, month period and count, sums, newest cells, end of the denial in milliseconds, if known.
  local at, held, inMonth, s1, s2, s3, s4, n1, n2, n3, n4, freeAt = 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  local isBegun = sub(block, base + 1, base + 8) == mark
  if isBegun then
    l1, l2, l3, l4, l5, l6, at, held, inMonth, s1, s2, s3, s4, n1, n2, n3, n4, freeAt = unpackFrom(LIMITS_HEADER, block, base + 9)
  else
    l1, l2, l3, l4, l5, l6 = string.match(shadow, '^%w+ (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)$')
    block = sub(block, 1, base) .. mark .. pack('<I4I4I4I4I4I4', l1, l2, l3, l4, l5, l6) .. rep('\0', BYTES - LIMITS_BYTES)
    hasLong = true
  end
  l6 = tonumber(l6)
  local c1 = floor(now / 100)

  -- After the clock was set back, all counts of a window move to the cell of `now`, as in the rings of the account.
  if at > c1 + 1 then
    local cells = ''
    if isKeys then readLong() end
    local function pull(n, s, new)
      local isAhead = floor(at * 100 / MS[n]) > floor(c1 * 100 / MS[n])
      cells = cells .. (isAhead and rep('\0', CELLS[n] * 4) or sub(block, ringAt[n] + 1, ringAt[n] + CELLS[n] * 4))
      return isAhead and s or new
    end
    n1, n2, n3, n4 = pull(1, s1, n1), pull(2, s2, n2), pull(3, s3, n3), pull(4, s4, n4)
    at, freeAt = c1, 0
    block = sub(block, 1, base + LIMITS_BYTES) .. pack(HEADER, at, held, inMonth, s1, s2, s3, s4, n1, n2, n3, n4, 0) .. cells
    put(0, sub(block, base + 1))
  elseif at > c1 then c1 = at end

  local p2, p3, p4, c2, c3, c4
  if at < c1 then
    s1, p2, c2 = roll(1, s1, n1, at, c1), floor(at / 10), floor(c1 / 10)
    if p2 < c2 then
      s2, p3, c3 = roll(2, s2, n2, p2, c2), floor(p2 / 60), floor(c2 / 60)
      if p3 < c3 then
        if isKeys then readLong() end
        s3, p4, c4 = roll(3, s3, n3, p3, c3), floor(p3 / 15), floor(c3 / 15)
        if p4 < c4 then s4 = roll(4, s4, n4, p4, c4) end
      end
    end
  end
  if held < period then inMonth = 0 end
  if isKeys then opened = l6 < NO_LIMIT and opened(l6) or 0 end
  l1, l2, l3, l4, l5, l6 = l1 - s1, l2 - s2, l3 - s3, l4 - s4, l5 - inMonth, l6 - opened
  local passed = math.min(requested, l1, l2, l3, l4, l5, l6)
  local searched = 0
  if passed < requested then
    if passed < 0 then passed = 0 end
    reply[#reply + 1] = passed
    reply[#reply + 1] = (isKeys and 64 or 1) * ((l1 <= passed and 1 or 0) + (l2 <= passed and 2 or 0) + (l3 <= passed and 4 or 0)
      + (l4 <= passed and 8 or 0) + (l5 <= passed and 16 or 0) + (l6 <= passed and 32 or 0))
    -- Each window that denies is exactly full, so that one more would pass when its first cell has left. The denial ends with the
    -- last of them; until then nothing is admitted, so the stored end stays right.
    if passed > 0 or freeAt <= now then
      freeAt = 0
      local function frees(n, s, new)
        local l, c, cells = floor(at * 100 / MS[n]), floor(c1 * 100 / MS[n]), CELLS[n]
        local first = c   -- the first non-empty cell
        if s == new and s > 0 then first = l
        elseif s > 0 then
          if isKeys and n > 2 then readLong() end
          local from = ringAt[n] + 1
          first = c - cells + 1
          while first < l and unpackFrom('<I4', block, from + (first % cells) * 4) == 0 do first, searched = first + 1, searched + 1 end
        end
        freeAt = math.max(freeAt, (first + cells) * MS[n])
      end
      if l1 <= passed then frees(1, s1, n1) end
      if l2 <= passed then frees(2, s2, n2) end
      if l3 <= passed then frees(3, s3, n3) end
      if l4 <= passed then frees(4, s4, n4) end
      if l5 <= passed then freeAt = math.max(freeAt, nextPeriod * 1000) end
    end
    reply[#reply + 1] = math.max(0, freeAt - now)
  else freeAt = 0 end
  if passed == 0 then
    if searched > CELLS_SEARCHED and isBegun then put(FREE_AT, pack('<I6', freeAt)) end
    return
  end

  local changed = ''
  if at < c1 then
    changed, n1 = turn(1, n1, at, c1), 0
    if p2 < c2 then
      changed, n2 = changed .. turn(2, n2, p2, c2), 0
      if p3 < c3 then
        if isBegun then put(ringAt[3] - base, turn(3, n3, p3, c3)) end
        n3 = 0
        if p4 < c4 then
          if isBegun then put(ringAt[4] - base, turn(4, n4, p4, c4)) end
          n4 = 0
        end
      end
    end
  end
  changed = pack(HEADER, c1, period, inMonth + passed, s1 + passed, s2 + passed, s3 + passed, s4 + passed,
    n1 + passed, n2 + passed, n3 + passed, n4 + passed, freeAt) .. changed
  if isBegun then put(LIMITS_BYTES, changed)
  else put(0, sub(block, base + 1, base + LIMITS_BYTES) .. changed .. rep('\0', BYTES - LIMITS_BYTES - #changed)) end
  return not isBegun
end

if shadowAt then
  block, base, ringAt = rings[1], SIZE, {1092, 1136, 1380, 1624}
  local isNew = decideShadow(ARGV[shadowAt], open[1])
  if isNew and fresh[1] and admitted == 0 then redis.call('PEXPIRE', KEYS[2], RINGS_LIFE_MS) end
end
if keyShadowAt then
  -- Without a cap of its own in force, the key has leases only for the proposal.
  local function openOfKey(limit)
    if concurrency[2] then return open[2] end
    local key = KEYS[3] .. ':' .. keyId
    local count = redis.call('ZCARD', key)
    if count > 0 and (step[2] > 0 or count + requested > limit) then count = count - redis.call('ZREMRANGEBYSCORE', key, '-inf', now) end
    local leases = {}
    for n = 1, admitted do leases[2 * n - 1], leases[2 * n] = now + leaseMs, ARGV[leaseIdsAt + n - 1] end
    if admitted > 0 then redis.call('ZADD', key, unpack(leases)) end
    return count
  end
  block, base, ringAt, isKeys, hasLong = v[6] or '', 0, {84, 128, 372, 616}, true, false
  decideShadow(ARGV[keyShadowAt], openOfKey)
  if longChanged then redis.call('HSET', KEYS[1], 'w:' .. keyId, sub(block, 1, SHORT_BYTES), longField, sub(block, SHORT_BYTES + 1))
  elseif shortChanged then redis.call('HSET', KEYS[1], 'w:' .. keyId, sub(block, 1, SHORT_BYTES)) end
end
return reply

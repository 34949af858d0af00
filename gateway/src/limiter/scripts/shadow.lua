-- Continues decide.lua for a tier with shadow limits, which decide the same requests by their own windows and change nothing
-- else. The windows of each proposal begin empty; its concurrency limit is compared with the requests that are actually open.
-- Optimized for few operations: limits are stored with the rings, a new cell of a window is checked only when the next shorter
-- window has a new cell, and one write stores the changes of the header and of the following two rings.
local LIMITS_BYTES, HEADER = 32, '<I6I4I4I4I4I4I4I4I4I4I4'   -- the mark and the limits; then the changing fields
local LIMITS_HEADER = '<I4I4I4I4I4I4I6I4I4I4I4I4I4I4I4I4I4'
local RING_AT, BYTES = {1086, 1130, 1374, 1618}, 998
local floor, sub, rep, pack, unpackFrom = math.floor, string.sub, string.rep, struct.pack, struct.unpack
local block, shadow = rings[1], ARGV[shadowAt]
local mark = sub(shadow, 1, 8)
local l1, l2, l3, l4, l5, l6
-- Newest burst cell, month period and count, sums, newest cells.
local at, held, inMonth, s1, s2, s3, s4, n1, n2, n3, n4 = 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
local isBegun = sub(block, SIZE + 1, SIZE + 8) == mark
if isBegun then
  l1, l2, l3, l4, l5, l6, at, held, inMonth, s1, s2, s3, s4, n1, n2, n3, n4 = unpackFrom(LIMITS_HEADER, block, SIZE + 9)
else
  l1, l2, l3, l4, l5, l6 = string.match(shadow, '^%w+ (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)$')
  block = sub(block, 1, SIZE) .. mark .. pack('<I4I4I4I4I4I4', l1, l2, l3, l4, l5, l6) .. rep('\0', BYTES - LIMITS_BYTES)
end
local c1 = floor(now / 100)

-- After the clock was set back, all counts of a window move to the cell of `now`, as in the rings of the account.
local function pullShadowBack()
  local cells = ''
  local function pull(n, s, new)
    local isAhead = floor(at * 100 / MS[n]) > floor(c1 * 100 / MS[n])
    cells = cells .. (isAhead and rep('\0', CELLS[n] * 4) or sub(block, RING_AT[n] + 1, RING_AT[n] + CELLS[n] * 4))
    return isAhead and s or new
  end
  n1, n2, n3, n4 = pull(1, s1, n1), pull(2, s2, n2), pull(3, s3, n3), pull(4, s4, n4)
  at = c1
  block = sub(block, 1, SIZE + LIMITS_BYTES) .. pack(HEADER, at, held, inMonth, s1, s2, s3, s4, n1, n2, n3, n4) .. cells
  redis.call('SETRANGE', KEYS[2], SIZE, sub(block, SIZE + 1))
end
if at > c1 + 1 then pullShadowBack() elseif at > c1 then c1 = at end

-- The remaining sum of a window in cell `c`, after the newest cell `l`. Cells between them take the places of cells that
-- leave.
local function roll(n, s, new, l, c)
  local cells, from = CELLS[n], RING_AT[n] + 1
  if c - l >= cells then return 0 end
  local m = l
  while s > new and m < c do
    m = m + 1
    s = s - unpackFrom('<I4', block, from + (m % cells) * 4)
  end
  return s
end

local p2, p3, p4, c2, c3, c4
if at < c1 then
  s1, p2, c2 = roll(1, s1, n1, at, c1), floor(at / 10), floor(c1 / 10)
  if p2 < c2 then
    s2, p3, c3 = roll(2, s2, n2, p2, c2), floor(p2 / 60), floor(c2 / 60)
    if p3 < c3 then
      s3, p4, c4 = roll(3, s3, n3, p3, c3), floor(p3 / 15), floor(c3 / 15)
      if p4 < c4 then s4 = roll(4, s4, n4, p4, c4) end
    end
  end
end
if held < period then inMonth = 0 end
l1, l2, l3, l4, l5, l6 = l1 - s1, l2 - s2, l3 - s3, l4 - s4, l5 - inMonth, l6 - open[1]
local passed = math.min(asked, l1, l2, l3, l4, l5, l6)
if passed < asked then
  if passed < 0 then passed = 0 end
  reply[#reply + 1] = passed
  reply[#reply + 1] = (l1 <= passed and 1 or 0) + (l2 <= passed and 2 or 0) + (l3 <= passed and 4 or 0) + (l4 <= passed and 8 or 0)
    + (l5 <= passed and 16 or 0) + (l6 <= passed and 32 or 0)
end
if passed == 0 then return reply end

-- The ring with the newest cell `l` written to its place and the following cells up to `c` empty.
local function turn(n, new, l, c)
  local bytes, from = CELLS[n] * 4, RING_AT[n]
  local piece = (c - l) * 4
  if piece >= bytes then return rep('\0', bytes) end
  local place = (l % CELLS[n]) * 4
  local beyond = place + piece - bytes
  if beyond <= 0 then
    return sub(block, from + 1, from + place) .. pack('<I4', new) .. rep('\0', piece - 4) .. sub(block, from + place + piece + 1, from + bytes)
  end
  return rep('\0', beyond) .. sub(block, from + beyond + 1, from + place) .. pack('<I4', new) .. rep('\0', piece - 4 - beyond)
end

local changed = ''
if at < c1 then
  changed, n1 = turn(1, n1, at, c1), 0
  if p2 < c2 then
    changed, n2 = changed .. turn(2, n2, p2, c2), 0
    if p3 < c3 then
      if isBegun then redis.call('SETRANGE', KEYS[2], RING_AT[3], turn(3, n3, p3, c3)) end
      n3 = 0
      if p4 < c4 then
        if isBegun then redis.call('SETRANGE', KEYS[2], RING_AT[4], turn(4, n4, p4, c4)) end
        n4 = 0
      end
    end
  end
end
changed = pack(HEADER, c1, period, inMonth + passed, s1 + passed, s2 + passed, s3 + passed, s4 + passed,
  n1 + passed, n2 + passed, n3 + passed, n4 + passed) .. changed
if isBegun then redis.call('SETRANGE', KEYS[2], SIZE + LIMITS_BYTES, changed)
else redis.call('SETRANGE', KEYS[2], SIZE, sub(block, SIZE + 1, SIZE + LIMITS_BYTES) .. changed .. rep('\0', BYTES - LIMITS_BYTES - #changed)) end
if fresh[1] and admitted == 0 then redis.call('PEXPIRE', KEYS[2], RINGS_LIFE_MS) end
return reply

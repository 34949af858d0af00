-- Continues decide.lua for a tier with shadow limits.
-- Shadow limits decide the same requests by windows of their own, and change nothing else. Their windows begin empty with each
-- proposal; their concurrency limit is compared with the requests that are really open. Written with the fewest operations
-- instead of the fewest lines: the limits are kept with the rings, and one write stores what changed in the header and behind it.
local block, shadow = rings[1], ARGV[shadowAt]
local mark = string.sub(shadow, 1, 8)
local l1, l2, l3, l4, l5, l6
local at, held, inMonth, s1, s2, s3, s4, n1, n2, n3, n4 = 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
local isBegun = string.sub(block, SIZE + 1, SIZE + 8) == mark
if isBegun then
  l1, l2, l3, l4, l5, l6, at, held, inMonth, s1, s2, s3, s4, n1, n2, n3, n4 = struct.unpack(SHADOW_LIMITS_HEAD, block, SIZE + 9)
else
  l1, l2, l3, l4, l5, l6 = string.match(shadow, '^%w+ (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)$')
  block = string.sub(block, 1, SIZE) .. mark .. struct.pack(SHADOW_LIMITS, l1, l2, l3, l4, l5, l6) .. string.rep('\0', SHADOW_SIZE - 32)
end

-- A clock that went back, as for the rings of the account: what a window counts lies in the cell of `now`.
local function pullShadowBack()
  local cells = ''
  local function pull(n, s, new)
    local isAhead = math.floor(at / MS[n]) > math.floor(now / MS[n])
    cells = cells .. (isAhead and string.rep('\0', CELLS[n] * 4) or string.sub(block, SHADOW_AT[n] + 1, SHADOW_AT[n] + CELLS[n] * 4))
    return isAhead and s or new
  end
  n1, n2, n3, n4 = pull(1, s1, n1), pull(2, s2, n2), pull(3, s3, n3), pull(4, s4, n4)
  at = now
  block = string.sub(block, 1, SIZE + 32) .. struct.pack(SHADOW_HEAD, at, held, inMonth, s1, s2, s3, s4, n1, n2, n3, n4) .. cells
  redis.call('SETRANGE', KEYS[2], SIZE, string.sub(block, SIZE + 1))
end
if math.floor(at / MS[1]) > math.floor(now / MS[1]) + 1 then pullShadowBack() end

-- What is left of a window's sum in the cell of `now`, and how many cells that is after the newest one.
local function roll(n, s, new)
  local ms, cells = MS[n], CELLS[n]
  local c, l = math.floor(now / ms), math.floor(at / ms)
  if c <= l then return s, 0 end
  if c - l >= cells then return 0, c - l end
  if s > new then
    for m = l + 1, c do   -- their places are those of the cells that leave
      s = s - struct.unpack('<I4', block, SHADOW_AT[n] + (m % cells) * 4 + 1)
      if s == new then break end
    end
  end
  return s, c - l
end

local d1, d2, d3, d4
s1, d1 = roll(1, s1, n1)
s2, d2 = roll(2, s2, n2)
s3, d3 = roll(3, s3, n3)
s4, d4 = roll(4, s4, n4)
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

-- A ring in which the newest cell got its place and those after it are empty.
local function turn(n, new, step)
  local cells, from = CELLS[n], SHADOW_AT[n]
  if step >= cells then return string.rep('\0', cells * 4) end
  local place, piece = (math.floor(at / MS[n]) % cells) * 4, struct.pack('<I4', new) .. string.rep('\0', (step - 1) * 4)
  local beyond = place + #piece - cells * 4
  if beyond <= 0 then return string.sub(block, from + 1, from + place) .. piece .. string.sub(block, from + place + #piece + 1, from + cells * 4) end
  return string.sub(piece, -beyond) .. string.sub(block, from + beyond + 1, from + place) .. string.sub(piece, 1, -beyond - 1)
end

local changed = ''
if d1 > 0 then changed, n1 = turn(1, n1, d1), 0 end
if d2 > 0 then changed, n2 = changed .. turn(2, n2, d2), 0 end   -- a new second is a new cell of the burst too
if d3 > 0 then
  if isBegun then redis.call('SETRANGE', KEYS[2], SHADOW_AT[3], turn(3, n3, d3)) end
  n3 = 0
end
if d4 > 0 then
  if isBegun then redis.call('SETRANGE', KEYS[2], SHADOW_AT[4], turn(4, n4, d4)) end
  n4 = 0
end
changed = struct.pack(SHADOW_HEAD, now > at and now or at, period, inMonth + passed, s1 + passed, s2 + passed, s3 + passed,
  s4 + passed, n1 + passed, n2 + passed, n3 + passed, n4 + passed) .. changed
if isBegun then redis.call('SETRANGE', KEYS[2], SIZE + 32, changed)
else redis.call('SETRANGE', KEYS[2], SIZE, string.sub(block, SIZE + 1, SIZE + 32) .. changed .. string.rep('\0', SHADOW_SIZE - 32 - #changed)) end
if fresh[1] and admitted == 0 then redis.call('PEXPIRE', KEYS[2], RINGS_LIFE_MS) end
return reply

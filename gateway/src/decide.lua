-- Decides requests of one account and key that arrived together; all of them cost one.
-- KEYS: account hash, rings, leases, prefix of the usage cells (all with the {account} tag).
-- ARGV: 1 kid · 2 3 4 versions of user, subscription, key that the gateway believes (4 empty: no key) ·
-- 5 bits of those it loaded after being told that the field is missing · 6 requests asked for · 7 requests refused locally ·
-- 8 '1' = report the windows although nothing is asked · 9 lease ms · 10 burst · 11 minute · 12 hour · 13 day · 14 month ·
-- 15 concurrency · 16 17 18 start of this, the next and the second next month period (s) · 19 clock in ms for tests, else '' ·
-- 20… lease ids
-- Answers {0 OK, now[, admitted, mask, wait, used × 4, month, open, reset × 4, period end]}, {1 STALE, now, u, s, k} or {2 SEED, now}.
local now = clock(ARGV[19])
local v = redis.call('HMGET', KEYS[1], 'g', 'u', 's', 'k:' .. ARGV[1])
if not v[1] then return {2, now} end
local fields = {'u', 's', 'k:' .. ARGV[1]}
local records = ARGV[4] == '' and 2 or 3
local loaded = tonumber(ARGV[5])
local seen = {}
for i = 1, records do seen[i] = v[i + 1] and tonumber(v[i + 1]) or -1 end
for i = 1, records do
  local isMissing = seen[i] == -1 and bit.band(loaded, 2 ^ (i - 1)) == 0
  if isMissing or tonumber(ARGV[i + 1]) < seen[i] then return {1, now, seen[1], seen[2], seen[3] or -1} end
end
for i = 1, records do
  if tonumber(ARGV[i + 1]) > seen[i] then redis.call('HSET', KEYS[1], fields[i], ARGV[i + 1]) end
end

local asked, refused = tonumber(ARGV[6]), tonumber(ARGV[7])
if refused > 0 then countUsage(KEYS[4], math.floor(now / 60000), ARGV[1], 'refused', refused) end
if asked == 0 and ARGV[8] ~= '1' then return {0, now} end

local b = redis.call('GET', KEYS[2])
local fresh = not b
if fresh then b = string.rep('\0', SIZE) end
local h = {struct.unpack(HEAD, b)}
local function cell(i, n) return struct.unpack('<I4', b, AT[i] + (n % CELLS[i]) * 4 + 1) end

local cur, sum, step, first = {}, {}, {}, {}
local admitted = asked
for i = 1, 4 do
  local last, s, f = h[3 * i - 2], h[3 * i - 1], h[3 * i]
  local c = math.max(math.floor(now / MS[i]), last)      -- a clock that went back stays where it was
  local oldest = c - CELLS[i] + 1
  if last < oldest then
    s, f = 0, c
  elseif s > 0 and f < oldest then
    for n = f, oldest - 1 do s = s - cell(i, n) end
    f = oldest
    while s > 0 and cell(i, f) == 0 do f = f + 1 end
  end
  if s == 0 then f = c end
  cur[i], sum[i], step[i], first[i] = c, s, c - last, f
  admitted = math.min(admitted, tonumber(ARGV[9 + i]) - s)
end
local period, nextPeriod = tonumber(ARGV[16]), tonumber(ARGV[17])
if now >= nextPeriod * 1000 then period, nextPeriod = nextPeriod, tonumber(ARGV[18]) end
local month = h[14] == period and h[13] or 0
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
local open = redis.call('ZCARD', KEYS[3])
admitted = math.max(0, math.min(admitted, tonumber(ARGV[14]) - month, tonumber(ARGV[15]) - open))

local mask, wait = 0, 0
if admitted < asked then
  for i = 1, 4 do
    local need = sum[i] + admitted + 1 - tonumber(ARGV[9 + i])
    if need > 0 then
      mask = mask + 2 ^ (i - 1)
      local n = first[i]                                  -- when enough of the oldest cells have left, one passes
      while need > 0 and n <= cur[i] do
        if n + step[i] <= cur[i] then need = need - cell(i, n) end
        if n == cur[i] then need = need - admitted end
        n = n + 1
      end
      wait = math.max(wait, (n - 1 + CELLS[i]) * MS[i] - now)
    end
  end
  if month + admitted + 1 > tonumber(ARGV[14]) then mask = mask + 16; wait = math.max(wait, nextPeriod * 1000 - now) end
  if open + admitted + 1 > tonumber(ARGV[15]) then mask = mask + 32 end
  countUsage(KEYS[4], math.floor(now / 60000), ARGV[1], 'denied', asked - admitted)
end

if admitted > 0 then
  if fresh then redis.call('SET', KEYS[2], b, 'PX', RINGS_LIFE_MS)
  elseif step[4] > 0 then redis.call('PEXPIRE', KEYS[2], RINGS_LIFE_MS) end
  for i = 1, 4 do
    local value = admitted
    if step[i] == 0 then value = value + cell(i, cur[i])
    elseif step[i] >= CELLS[i] then redis.call('SETRANGE', KEYS[2], AT[i], string.rep('\0', CELLS[i] * 4))
    else for n = cur[i] - step[i] + 1, cur[i] - 1 do redis.call('SETRANGE', KEYS[2], AT[i] + (n % CELLS[i]) * 4, '\0\0\0\0') end end
    redis.call('SETRANGE', KEYS[2], AT[i] + (cur[i] % CELLS[i]) * 4, struct.pack('<I4', value))
  end
  redis.call('SETRANGE', KEYS[2], 0, struct.pack(HEAD, cur[1], sum[1] + admitted, first[1], cur[2], sum[2] + admitted, first[2],
    cur[3], sum[3] + admitted, first[3], cur[4], sum[4] + admitted, first[4], month + admitted, period))
  local leases = {}
  for n = 1, admitted do leases[2 * n - 1], leases[2 * n] = now + ARGV[9], ARGV[19 + n] end
  redis.call('ZADD', KEYS[3], unpack(leases))
  countUsage(KEYS[4], math.floor(now / 60000), ARGV[1], 'admitted', admitted)
end
local reset = {}
for i = 1, 4 do reset[i] = sum[i] + admitted > 0 and (first[i] + CELLS[i]) * MS[i] - now or 0 end
return {0, now, admitted, mask, wait, sum[1], sum[2], sum[3], sum[4], month, open,
  reset[1], reset[2], reset[3], reset[4], nextPeriod * 1000 - now}

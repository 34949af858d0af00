-- Adds what a gateway admitted by its share while Redis was away; the same merge twice adds once. Counters that were seeded
-- since then hold it already, by the usage events, and unknown ones will: to these only the usage cells are added.
-- KEYS: account hash, rings, mark of the gateway's last merge, prefix of the usage cells.
-- ARGV: 1 id of the merge · 2 start of the month period (s) · 3 admitted in it · 4 clock in ms for tests, else '' ·
-- 5 when the share admitted its first (ms) · 6 how many of the following belong to rings · window, cell, count, … ·
-- minute, kid, kind, count, …
-- Answers 0 merged, 1 was merged before, 2 the counters are not known: the share still has to hold.
local now = clock(ARGV[4])
local known = tonumber(redis.call('HGET', KEYS[1], 'g') or '')
local mark, last = redis.call('GET', KEYS[3]), 6 + tonumber(ARGV[6])
if mark == ARGV[1] then return 1 end
redis.call('SET', KEYS[3], known and ARGV[1] or ARGV[1] .. ' usage', 'PX', 3600000)
if mark ~= ARGV[1] .. ' usage' then
  for n = last + 1, #ARGV, 4 do countUsage(KEYS[4], tonumber(ARGV[n]), ARGV[n + 1], ARGV[n + 2], tonumber(ARGV[n + 3])) end
end
if not known then return 2 end
if known > tonumber(ARGV[5]) then return 0 end
local rings = readRings(KEYS[2], now)
addShare(rings, 7, last)
addMonth(rings, tonumber(ARGV[2]), tonumber(ARGV[3]))
writeRings(KEYS[2], rings)
return 0

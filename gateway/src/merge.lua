-- Adds what a gateway admitted by its share while Redis was away; the same merge twice adds once.
-- KEYS: account hash, rings, mark of the gateway's last merge, prefix of the usage cells.
-- ARGV: 1 id of the merge · 2 start of the month period (s) · 3 admitted in it · 4 clock in ms for tests, else '' ·
-- 5 how many of the following belong to rings · window, cell, count, … · minute, kid, kind, count, …
-- Answers 0 merged, 1 was merged before, 2 the counters are not known: seed first.
local now = clock(ARGV[4])
if redis.call('HEXISTS', KEYS[1], 'g') == 0 then return 2 end
if redis.call('GET', KEYS[3]) == ARGV[1] then return 1 end
redis.call('SET', KEYS[3], ARGV[1], 'PX', 3600000)
local rings = readRings(KEYS[2], now)
local last = 5 + tonumber(ARGV[5])
addShare(rings, 6, last)
addMonth(rings, tonumber(ARGV[2]), tonumber(ARGV[3]))
writeRings(KEYS[2], rings)
for n = last + 1, #ARGV, 4 do countUsage(KEYS[4], tonumber(ARGV[n]), ARGV[n + 1], ARGV[n + 2], tonumber(ARGV[n + 3])) end
return 0

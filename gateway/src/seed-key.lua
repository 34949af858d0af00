-- Sets the counters of a key with caps of its own from its roll-ups, once: only if its mark `c:<key>` is still absent.
-- What its rings held is from a time before it was without caps, so it is replaced.
-- KEYS: account hash, the key's rings. ARGV: 1 id of the key · 2 start of the month period (s) · 3 requests since then ·
-- 4 clock in ms for tests, else '' · 5… minute, count, minute, count, …
local now = clock(ARGV[4])
if redis.call('HSETNX', KEYS[1], 'c:' .. ARGV[1], now) == 0 then return 0 end
redis.call('DEL', KEYS[2])
local rings = readRings(KEYS[2], now)
addMinutes(rings, now, 5)
rings.period, rings.month = tonumber(ARGV[2]), tonumber(ARGV[3])
writeRings(KEYS[2], rings)
return 1

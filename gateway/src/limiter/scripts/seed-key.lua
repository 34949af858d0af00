-- Sets the counters of a key with its own caps from its roll-ups, once: only if its mark `c:<key>` is absent.
-- Existing rings are from an earlier time with caps, so they are replaced.
-- KEYS: account hash, the key's rings. ARGV: 1 id of the key · 2 3 start and end of the month period (s) · 4 requests since
-- its start · 5 clock in ms for tests, else '' · 6… minute, count, minute, count, …
-- Returns the same as seed.lua.
local now = clock(ARGV[5])
if not isRunning(now, ARGV[2], ARGV[3]) then return {now} end
if redis.call('HSETNX', KEYS[1], 'c:' .. ARGV[1], now) == 0 then return 0 end
redis.call('DEL', KEYS[2])
local rings = readRings(KEYS[2], now)
addMinutes(rings, now, 6)
rings.period, rings.month = tonumber(ARGV[2]), tonumber(ARGV[4])
writeRings(KEYS[2], rings)
return 1

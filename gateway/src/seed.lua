-- Sets an account's counters from the roll-ups, once: only if the mark `g` is still absent. Versions go upwards in any case.
-- KEYS: account hash, rings. ARGV: 1 kid · 2 3 4 versions of user, subscription, key (4 empty: no key) ·
-- 5 start of the month period (s) · 6 requests since then · 7 clock in ms for tests, else '' · 8… minute, count, minute, count, …
local now = clock(ARGV[7])
raiseVersion(KEYS[1], 'u', ARGV[2])
raiseVersion(KEYS[1], 's', ARGV[3])
if ARGV[4] ~= '' then raiseVersion(KEYS[1], 'k:' .. ARGV[1], ARGV[4]) end
if redis.call('HSETNX', KEYS[1], 'g', now) == 0 then return 0 end
local rings = readRings(KEYS[2], now)
addMinutes(rings, now, 8)
local period = tonumber(ARGV[5])
rings.month = tonumber(ARGV[6]) + (rings.period == period and rings.month or 0)
rings.period = period
writeRings(KEYS[2], rings)
return 1

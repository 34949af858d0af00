-- Sets an account's counters from the roll-ups and raises its versions, once: only if the mark `g` is absent and the ticket
-- is the one issued before the versions were loaded. After another loss the versions may be outdated.
-- KEYS: account hash, rings. ARGV: 1 kid · 2 3 4 versions of user, subscription, key (4 empty: no key) ·
-- 5 6 start and end of the month period (s) · 7 requests since its start · 8 clock in ms for tests, else '' · 9 ticket ·
-- 10… minute, count, minute, count, …
-- Returns 1 if seeded, 0 if no longer needed, or {now} if this clock is in another month, whose requests are needed.
local now = clock(ARGV[8])
if not isRunning(now, ARGV[5], ARGV[6]) then return {now} end
if redis.call('HGET', KEYS[1], 't') ~= ARGV[9] or redis.call('HSETNX', KEYS[1], 'g', now) == 0 then return 0 end
redis.call('HDEL', KEYS[1], 't')
raiseVersion(KEYS[1], 'u', ARGV[2])
raiseVersion(KEYS[1], 's', ARGV[3])
if ARGV[4] ~= '' then raiseVersion(KEYS[1], 'k:' .. ARGV[1], ARGV[4]) end
local rings = readRings(KEYS[2], now)
addMinutes(rings, now, 10)
local period = tonumber(ARGV[5])
rings.month = tonumber(ARGV[7]) + (rings.period >= period and rings.month or 0)
rings.period = period
writeRings(KEYS[2], rings)
return 1

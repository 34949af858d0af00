-- As merge.lua, for the counters of one key with caps of its own. Without its mark, or with a newer one, nothing is added:
-- what the share admitted is in the usage events, from which the key is seeded.
-- KEYS: account hash, the key's rings, mark of the gateway's last merge of this key.
-- ARGV: 1 id of the key · 2 id of the merge · 3 start of the month period (s) · 4 admitted in it ·
-- 5 clock in ms for tests, else '' · 6 when the share admitted its first (ms) · 7… window, cell, count, …
-- Answers 0 merged, 1 was merged before, 2 not added.
local now = clock(ARGV[5])
local known = tonumber(redis.call('HGET', KEYS[1], 'c:' .. ARGV[1]) or '')
if not known or known > tonumber(ARGV[6]) then return 2 end
if redis.call('GET', KEYS[3]) == ARGV[2] then return 1 end
redis.call('SET', KEYS[3], ARGV[2], 'PX', 3600000)
local rings = readRings(KEYS[2], now)
addShare(rings, 7, #ARGV)
addMonth(rings, tonumber(ARGV[3]), tonumber(ARGV[4]))
writeRings(KEYS[2], rings)
return 0

-- As merge.lua, for the counters of one key with caps of its own. Without its mark nothing is added: what the share
-- admitted is in the usage events, from which the key will be seeded.
-- KEYS: account hash, the key's rings, mark of the gateway's last merge of this key.
-- ARGV: 1 id of the key · 2 id of the merge · 3 start of the month period (s) · 4 admitted in it ·
-- 5 clock in ms for tests, else '' · 6… window, cell, count, …
-- Answers 0 merged, 1 was merged before, 2 the key's counters are not known.
local now = clock(ARGV[5])
if redis.call('HEXISTS', KEYS[1], 'c:' .. ARGV[1]) == 0 then return 2 end
if redis.call('GET', KEYS[3]) == ARGV[2] then return 1 end
redis.call('SET', KEYS[3], ARGV[2], 'PX', 3600000)
local rings = readRings(KEYS[2], now)
addShare(rings, 6, #ARGV)
addMonth(rings, tonumber(ARGV[3]), tonumber(ARGV[4]))
writeRings(KEYS[2], rings)
return 0

-- As merge.lua, for the counters of a key with its own caps. Without its mark, or with a newer one, nothing is added, because
-- the admissions of the share are part of the usage events from which the key is seeded.
-- KEYS: account hash, the key's rings, mark of the gateway's last merge of this key.
-- ARGV: 1 id of the key · 2 id of the merge · 3 start of the month period by the gateway's clock (s) · 4 admitted in it ·
-- 5 admitted in the month before · 6 clock in ms for tests, else '' · 7 time of the share's first admission (ms) · 8… window, cell,
-- count, …
-- Returns {2} if nothing was added, otherwise the same as merge.lua.
local now = clock(ARGV[6])
local seededMs = tonumber(redis.call('HGET', KEYS[1], 'c:' .. ARGV[1]) or '')
if not seededMs or seededMs > tonumber(ARGV[7]) then return {2} end
local rings = readRings(KEYS[2], now)
if redis.call('GET', KEYS[3]) == ARGV[2] then return describe(rings, now, 1) end
redis.call('SET', KEYS[3], ARGV[2], 'PX', 3600000)
addShare(rings, 8, #ARGV)
addMonth(rings, now, tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]))
writeRings(KEYS[2], rings)
return describe(rings, now, 0)

-- Adds requests that a gateway admitted by its share while Redis was unavailable; repeating a merge has no effect. Counters
-- seeded since then already include them through the usage events, and missing counters will: for these only usage cells are added.
-- KEYS: account hash, rings, mark of the gateway's last merge, prefix of the usage cells.
-- ARGV: 1 id of the merge · 2 start of the month period by the gateway's clock (s) · 3 admitted in it · 4 admitted in the month
-- before · 5 clock in ms for tests, else '' · 6 time of the share's first admission (ms) · 7 number of following arguments for
-- rings · window, cell, count, … · minute, kid, kind, count, … A negative count subtracts what a decision with a late reply
-- added to its cell.
-- Returns {2} if the counters are missing, so that the share must remain; otherwise {0 merged or 1 merged before, now, usage of
-- burst, minute, hour, day and month, and milliseconds until each frees capacity}.
local now = clock(ARGV[5])
local seededMs = tonumber(redis.call('HGET', KEYS[1], 'g') or '')
local mark, last = redis.call('GET', KEYS[3]), 7 + tonumber(ARGV[7])
local wasMerged = mark == ARGV[1]
if not wasMerged then
  redis.call('SET', KEYS[3], seededMs and ARGV[1] or ARGV[1] .. ' usage', 'PX', 3600000)
  if mark ~= ARGV[1] .. ' usage' then
    for n = last + 1, #ARGV, 4 do addUsage(KEYS[4], tonumber(ARGV[n]), ARGV[n + 1], ARGV[n + 2], tonumber(ARGV[n + 3])) end
  end
end
if not seededMs then return {2} end
local rings = readRings(KEYS[2], now)
if not wasMerged and seededMs <= tonumber(ARGV[6]) then
  addShare(rings, 8, last)
  addMonth(rings, now, tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]))
  writeRings(KEYS[2], rings)
end
return describe(rings, now, wasMerged and 1 or 0)

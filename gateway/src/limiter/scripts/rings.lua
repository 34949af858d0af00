-- Prepended to every script of the limiter; short, because it runs with each. All rings of an account are one string: a header
-- with the number of the newest cell, the running sum, the first non-empty cell and the count of the newest cell per window,
-- month count and period; then the older cells. The newest cell is written to its place when a newer one begins, so most
-- decisions write only the header. The rings of a key with its own caps are a second string of the same format: windows 5 to 8.
-- The rings of an account are followed by those of its shadow limits, if any: the mark of the proposal and its limits; the time
-- of the newest count, month period and count, sum and newest cell per window; then the older cells.
local CELLS = {11, 61, 61, 97, 11, 61, 61, 97}
local MS = {100, 1000, 60000, 900000, 100, 1000, 60000, 900000}
local AT = {88, 132, 376, 620, 88, 132, 376, 620}
local SIZE = 1008
local HEAD = '<I6I4I6I4I6I4I6I4I6I4I6I4I6I4I6I4I4I4'
local RINGS_LIFE_MS = 34 * 86400000
local USAGE_LIFE_S = 48 * 3600

-- The server's clock, or that of a test.
local function clock(given)
  if given ~= '' then return tonumber(given) end
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- Admitted, denied and refused requests per minute and key, in one hash per hour, so that old hours expire.
local function countUsage(prefix, minute, kid, kind, by)
  local key = prefix .. math.floor(minute / 60)
  if redis.call('HINCRBY', key, minute .. ':' .. kid .. ':' .. kind, by) == by then redis.call('EXPIRE', key, USAGE_LIFE_S) end
end

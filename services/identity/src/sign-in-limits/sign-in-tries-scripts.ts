/**
 * ARGV: now, lifetime of the counts, then name, free tries, first delay, longest delay of each count. All counts are
 * checked before any is incremented; a delayed try increments none. Returns how long to wait; 0: allowed.
 */
export const TAKE_TRY = `
local now = tonumber(ARGV[1])
local wait, counts = 0, {}
for n = 3, #ARGV, 4 do
  local tries, untilMs = string.match(redis.call('HGET', KEYS[1], ARGV[n]) or '0 0', '^(%d+) (%d+)$')
  counts[#counts + 1] = tonumber(tries)
  wait = math.max(wait, math.min(tonumber(untilMs) - now, tonumber(ARGV[n + 3])))
end
if wait > 0 then return math.ceil(wait) end
for i, before in ipairs(counts) do
  local n = 4 * i - 1
  local tries, free = before + 1, tonumber(ARGV[n + 1])
  local untilMs = 0
  if tries >= free then
    untilMs = now + math.min(tonumber(ARGV[n + 2]) * 2 ^ math.min(tries - free, 30), tonumber(ARGV[n + 3]))
  end
  redis.call('HSET', KEYS[1], ARGV[n], string.format('%d %d', tries, untilMs))
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 0`

/** ARGV: name, and 'one' (the try does not count) or 'all' (the password was correct), of each count. */
export const REFUND_TRY = `
for n = 1, #ARGV, 2 do
  local tries = string.match(redis.call('HGET', KEYS[1], ARGV[n]) or '0 0', '^(%d+)')
  if ARGV[n + 1] == 'all' or tonumber(tries) <= 1 then redis.call('HDEL', KEYS[1], ARGV[n])
  else redis.call('HSET', KEYS[1], ARGV[n], string.format('%d 0', tonumber(tries) - 1)) end
end
return 1`

-- Takes a slot of a list of leases, if the limit permits. KEYS: leases. ARGV: 1 lease ms · 2 limit · 3 lease id.
-- Returns {1 taken or 0 full, slots in use}.
local now = clock('')
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local used = redis.call('ZCARD', KEYS[1])
if used >= tonumber(ARGV[2]) then return {0, used} end
redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[3])
return {1, used + 1}

-- Extends leases of open requests, by the server's clock. KEYS: leases. ARGV: 1 lease ms · 2… lease ids.
local now = clock('')
for n = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[n]) end
return #ARGV - 1

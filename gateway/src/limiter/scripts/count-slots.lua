-- Leases that have not expired. KEYS: leases.
return redis.call('ZCOUNT', KEYS[1], '(' .. clock(''), '+inf')

import { Tapeline } from '@tapeline/client'

const { month, windows } = await new Tapeline().limits.read()
for (const { scope, policy, used, limit } of windows) console.log(scope, policy, used, 'of', limit)
console.log('the month ends at', month.to)

import { loopbackAddress, timedRequest } from '../bench/timed-request.ts'
import { atRate, type Statuses, statusesOf } from './at-rate.ts'

export const LOGIN = '/api/v1/internal/user/login'

export type FloodOrder = { port: number; emails: string[]; perSecond: number; forMs: number }

/** A separate process, so that guessing uses no CPU time of the core of data requests. */
let sent = 0
process.on('message', async ({ port, emails, perSecond, forMs }: FloodOrder) => {
  const answers = await atRate(perSecond, forMs, () => {
    const email = emails[(sent += 1) % emails.length] ?? ''
    const body = { email, password: 'not the password' }
    return timedRequest({ port, path: LOGIN, method: 'POST', body, localAddress: loopbackAddress(sent) })
  })
  process.send?.(statusesOf(answers) satisfies Statuses)
})
process.on('disconnect', () => process.exit())

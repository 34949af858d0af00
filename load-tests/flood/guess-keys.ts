import { Agent } from 'node:http'
import { timedRequest } from '../bench/timed-request.ts'
import { unknownKey } from '../lib/unknown-key.ts'
import { atRate, type Statuses, statusesOf } from './at-rate.ts'

export type KeyGuesses = { port: number; path: string; perSecond: number; forMs: number }

const CONNECTIONS_MAX = 512
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX })

/** Sends wrong API keys from one address, in a separate process. */
process.on('message', async ({ port, path, perSecond, forMs }: KeyGuesses) => {
  const answers = await atRate(perSecond, forMs, () =>
    timedRequest({ port, path, agent, headers: { 'x-api-key': unknownKey() } }),
  )
  process.send?.(statusesOf(answers) satisfies Statuses)
})
process.on('disconnect', () => process.exit())

import { type Fault, startFaultProxy } from '@tapeline/testing/fault-proxy'

export type RedisBetween = {
  url: string
  setMode: (mode: Fault, slowMs?: number) => void
  occurrences: (word: string) => number
  stop: () => Promise<void>
}

/** A proxy between a gateway under test and the real Redis: it simulates outages without stopping Redis for other tests. */
export async function startRedisBetween(redisUrl: string): Promise<RedisBetween> {
  const { port, setFault, occurrences, stop } = await startFaultProxy(redisUrl)
  return { url: `redis://127.0.0.1:${port}`, setMode: setFault, occurrences, stop }
}

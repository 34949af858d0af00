import { connect, createServer, type Socket } from 'node:net'

/** `pass`: as it is. `hang`: nothing comes through. `late`: commands do, replies wait. `refuse`: none is accepted, open ones break. */
export type Mode = 'pass' | 'hang' | 'late' | 'refuse'
export type RedisBetween = { url: string; setMode: (mode: Mode) => void; stop: () => Promise<void> }

/** A wire between a gateway under test and the real Redis, to take Redis away without stopping it for others. */
export async function startRedisBetween(redisUrl: string): Promise<RedisBetween> {
  const { hostname, port } = new URL(redisUrl)
  const pairs = new Set<[Socket, Socket]>()
  let mode: Mode = 'pass'
  const server = createServer((client) => {
    if (mode === 'refuse') {
      client.destroy()
      return
    }
    const redis = connect(Number(port), hostname)
    const pair: [Socket, Socket] = [client, redis]
    pairs.add(pair)
    if (mode === 'pass') client.pipe(redis).pipe(client)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        client.destroy()
        redis.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the wire does not listen')
  return {
    url: `redis://127.0.0.1:${address.port}`,
    setMode(next) {
      mode = next
      for (const [client, redis] of pairs) {
        client.unpipe(redis)
        redis.unpipe(client)
        if (next === 'pass') client.pipe(redis).pipe(client)
        else if (next === 'late') client.pipe(redis)
        else if (next === 'refuse') client.destroy()
      }
    },
    async stop() {
      for (const [client] of pairs) client.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

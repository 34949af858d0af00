import { connect, createServer, type Socket } from 'node:net'
import { waitUntil } from './wait-until.ts'

export type Balancer = {
  url: string
  add: (url: string) => void
  /** Number of connections forwarded to each address so far. */
  handedTo: (url: string) => number
  untilHealthy: (url: string) => Promise<void>
  stop: () => Promise<void>
}
type Backend = { url: string; port: number; isHealthy: boolean; handed: number }

const PROBE_EVERY_MS = 50
const PROBE_TIMEOUT_MS = 2_000
const HEALTHY_WITHIN_MS = 60_000

/** Forwards connections round-robin to the addresses whose /readyz succeeds, without reading their traffic. */
export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const backends: Backend[] = []
  const probes: (() => void)[] = []
  const add = (url: string): void => {
    const backend = { url, port: Number(new URL(url).port), isHealthy: false, handed: 0 }
    backends.push(backend)
    probes.push(probeForEver(backend))
  }
  for (const url of urls) add(url)
  const sockets = new Set<Socket>()
  let turn = 0
  const server = createServer({ noDelay: true }, (client) => {
    trackSocket(sockets, client)
    turn += 1
    const order = [...backends.slice(turn % backends.length), ...backends.slice(0, turn % backends.length)]
    join(
      client,
      order.filter(({ isHealthy }) => isHealthy),
      sockets,
    )
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  const named = (url: string) => {
    const backend = backends.find((one) => one.url === url)
    if (backend === undefined) throw new Error(`${url} is not behind this balancer`)
    return backend
  }
  return {
    url: `http://127.0.0.1:${port}`,
    add,
    handedTo: (url) => named(url).handed,
    untilHealthy: async (url) =>
      void (await waitUntil(`${url} is healthy`, () => named(url).isHealthy, HEALTHY_WITHIN_MS)),
    async stop() {
      for (const stopProbe of probes) stopProbe()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A backend that refuses the connection is skipped: no bytes have been sent yet. */
function join(client: Socket, [backend, ...others]: Backend[], sockets: Set<Socket>): void {
  if (backend === undefined) {
    client.destroy()
    return
  }
  const gateway = connect({ host: '127.0.0.1', port: backend.port, noDelay: true })
  trackSocket(sockets, gateway)
  const tryNext = () => join(client, others, sockets)
  gateway.once('error', tryNext)
  gateway.once('connect', () => {
    gateway.off('error', tryNext)
    backend.handed += 1
    for (const [from, to] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroySoon())
    }
  })
}

function probeForEver(backend: Backend): () => void {
  let isStopped = false
  const probe = async (): Promise<void> => {
    backend.isHealthy = await isReady(backend.url)
    if (!isStopped) setTimeout(() => void probe(), PROBE_EVERY_MS)
  }
  void probe()
  return () => (isStopped = true)
}

async function isReady(url: string): Promise<boolean> {
  try {
    const headers = { connection: 'close' }
    const reply = await fetch(`${url}/readyz`, { headers, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    await reply.arrayBuffer()
    return reply.ok
  } catch {
    return false
  }
}

function trackSocket(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  socket.on('error', () => undefined)
}

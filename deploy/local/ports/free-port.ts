import { createServer } from 'node:net'

/** Below the ephemeral range, where no outgoing connection can take it between the choice and its use. */
const LOWEST = 12_000
const HIGHEST = 32_000
const ATTEMPTS_MAX = 200
const handedOut = new Set<number>()

export async function takeFreePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    if (handedOut.has(port)) continue
    if (await isPortFree(port)) {
      handedOut.add(port)
      return port
    }
  }
  throw new Error(`no free port found in ${ATTEMPTS_MAX} attempts`)
}

export async function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}

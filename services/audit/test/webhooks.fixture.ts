import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createSecretVault } from '../src/webhooks/secret-vault.ts'

/** Webhook dependencies of a service under test: endpoints may be on loopback. */
export const testWebhooks = {
  vault: createSecretVault('a-key-of-webhook-secrets-for-tests'),
  addresses: { allowsLoopback: true },
}

export type ReceivedWebhook = { path: string; headers: IncomingHttpHeaders; body: string; atMs: number }
export type ReceiverAnswer = { status: number; headers?: Record<string, string>; body?: string } | 'never'

/** A server that records webhooks and answers each path as configured: 200 by default, `never`: not at all. */
export async function startReceiver() {
  const received: ReceivedWebhook[] = []
  const answers = new Map<string, ReceiverAnswer>()
  const open = new Map<string, number>()
  const openMax = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const count = (open.get(path) ?? 0) + 1
    open.set(path, count)
    openMax.set(path, Math.max(count, openMax.get(path) ?? 0))
    response.once('close', () => open.set(path, (open.get(path) ?? 1) - 1))
    const body = await text(request).catch(() => '')
    received.push({ path, headers: request.headers, body, atMs: Date.now() })
    const answer = answers.get(path) ?? { status: 200 }
    if (answer === 'never') return
    response.writeHead(answer.status, answer.headers)
    response.end(answer.body ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    received,
    receivedAt: (path: string) => received.filter((one) => one.path === path),
    answer: (path: string, answer: ReceiverAnswer) => answers.set(path, answer),
    openMaxOf: (path: string) => openMax.get(path) ?? 0,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Kysely } from 'kysely'
import type { Tables } from '../src/tables.ts'
import { insertEndpoint } from '../src/webhooks/endpoints/endpoint-queries.ts'
import { newWebhookSecret } from '../src/webhooks/endpoints/webhook-secret.ts'
import type { SecretVault } from '../src/webhooks/secret-vault.ts'

export type EndpointKind = 'healthy' | 'slow' | 'failing' | 'silent'

const SLOW_MS = 5_000
const SLOW_UP_TO = 5
const FAILING_UP_TO = 10
const FAILURE = 500

/** Out of 100 endpoints, 5 are slow, 5 fail, one never answers, and 89 are healthy. */
export function endpointKind(n: number): EndpointKind {
  if (n < SLOW_UP_TO) return 'slow'
  if (n < FAILING_UP_TO) return 'failing'
  return n === FAILING_UP_TO ? 'silent' : 'healthy'
}

/** A server with an endpoint of each kind. `arrivedAt`: when the first request with a webhook-id began. */
export async function startEndpoints() {
  const arrived = new Map<string, number>()
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    if (!arrived.has(id)) arrived.set(id, Date.now())
    request.resume()
    const kind = request.url?.slice(1)
    if (kind === 'silent') return
    response.statusCode = kind === 'failing' ? FAILURE : 200
    if (kind === 'slow') setTimeout(() => response.end(), SLOW_MS)
    else response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (kind: EndpointKind) => `http://127.0.0.1:${port}/${kind}`,
    arrivedAt: (id: string) => arrived.get(id),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type EndpointSelection = { count: number; isIncluded: (n: number) => boolean }

/** One account per endpoint. */
export async function makeEndpoints(
  { db, vault }: { db: Kysely<Tables>; vault: SecretVault },
  url: (kind: EndpointKind) => string,
  { count, isIncluded }: EndpointSelection,
): Promise<{ accountId: string; kind: EndpointKind }[]> {
  const created: { accountId: string; kind: EndpointKind }[] = []
  for (let n = 0; n < count; n += 1) {
    if (!isIncluded(n)) continue
    const [accountId, kind] = [crypto.randomUUID(), endpointKind(n)]
    await db.transaction().execute((trx) =>
      insertEndpoint(trx, {
        id: crypto.randomUUID(),
        account_id: accountId,
        tier: 'basic',
        name: `${kind} ${n}`,
        url: url(kind),
        event_types: ['key.created'],
        state: 'active',
        disabled_reason: null,
        failing_since: null,
        encrypted_secret: vault.encrypt(newWebhookSecret()),
        previous_encrypted_secret: null,
        previous_secret_until: null,
        idempotency_key: null,
        fingerprint: null,
        created_at: new Date().toISOString(),
      }),
    )
    created.push({ accountId, kind })
  }
  return created
}

import { createKeyFor } from '@tapeline/testing/api-client'
import {
  accepting,
  type Applied,
  type Change,
  change,
  ChangeRefused,
  marketData,
  refusing,
  type Step,
} from './change.ts'

export type KeyOwner = { gatewayUrl: string; token: () => Promise<string> }

const OTHER_NETWORK = '203.0.113.0/24'
const EXPIRES_IN_MS = 150
const EXPIRES_IN_MAX_MS = 10_000
/** Two clocks of one process, read in sequence. */
const CLOCKS_APART_MS = 2

/** Changes of a key that apply to the next request. */
export async function keyChanges({ gatewayUrl, token }: KeyOwner): Promise<Change[]> {
  const keys = `${gatewayUrl}/api/v1/internal/api-keys`
  const { apiKey, key } = await createKeyFor(gatewayUrl, await token())
  const put = async (body: object) => change(`${keys}/${key.id}`, { method: 'PUT', token: await token(), body })
  const there = (name: string, steps: Step[]): Change => ({
    name,
    probe: marketData,
    newTrial: async () => ({ credential: apiKey, steps }),
  })
  return [
    {
      name: 'revocation',
      probe: marketData,
      async newTrial() {
        const own = await createKeyFor(gatewayUrl, await token())
        const revoke = async () => change(`${keys}/${own.key.id}/revoke`, { method: 'PATCH', token: await token() })
        const remove = async () => change(`${keys}/${own.key.id}/delete`, { method: 'DELETE', token: await token() })
        return { credential: own.apiKey, steps: [refusing('revoke', revoke)], end: remove }
      },
    },
    there('key on and off', [
      refusing('deactivate', () => put({ is_active: false })),
      accepting('re-activate', () => put({ is_active: true })),
    ]),
    there('networks', [
      refusing('another network', () => put({ networks: [OTHER_NETWORK] })),
      accepting('any network', () => put({ networks: [] })),
    ]),
    there('scopes', [
      refusing('scope taken', () => put({ scopes: ['l2events:read'] })),
      accepting('scope given', () => put({ scopes: ['trades:read', 'l2events:read'] })),
    ]),
    there('expiry', [
      refusing('expiry', () => expireSoon(put, EXPIRES_IN_MS)),
      accepting('no expiry', () => put({ expires_at: null })),
    ]),
  ]
}

/** An expiry in the near future applies from that time on. If the machine was too slow, a later time is tried. */
async function expireSoon(put: (body: object) => Promise<Applied>, inMs: number): Promise<Applied> {
  const atMs = Date.now() + inMs
  try {
    const { isPublished, fromMs } = await put({ expires_at: new Date(atMs).toISOString() })
    // In this order, so that a pause between the two can only make the expiry late.
    const leftMs = Math.max(0, atMs - Date.now())
    return { isPublished, fromMs: Math.max(fromMs, performance.now() + leftMs + CLOCKS_APART_MS) }
  } catch (error) {
    const isLate = error instanceof ChangeRefused && error.text.includes('expiry_in_past')
    if (!isLate || inMs > EXPIRES_IN_MAX_MS) throw error
    return expireSoon(put, 2 * inMs)
  }
}

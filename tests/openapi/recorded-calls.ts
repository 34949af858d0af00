import type { RequestPage } from '@tapeline/contracts/audit/requests'
import { createKeyFor, send, type TestAccount } from '@tapeline/testing/api-client'
import { accountCalls } from './recorded-account-calls.ts'
import { adminCalls } from './recorded-admin-calls.ts'
import { guestCalls } from './recorded-guest-calls.ts'
import { waitUntil } from '@tapeline/testing/wait-until'

/**
 * A call of the document that is made on a running platform, and whose answer becomes its example. `{name}` in its path
 * and body stands for a value that an earlier call saved: `saves` names a field of the answer, such as `data.key.id`.
 */
export type RecordedCall = {
  id: string
  method?: string
  path: string
  body?: unknown
  credential: 'key' | 'session' | 'guest' | 'other' | 'admin' | 'none'
  saves?: Readonly<Record<string, string>>
  /** Repeated until a field of the answer has this value. */
  until?: { field: string; value: string }
  /** Saves the token of the link to a page that the call mails to an address. */
  mails?: { to: string; page: string; saves: string }
  /** Only these entries of `data` are shown. */
  keeps?: readonly string[]
  /** A setup call for later ones; its response is not recorded. */
  isPreparation?: true
}

const INTERNAL = '/api/v1/internal'
const SELECTION = { venues: ['sim'], symbols: ['BTC-USDT'], limit: 2 }

export function callsToRecord(): readonly RecordedCall[] {
  const data = (id: string, path: string, body?: unknown): RecordedCall => ({
    id,
    path: `/api/v1/${path}`,
    credential: 'key',
    ...(body === undefined ? {} : { body }),
  })
  const own = (id: string, path: string): RecordedCall => ({ id, path: `${INTERNAL}/${path}`, credential: 'session' })
  const change = (id: string, call: string, body?: unknown): RecordedCall => {
    const [method = '', path = ''] = call.split(' ')
    return { ...own(id, path), method, ...(body === undefined ? {} : { body }) }
  }
  const open = (id: string, path: string): RecordedCall => ({ id, path, credential: 'none' })
  return [
    data('list-bars', 'trades/bars', { ...SELECTION, interval: '1m' }),
    data('list-quotes', 'quotes/list', SELECTION),
    data('read-latest-trade', 'trades/latest', { venues: ['sim'], symbols: ['BTC-USDT'] }),
    data('read-latest-quotes', 'quotes/latest', { venues: ['sim'], symbols: ['BTC-USDT'] }),
    data('read-book', 'l2events/book', { venue: 'sim', symbol: 'BTC-USDT', depth: 2 }),
    data('read-latest-l2-event', 'l2events/latest', { venues: ['sim'], symbols: ['BTC-USDT'], depth: 1 }),
    data('list-instruments', 'instruments'),
    data('list-files', 'files?limit=1'),
    data('read-limits', 'limits'),
    { ...data('create-stream-ticket', 'stream/tickets'), method: 'POST' },
    open('read-sample', '/api/v1/sample/BTC-USDT'),
    open('list-evidence-keys', '/api/v1/evidence-keys'),
    open('check-health', '/api/v1/health'),
    open('read-status', '/api/v1/status'),
    open('list-sample-symbols', '/api/v1/sample'),
    open('read-pricing', `${INTERNAL}/subscription/pricing`),
    own('list-keys', 'api-keys'),
    own('show-key', 'api-keys/{key}'),
    own('read-key-usage', 'api-keys/usage?api_key_id={key}'),
    own('read-usage-breakdown', 'apikeyaudit/usage-breakdown?period=1h&groupBy=endpoint'),
    own('read-real-time-stats', 'apikeyaudit/real-time-stats'),
    own('list-requests', 'requests?limit=2'),
    own('explain-request', 'requests/{request}'),
    own('list-audit-trail', 'audit-trail?limit=2'),
    { ...own('list-notifications', 'notifications?limit=2'), saves: { notification: 'data.notifications.0.id' } },
    change('mark-notification-read', 'PATCH notifications/{notification}/read'),
    own('read-subscription', 'subscription'),
    own('read-settings', 'user/settings'),
    own('list-sessions', 'user/sessions'),
    own('list-own-flags', 'user/feature-flags'),
    own('read-own-flag', 'user/feature-flags/api_key_audit'),
    own('list-webhooks', 'webhooks'),
    own('list-reports', 'reports'),
    change('update-key', 'PUT api-keys/{key}', { name: 'orders', tags: ['team:data'] }),
    change('put-key', 'PUT api-keys/by-external-id/orders-prod', { name: 'orders', scopes: ['trades:read'] }),
    ...accountCalls({ own, change, open }),
    change('change-keys', 'POST api-keys/bulk', { tag: 'team:data', action: 'deactivate' }),
    ...guestCalls(),
    ...adminCalls(),
  ]
}

/** Values that the calls use: a key that has made one call, the id of that call in the log, and a second key. */
export async function prepareCalls(gatewayUrl: string, { jwtToken }: TestAccount) {
  const { apiKey, key } = await createKeyFor(gatewayUrl, jwtToken, 'reader')
  const spare = await createKeyFor(gatewayUrl, jwtToken, 'pipeline')
  await send(`${gatewayUrl}/api/v1/trades/list`, { token: apiKey, body: SELECTION })
  const requestId = await waitUntil('the call is logged', async () => {
    const log = await send<{ data: RequestPage }>(`${gatewayUrl}${INTERNAL}/requests`, { token: jwtToken })
    return log.body.data.requests[0]?.id
  })
  return { apiKey, values: { key: key.id, request: requestId, spare: spare.key.id, secret: spare.apiKey } }
}

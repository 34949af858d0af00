import type { CreatedKey } from '@tapeline/contracts/api-key/http'
import type { RequestPage } from '@tapeline/contracts/audit/requests'
import { send, type TestAccount } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'

/** A call of the document that is made on a running platform, and whose answer becomes its example. */
export type RecordedCall = {
  id: string
  method?: string
  path: string
  body?: unknown
  credential: 'key' | 'session' | 'none'
}

const INTERNAL = '/api/v1/internal'
const SELECTION = { venues: ['sim'], symbols: ['BTC-USDT'], limit: 2 }

/** Ids that the calls of one account name: those of its key and of one logged request. */
export type CallIds = { keyId: string; requestId: string }

export function callsToRecord({ keyId, requestId }: CallIds): readonly RecordedCall[] {
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
    data('list-instruments', 'instruments'),
    open('check-health', '/api/v1/health'),
    open('read-status', '/api/v1/status'),
    open('list-sample-symbols', '/api/v1/sample'),
    open('read-pricing', `${INTERNAL}/subscription/pricing`),
    own('list-keys', 'api-keys'),
    own('show-key', `api-keys/${keyId}`),
    own('read-key-usage', `api-keys/usage?api_key_id=${keyId}`),
    own('read-usage-breakdown', 'apikeyaudit/usage-breakdown?period=1h&groupBy=endpoint'),
    own('read-real-time-stats', 'apikeyaudit/real-time-stats'),
    own('list-requests', 'requests?limit=2'),
    own('explain-request', `requests/${requestId}`),
    own('list-audit-trail', 'audit-trail?limit=2'),
    own('list-notifications', 'notifications?limit=2'),
    own('read-subscription', 'subscription'),
    own('read-settings', 'user/settings'),
    own('list-sessions', 'user/sessions'),
    own('list-own-flags', 'user/feature-flags'),
    own('list-webhooks', 'webhooks'),
    own('list-reports', 'reports'),
    change('update-key', `PUT api-keys/${keyId}`, { name: 'orders', tags: ['team:data'] }),
    change('put-key', 'PUT api-keys/by-external-id/orders-prod', { name: 'orders', scopes: ['trades:read'] }),
    change('change-keys', 'POST api-keys/bulk', { tag: 'team:data', action: 'deactivate' }),
  ]
}

/** A key that has made one call, and the id of that call in the log. */
export async function prepareCalls(gatewayUrl: string, { jwtToken }: TestAccount) {
  const { body } = await send<{ data: CreatedKey }>(`${gatewayUrl}${INTERNAL}/api-keys`, {
    token: jwtToken,
    body: { name: 'reader' },
  })
  const { apiKey, key } = body.data
  await send(`${gatewayUrl}/api/v1/trades/list`, { token: apiKey, body: SELECTION })
  const requestId = await waitUntil('the call is logged', async () => {
    const log = await send<{ data: RequestPage }>(`${gatewayUrl}${INTERNAL}/requests`, { token: jwtToken })
    return log.body.data.requests[0]?.id
  })
  return { apiKey, ids: { keyId: key.id, requestId } }
}

import { createECDH, createHash, randomBytes } from 'node:crypto'
import type { RecordedCall } from './recorded-calls.ts'

type Own = (id: string, path: string) => RecordedCall
type Change = (id: string, call: string, body?: unknown) => RecordedCall
const sha256 = createHash('sha256').update('a key of another gateway').digest('hex')
const REPORT = { api_key_id: null, status: null, breakdown: 'day', weekday: 1, hour: 6, active: true, format: 'csv' }

const PUSH_ENDPOINT = 'https://push.example.com/send/orders'

/** Calls of an account; they affect the responses of later calls. */
export function accountCalls({ own, change, open }: { own: Own; change: Change; open: Own }): readonly RecordedCall[] {
  return [
    ...keyCalls(own, change, open),
    ...reportCalls(own, change),
    ...webhookCalls(own, change),
    ...settingCalls(own, change),
    ...signInCalls(own, change),
  ]
}

/** Sets shadow limits of the spare key and removes them again, then sets some that become its own. */
function shadowCalls(own: Own, change: Change): RecordedCall[] {
  const shadow = 'api-keys/{spare}/shadow'
  const saves = { proposal: 'data.key.shadow_limits.id' }
  const caps = { rate_limits: { requestsPerMinute: 300, concurrentRequests: 5 } }
  return [
    { ...change('propose-key-limits', `PUT ${shadow}`, caps), saves },
    own('show-key-shadow', 'apikeyaudit/key-shadow/{proposal}'),
    change('withdraw-key-limits', `DELETE ${shadow}`),
    { ...change('propose-key-limits', `PUT ${shadow}`, caps), saves, isPreparation: true },
    change('apply-key-limits', `POST ${shadow}/apply`, { proposal: '{proposal}' }),
  ]
}

function keyCalls(own: Own, change: Change, open: Own): RecordedCall[] {
  const leaked = { keys: ['{secret}'], url: 'https://example.com/pastes/1' }
  return [
    ...shadowCalls(own, change),
    change('regenerate-key', 'POST api-keys/{spare}/regenerate', { grace_seconds: 900 }),
    change('end-old-secret', 'PATCH api-keys/{spare}/end-grace'),
    change('revoke-key', 'PATCH api-keys/{spare}/revoke'),
    change('delete-key', 'DELETE api-keys/{spare}/delete'),
    change('import-keys', 'POST api-keys/import', {
      keys: [{ name: 'reader', sha256, prefix: 'acme_', tags: ['old'] }],
    }),
    own('show-leak-policy', 'api-keys/leak-policy'),
    change('set-leak-policy', 'PUT api-keys/leak-policy', { action: 'warn' }),
    { ...open('report-leaked-keys', '/api/v1/leaked-keys'), body: leaked },
    own('read-key-analytics', 'api-keys/{key}/analytics?days=1'),
    own('read-metrics', 'apikeyaudit/dashboard-metrics?period=1h'),
    own('read-usage-by-key', 'apikeyaudit/api-key-usage?period=1h'),
    own('forecast-usage', 'usage-forecast'),
    own('list-statements', 'statements'),
    own('read-statement', 'statements/{month}'),
  ]
}

function reportCalls(own: Own, change: Change): RecordedCall[] {
  const alert = { name: 'Most of the day used', api_key_id: null, policy: 'day', percent: 80, active: true }
  const saves = { id: 'data.id' }
  return [
    { ...change('create-alert', 'POST alerts', { ...alert, channels: ['email'] }), saves: { alert: saves.id } },
    change('update-alert', 'PUT alerts/{alert}', { ...alert, percent: 90, channels: ['email', 'push'] }),
    own('list-alerts', 'alerts'),
    change('delete-alert', 'DELETE alerts/{alert}'),
    { ...change('create-report', 'POST reports', { ...REPORT, name: 'Per day' }), saves: { report: saves.id } },
    change('update-report', 'PUT reports/{report}', { ...REPORT, name: 'Per hour', breakdown: 'hour' }),
    change('send-report', 'POST reports/{report}/send'),
    change('delete-report', 'DELETE reports/{report}'),
  ]
}

function webhookCalls(own: Own, change: Change): RecordedCall[] {
  const endpoint = { name: 'deploys', url: 'https://hooks.example.com/tapeline', event_types: ['key.created'] }
  return [
    { ...change('create-webhook', 'POST webhooks', endpoint), saves: { webhook: 'data.endpoint.id' } },
    change('update-webhook', 'PUT webhooks/{webhook}', { event_types: ['key.created', 'key.revoked'] }),
    change('rotate-webhook-secret', 'POST webhooks/{webhook}/rotate-secret', { overlap_hours: 24 }),
    { ...change('test-webhook', 'POST webhooks/{webhook}/test'), saves: { delivery: 'data.id' } },
    own('list-webhook-deliveries', 'webhooks/{webhook}/deliveries?limit=1'),
    own('show-webhook-delivery', 'webhooks/{webhook}/deliveries/{delivery}'),
    change('redeliver-webhook', 'POST webhooks/{webhook}/deliveries/{delivery}/redeliver'),
    change('redeliver-webhooks', 'POST webhooks/{webhook}/redeliver', {
      from: '2026-01-01T00:00:00Z',
      to: '2026-01-02T00:00:00Z',
    }),
    change('delete-webhook', 'DELETE webhooks/{webhook}'),
  ]
}

function settingCalls(own: Own, change: Change): RecordedCall[] {
  return [
    own('read-details', 'user/details'),
    change('update-profile', 'PATCH user/update', { first_name: 'Ada', reminder_time: 9 }),
    change('save-settings', 'PUT user/settings', { user_settings: { theme: 'dark', dashboardItemsPerPage: 20 } }),
    change('mark-notifications-read', 'PATCH notifications/read'),
    own('read-push-key', 'user/push-key'),
    change('subscribe-to-push', 'POST user/push-subscriptions', { endpoint: PUSH_ENDPOINT, keys: browserKeys() }),
    change('unsubscribe-from-push', 'DELETE user/push-subscriptions', { endpoint: PUSH_ENDPOINT }),
  ]
}

function signInCalls(own: Own, change: Change): RecordedCall[] {
  const anonymous = (id: string, path: string, body: object): RecordedCall => ({
    ...change(id, `POST ${path}`, body),
    credential: 'none',
  })
  const started = { code: 'data.user_code', device: 'data.device_code' }
  return [
    anonymous('log-in', 'user/login', { email: '{email}', password: '{password}' }),
    anonymous('refresh-session', 'user/refresh', { refreshToken: '{refresh}' }),
    { ...anonymous('start-device-login', 'user/device-logins', { client_name: 'Tapeline on laptop' }), saves: started },
    own('show-device-login', 'user/device-logins/{code}'),
    change('decide-device-login', 'PUT user/device-logins/{code}', { decision: 'approve' }),
    anonymous('finish-device-login', 'user/device-logins/finish', { device_code: '{device}' }),
  ]
}

/** Keys as a browser creates them for a subscription (RFC 8291). */
function browserKeys(): { p256dh: string; auth: string } {
  return { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: randomBytes(16).toString('base64url') }
}

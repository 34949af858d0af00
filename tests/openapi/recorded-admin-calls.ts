import type { RecordedCall } from './recorded-calls.ts'

const CONFIG = 'user_settings.chart_presets'
const FLAG = { flag_key: 'order_book_heatmap', role: 'user', enabled: false, description: 'Heatmap of the order book' }
const SHIPPED = {
  burstLimit: 100,
  requestsPerMinute: 500,
  requestsPerHour: 5_000,
  requestsPerDay: 50_000,
  requestsPerMonth: 1_000_000,
  concurrentRequests: 20,
}
const REPLAYED = { name: 'pro', rateLimits: { requestsPerMinute: 5 } }

/** Calls of an administrator. Platform-wide changes affect only their own resources or are undone by a later call. */
export function adminCalls(): readonly RecordedCall[] {
  return [...flagCalls(), ...configCalls(), ...tierCalls(), ...checkCalls(), ...userCalls(), ...venueCalls()]
}

function admin(id: string, call: string, body?: object): RecordedCall {
  const [method = '', path = ''] = call.split(' ')
  return { id, method, path: `/api/v1/admin/${path}`, credential: 'admin', ...(body === undefined ? {} : { body }) }
}

function prepare(call: string, body: object): RecordedCall {
  return { ...admin(call, call, body), isPreparation: true }
}

function flagCalls(): RecordedCall[] {
  const metadata = { category: 'market_data', priority: 10 }
  const created = { ...FLAG, metadata, rollout_percent: 25, reason: 'A test with a quarter of the accounts' }
  const updated = { flagId: '{flag}', rollout_percent: 50, version: 1, reason: 'No complaints so far' }
  return [
    admin('list-flags', 'GET feature-flags'),
    { ...admin('create-flag', 'POST feature-flags', created), saves: { flag: 'data.id' } },
    admin('count-affected', `GET feature-flags/affected?flag_key=${FLAG.flag_key}&role=user&rollout_percent=50`),
    admin('update-flag', 'PATCH feature-flags', updated),
    admin('undo-flag', 'POST feature-flags/{flag}/undo', { version: 2, reason: 'The heatmap is slow' }),
    admin('show-flag-history', 'GET feature-flags/{flag}/history'),
    prepare('PATCH feature-flags', { flagId: '{flag}', is_active: false }),
  ]
}

/** No part of the platform uses a configuration with this key. */
function configCalls(): RecordedCall[] {
  const update = (candles: number, version: number) => ({
    updates: [{ key: CONFIG, value: { interval: '5m', candles }, version }],
    reason: 'Charts on wide screens',
  })
  return [
    prepare('PUT global-configs', update(200, 0)),
    admin('update-global-configs', 'PUT global-configs', update(400, 1)),
    { ...admin('list-global-configs', 'GET global-configs'), keeps: ['api_settings.page_sizes'] },
    admin('diff-config', `GET global-configs/${CONFIG}/diff?from=1&to=2`),
    admin('undo-config', `POST global-configs/${CONFIG}/undo`, { version: 2, reason: 'Too slow' }),
    admin('show-config-history', `GET global-configs/${CONFIG}/history`),
  ]
}

/** Saves the documents as they were read, then one with another text, which the undo takes back. */
function tierCalls(): RecordedCall[] {
  const fields = ['display', 'billing', 'rateLimits', 'features']
  const document = Object.fromEntries(fields.map((field) => [field, `{${field}}`]))
  const support = { channels: '{channels}', responseTime: '{responseTime}', availability: 'Office hours of London' }
  const reason = 'New hours of the support'
  const saves = {
    tiers: 'data.tiers',
    tiersVersion: 'data.version',
    channels: 'data.tiers.pro.support.channels',
    responseTime: 'data.tiers.pro.support.responseTime',
    ...Object.fromEntries(fields.map((field) => [field, `data.tiers.pro.${field}`])),
  }
  const version = '{tiersVersion}'
  return [
    { ...admin('show-tiers', 'GET tiers'), saves },
    admin('save-tiers', 'PUT tiers', { tiers: '{tiers}', version }),
    {
      ...admin('save-tier', 'PUT tiers/pro', { document: { ...document, support }, version, reason }),
      saves: { tiersVersion: 'data.version' },
    },
    {
      ...admin('undo-tiers', 'POST tiers/undo', { version, reason: 'The old hours remain' }),
      saves: { tiersVersion: 'data.version' },
    },
    admin('list-tier-history', 'GET tiers/history?limit=1'),
    ...shadowCalls(),
  ]
}

/** Sets limits and removes them again, then sets the shipped limits, which are already in force. */
function shadowCalls(): RecordedCall[] {
  const [path, version] = ['tiers/pro/shadow', '{tiersVersion}']
  const reason = 'Few accounts need more'
  const saves = { tiersVersion: 'data.version' }
  const proposed = { ...SHIPPED, requestsPerMinute: 300 }
  return [
    {
      ...admin('propose-limits', `PUT ${path}`, { rateLimits: proposed, version, reason }),
      saves: { ...saves, proposal: 'data.shadow.pro.id' },
    },
    admin('show-shadow-report', 'GET limits/shadow/{proposal}'),
    { ...admin('withdraw-limits', `DELETE ${path}?version=${version}`), saves },
    { ...prepare(`PUT ${path}`, { rateLimits: SHIPPED, version }), saves },
    { ...admin('enforce-limits', `POST ${path}/enforce`, { version, reason: 'No account would notice' }), saves },
  ]
}

function checkCalls(): RecordedCall[] {
  const done = { field: 'data.state', value: 'done' }
  const replay = { tier: REPLAYED, from: '{hourAgo}', to: '{now}' }
  return [
    { ...admin('replay-limits', 'POST limits/replay', replay), saves: { replay: 'data.id' } },
    { ...admin('show-limit-replay', 'GET limits/replay/{replay}'), until: done },
    admin('start-trail-check', 'POST audit-trail/check'),
    { ...admin('show-trail-check', 'GET audit-trail/check'), until: done },
  ]
}

function userCalls(): RecordedCall[] {
  return [
    admin('list-users', 'GET users?search={email}'),
    admin('change-user', 'PATCH users', { userId: '{guest}', role: 'tester' }),
    admin('set-subscription', 'PUT subscriptions/{guest}', { tier: 'basic', reason: 'Paid for a year' }),
    admin('show-subscription', 'GET subscriptions/{guest}'),
  ]
}

/** Paused, so that nothing connects to the venue. */
function venueCalls(): RecordedCall[] {
  const saves = {
    venue: 'data.venues.0.venue',
    venueVersion: 'data.venues.0.version',
    symbols: 'data.venues.0.symbols',
    isPaused: 'data.venues.0.is_paused',
  }
  const version = '{venueVersion}'
  const saved = { symbols: ['BTC-USDT'], is_paused: true, version, reason: 'From Monday on' }
  return [
    { ...admin('list-venues', 'GET venues'), saves },
    {
      ...admin('save-venue', 'PUT venues/{venue}', saved),
      saves: { venueVersion: 'data.saved.version' },
    },
    prepare('PUT venues/{venue}', { symbols: '{symbols}', is_paused: '{isPaused}', version }),
  ]
}

import { expect, test } from 'vitest'
import { queryOfTrail, readTrailFilter, writeTrailFilter } from './trail-filter.ts'
import { changeWords } from './change-words.ts'
import { actorWords, wordsOf } from './trail-words.ts'

test('every event type is shown in words, including types without a specific text', () => {
  expect(wordsOf('api-key.revoked.v1')).toBe('API key revoked')
  expect(wordsOf('config.webhook-added.v2')).toBe('Webhook added')
})

const ME = '0193a1b2-0000-7000-8000-000000000001'

test.each([
  ['identity.user-signed-in.v1', 'anonymous', null, 'you'],
  ['identity.user-signed-up.v1', 'service', 'identity', 'you'],
  ['api-key.created.v1', 'user', ME, 'you'],
  ['config.subscription-changed.v1', 'user', '0193a1b2-0000-7000-8000-000000000002', 'an admin'],
  ['config.subscription-changed.v1', 'service', 'operator', 'an operator'],
  ['config.trial-ended.v1', 'service', 'config', 'the platform'],
  ['identity.password-changed.v1', 'anonymous', null, 'an emailed link'],
])('%s by %s %s was done by %4$s', (type, kind, id, words) => {
  expect(actorWords({ type, actor: { kind, id } }, ME)).toBe(words)
})

test('a change by a service key names the key', () => {
  const by = (actor: { kind: string; id: string; name?: string }) =>
    actorWords({ type: 'api-key.created.v1', actor }, ME)
  expect(by({ kind: 'api_key', id: 'k', name: 'deploy' })).toBe('service key deploy')
  expect(by({ kind: 'api_key', id: 'k' })).toBe('a service key')
})

test('changes are shown in words, with times in the zone of the account', () => {
  const changes = [
    { field: 'rate_limits.requestsPerMinute', before: 500, after: 6500 },
    { field: 'allowed_ips', before: [], after: ['10.0.0.0/8', '192.0.2.0/24'] },
    { field: 'expires_at', before: null, after: '2026-11-23T23:30:00.000Z' },
    { field: 'is_active', before: true, after: false },
    { field: '/notifications/usageAlerts', before: '', after: { at: 80 } },
    { field: '', before: 'user', after: 'admin' },
    { field: 'free.rateLimits.burstLimit', before: 5, after: 6 },
    { field: 'pro.rateLimits.burstLimit', before: 100, after: 90 },
  ]
  expect(changeWords(changes, 'Europe/Paris')).toEqual([
    { field: 'Requests per minute', before: '500', after: '6,500' },
    { field: 'Allowed networks', before: 'none', after: '10.0.0.0/8, 192.0.2.0/24' },
    { field: 'Expires', before: 'none', after: '24 Nov 2026, 00:30' },
    { field: 'Active', before: 'on', after: 'off' },
    { field: 'Usage alerts', before: 'empty', after: '{"at":80}' },
    { field: '', before: 'user', after: 'admin' },
    { field: 'Requests in one second (free.rateLimits.burstLimit)', before: '5', after: '6' },
    { field: 'Requests in one second (pro.rateLimits.burstLimit)', before: '100', after: '90' },
  ])
})

test('the last day of the filter is inclusive', () => {
  const filter = readTrailFilter(new URLSearchParams('about=api-key&from=2026-11-01&to=2026-11-30'))
  expect(queryOfTrail(filter, 'UTC')).toEqual({
    type: 'api-key',
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-12-01T00:00:00.000Z',
  })
})

test('the days of the filter are those of the times in the table, also where the clock changes', () => {
  const filter = readTrailFilter(new URLSearchParams('from=2026-11-01&to=2026-11-01'))
  // The day on which New York changes to winter time has 25 hours.
  expect(queryOfTrail(filter, 'America/New_York')).toEqual({
    from: '2026-11-01T04:00:00.000Z',
    to: '2026-11-02T05:00:00.000Z',
  })
})

test('the page reads the URL that it writes, and ignores invalid values', () => {
  const text = 'about=identity&from=2026-11-01&of=platform'
  expect(writeTrailFilter(readTrailFilter(new URLSearchParams(text))).toString()).toBe(text)
  const wrong = readTrailFilter(new URLSearchParams('about=cats&from=2026-13-45&to=2026-02-31&of=me'))
  expect(writeTrailFilter(wrong).toString()).toBe('')
})

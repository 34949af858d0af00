import type { ExplainedWindow, Explanation } from '@tapeline/contracts/audit/requests'
import { afterEach, expect, test } from 'vitest'
import { loadCatalog } from '../../language/catalogs.ts'
import { i18n } from '../../language/i18n.ts'
import { explanationWords, keyShadowWords, tierShadowWords } from './explanation-words.ts'

const TIME = '2026-03-10T12:00:00.000Z'

function window(overrides: Partial<ExplainedWindow>): ExplainedWindow {
  const counts = { used: 500, limit: 500, remaining: 0, has_denied: true }
  return { policy: 'min', name: 'minute window', ...counts, resets_at: null, ...overrides }
}
function explained(overrides: Partial<Explanation>, code: string | null = null, status = 429) {
  const none = {
    degraded: false,
    denied_by: [],
    passes_at: null,
    would_pass_with: null,
    rejected_fields: [],
    windows: [],
    key_windows: [],
  }
  const explanation: Explanation = { verdict: 'denied', text: '', ...none, ...overrides }
  return explanationWords({ code, status, time: TIME, explanation }, 'UTC')
}

afterEach(() => i18n.activate('en'))

test('a denial names the other limits besides the one in the heading, and the time at which the next request was possible', () => {
  const windows = [window({}), window({ policy: 'hour', has_denied: false })]
  const key_windows = [window({ used: 5, limit: 5 })]
  expect(explained({ windows, key_windows, passes_at: '2026-03-10T12:00:07.300Z' })).toBe(
    'Also rejected by this key’s own limit: 5 of 5 requests used in the last minute. ' +
      'The next request was possible at 12:00:07.',
  )
})

test('a denial by concurrency ends when an open request does', () => {
  expect(explained({ windows: [window({ policy: 'conc', used: 1, limit: 1 })] })).toBe(
    'The next request is possible when an open one ends.',
  )
})

test('a rejected credential is explained by its code, an unknown code in general', () => {
  expect(explained({ verdict: 'refused' }, 'api_key.revoked')).toContain('this API key had been revoked')
  expect(explained({ verdict: 'refused' }, 'future.code')).toContain('the credential gives no access')
})

test('the tightest limit is the one with the smallest remaining proportion', () => {
  const open = { has_denied: false }
  const windows = [
    window({ policy: 'min', used: 243, limit: 5_000, remaining: 4_757, ...open }),
    window({ policy: 'day', used: 90_000, limit: 100_000, remaining: 10_000, ...open }),
    window({ policy: 'conc', used: 1, limit: 20, remaining: 19, ...open }),
  ]
  expect(explained({ verdict: 'admitted', windows }, null, 200)).toBe(
    'Allowed. Tightest limit: 90,000 of 100,000 requests used in the last 24 hours.',
  )
  expect(explained({ verdict: 'admitted', windows: windows.slice(2) }, null, 200)).toBe(
    'Allowed. Tightest limit: 1 of 20 concurrent requests.',
  )
})

test('an error answer to an allowed request is explained by its code, not by the limits', () => {
  const windows = [window({ remaining: 9, has_denied: false })]
  expect(explained({ verdict: 'admitted', windows }, 'request.invalid', 400)).toMatch(
    /^The body, a parameter or the path is not valid\. .*each invalid field/,
  )
})

test.each([
  ['en', 'Reason: `limit` must be 1000 or less; The body is required.'],
  ['es', 'Motivo: `limit` debe ser 1000 o menos'],
  ['fr', 'Raison : `limit` doit être 1000 ou moins'],
] as const)('%s names the fields that the service rejected', async (language, text) => {
  i18n.load(language, { ...(await loadCatalog(language, 'shell')), ...(await loadCatalog(language, 'dashboard')) })
  i18n.activate(language)
  const rejected_fields = [
    { field: '/limit', rule: 'maximum', limit: 1_000, message: '`limit` must be 1000 or less' },
    { field: '/', rule: 'required', message: 'The body is required' },
  ]
  expect(explained({ verdict: 'admitted', rejected_fields }, 'request.invalid', 400)).toContain(text)
})

test('a rejected field without a rule leaves the explanation to the error code', () => {
  const rejected_fields = [{ field: '/cursor', message: '`cursor` was not accepted' }]
  expect(explained({ verdict: 'admitted', rejected_fields }, 'cursor.invalid', 400)).toContain('cursor was altered')
})

test.each([
  [
    'es',
    'Redis no estaba disponible',
    'Permitida. Límite más ajustado: 5 de 6 peticiones usadas en el último segundo.',
  ],
  [
    'fr',
    'Redis était indisponible',
    'Autorisée. Limite la plus serrée : 5 requêtes sur 6 utilisées dans la dernière seconde.',
  ],
] as const)('the same explanation in %s', async (language, redis, tightest) => {
  i18n.load(language, await loadCatalog(language, 'dashboard'))
  i18n.activate(language)
  const windows = [window({ policy: 'burst', used: 5, limit: 6, remaining: 1, has_denied: false })]
  const text = explained({ verdict: 'admitted', degraded: true, windows }, null, 200)
  expect(text).toContain(redis)
  expect(text).toContain(tightest)
})

test('what shadow limits decided names whose they are, the limits and the wait', () => {
  const proposal = crypto.randomUUID()
  expect(keyShadowWords({ proposal, denied_by: [] })).toBe('The shadow limits of the key would have allowed it.')
  expect(keyShadowWords({ proposal, denied_by: ['min', 'hour'], retry_after_ms: 180_500 })).toBe(
    'The shadow limits of the key would have rejected it: minute, hour. The wait would have been 4 min.',
  )
  const byTier = 'The shadow limits of the tier would have rejected it: concurrent.'
  expect([tierShadowWords(['conc'], 0), tierShadowWords(['conc'], undefined)]).toEqual([byTier, byTier])
})

import type { ExplainedWindow, Explanation } from '@tapeline/contracts/audit/requests'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadCatalog } from '../../language/catalogs.ts'
import { i18n } from '../../language/i18n.ts'
import { explanationWords } from './explanation-words.ts'

const TIME = '2026-03-10T12:00:00.000Z'
const ENGLISH = 'In the words of the server.'

function window(given: Partial<ExplainedWindow>): ExplainedWindow {
  const counts = { used: 500, limit: 500, remaining: 0, has_denied: true }
  return { policy: 'min', name: 'minute window', ...counts, resets_at: null, ...given }
}
function explained(given: Partial<Explanation>, code: string | null = null) {
  const none = { degraded: false, denied_by: [], passes_at: null, would_pass_with: null, windows: [], key_windows: [] }
  const explanation: Explanation = { verdict: 'denied', text: ENGLISH, ...none, ...given }
  return explanationWords({ code, time: TIME, explanation }, 'UTC')
}

beforeEach(async () => {
  i18n.load('es', await loadCatalog('es', 'dashboard'))
  i18n.activate('es')
})
afterEach(() => i18n.activate('en'))

test('in English it is what the server says', () => {
  i18n.activate('en')
  expect(explained({})).toBe(ENGLISH)
})

test('a denial names each limit that denied, of the account and of the key, and when one passes', () => {
  const windows = [window({}), window({ policy: 'hour', has_denied: false })]
  const text = explained({
    windows,
    key_windows: [window({ used: 5, limit: 5 })],
    passes_at: '2026-03-10T12:00:07.300Z',
  })
  expect(text).toMatch(
    /^Denegada por el límite «Minuto»: 500 de 500 usadas\. Denegada por el tope de esta clave «Minuto»: 5 de 5 usadas\. .*12:00:07/,
  )
})

test('without a time it is the open requests that are waited for', () => {
  expect(explained({ windows: [window({ policy: 'conc', used: 1, limit: 1 })] })).toMatch(
    /abiertas\. Pasa una en cuanto/,
  )
})

test('a refusal says why by its code, a code of the future in general', () => {
  expect(explained({ verdict: 'refused' }, 'api_key.revoked')).toContain('esta clave API había sido revocada')
  expect(explained({ verdict: 'refused' }, 'future.code')).toContain('la credencial no abría nada')
})

test('who was let in is told the limit with the least room, and that Redis was away', () => {
  const windows = [
    window({ remaining: 9, has_denied: false }),
    window({ policy: 'day', remaining: 3, has_denied: false }),
  ]
  expect(explained({ verdict: 'admitted', degraded: true, windows })).toMatch(/^Redis no estaba .*«Día»/)
})

import type { Notification } from '@tapeline/contracts/audit/notifications'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadCatalog } from '../language/catalogs.ts'
import { i18n } from '../language/i18n.ts'
import { notificationWords } from './notification-words.ts'

const expiring: Notification = {
  id: '1',
  kind: 'key_expiring',
  title: 'As the server wrote it',
  text: 'In full.',
  data: { name: 'notebook', days_left: 3, expires_at: '2026-11-25T12:00:00.000Z' },
  created_at: '2026-11-22T12:00:00.000Z',
  read_at: null,
}

beforeEach(() => i18n.activate('en'))
afterEach(() => i18n.activate('en'))

test('a notification has the server’s text in English, and is written from its data in other languages', async () => {
  expect(notificationWords(expiring, 'UTC')).toEqual({ title: 'As the server wrote it', text: 'In full.' })
  i18n.load('fr', await loadCatalog('fr', 'shell'))
  i18n.activate('fr')
  expect(notificationWords(expiring, 'Europe/Paris')).toEqual({
    title: 'La clé API «\u00A0notebook\u00A0» expire dans 3 jours',
    text: 'Elle expire le 25 nov. 2026, 13:00 Europe/Paris. Prolongez-la ou créez une nouvelle clé.',
  })
})

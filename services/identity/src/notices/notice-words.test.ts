import type { NotificationAbout, NotificationData } from '@tapeline/contracts/audit/notification-data'
import { NOTIFICATION_KINDS } from '@tapeline/contracts/audit/notifications'
import { expect, test } from 'vitest'
import { LANGUAGES } from '../mail/language.ts'
import { noticeWords } from './notice-words.ts'
import { USED_UP } from '../../test/notices.fixture.ts'

const EN = { title: 'in English', text: 'as in the feed' }
const AT = '2026-03-17T22:30:00.000Z'
const key = { key_id: 'key-1', kid: 'k1', name: 'ci {0}' }
const trial = { tier: 'pro', ends_at: AT, tier_after: 'free' } as const
const endpoint = { endpoint_id: 'endpoint-1', name: 'orders {0}', failing_since: AT }
const MONTH = {
  policy: 'month',
  level: 100,
  used: 1_234_567,
  limit: 1_234_567,
  period: '2026-03',
  ends_at: AT,
} as const
const ALERT: NotificationData['usage_alert'] = {
  channels: [],
  alert_id: 'alert-1',
  name: 'quota {0}',
  policy: 'hour',
  percent: 60,
  used: 12_000,
  limit: 20_000,
  key_name: null,
}
/** At least one sample of each kind, with the words that its text must contain. */
const SAMPLES: [NotificationAbout, (string | RegExp)[]][] = [
  [USED_UP, []],
  [{ kind: 'quota', data: MONTH }, [/1.234.567/, '2026', /23.30/]],
  [{ kind: 'quota', data: { ...MONTH, level: 80 } }, [/80.?%/]],
  [{ kind: 'key_created', data: key }, ['ci {0}']],
  [{ kind: 'key_revoked', data: key }, ['ci {0}']],
  [{ kind: 'key_expiring', data: { ...key, expires_at: AT, days_left: 1 } }, ['ci {0}', '2026', /23.30/]],
  [{ kind: 'key_expiring', data: { ...key, expires_at: AT, days_left: 7 } }, ['ci {0}', '7']],
  [{ kind: 'key_expired', data: { ...key, expires_at: AT } }, ['ci {0}', '17']],
  [{ kind: 'key_used_from_new_network', data: { ...key, network: '198.51.100.0/24' } }, ['ci {0}', '198.51.100.0/24']],
  [{ kind: 'trial_ending', data: { ...trial, days_left: 1 } }, ['Pro', 'Free', '17']],
  [{ kind: 'trial_ending', data: { ...trial, days_left: 3 } }, ['Pro', '3']],
  [{ kind: 'webhook_disabled', data: { ...endpoint, because: 'failing' } }, ['orders {0}', '2026', /23.30/]],
  [{ kind: 'webhook_disabled', data: { ...endpoint, because: 'gone' } }, ['orders {0}', '410']],
  [{ kind: 'key_leaked', data: { ...key, outcome: 'revoked' } }, ['ci {0}']],
  [{ kind: 'key_leaked', data: { ...key, outcome: 'old_secret_ended' } }, ['ci {0}']],
  [{ kind: 'key_leaked', data: { ...key, outcome: 'warned' } }, ['ci {0}']],
  [{ kind: 'usage_alert', data: ALERT }, ['quota {0}', /60.?%/, /12.000/, /20.000/]],
  [{ kind: 'usage_alert', data: { ...ALERT, policy: 'conc', key_name: 'ci {0}' } }, ['quota {0}', 'ci {0}']],
  [{ kind: 'trial_ended', data: { ...trial, because: 'over' } }, ['Pro', 'Free']],
]

test('every kind of notice is translated to every language of the mails', () => {
  expect(new Set(SAMPLES.map(([{ kind }]) => kind))).toEqual(new Set(NOTIFICATION_KINDS))
  for (const [about, named] of SAMPLES) {
    const texts = LANGUAGES.map((language) => noticeWords({ ...EN, ...about }, language, 'Europe/Paris'))
    for (const { title, text } of texts) {
      const all = `${title} ${text}`.replaceAll('11:30', '23:30')
      for (const one of named) expect(all).toMatch(one)
      expect(all).not.toMatch(/in English|as in the feed|undefined|NaN|\d{4}-\d\d-\d\dT/)
    }
    expect(new Set(texts.flatMap(({ title, text }) => [title, text])).size, about.kind).toBe(2 * LANGUAGES.length)
  }
})

test("a notice without valid data has audit's English text", () => {
  for (const notice of [
    { ...EN, kind: 'key_created', data: null },
    { ...EN, kind: 'key_created', data: { key_id: 7 } },
    { ...EN, kind: 'toString', data: {} },
    { ...EN, kind: 'of tomorrow', data: key },
  ]) {
    expect(noticeWords(notice, 'fr', 'UTC')).toEqual(EN)
  }
})

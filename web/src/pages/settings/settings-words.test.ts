import { expect, test } from 'vitest'
import { DEFAULTS } from '../../settings/user-settings.ts'
import { describeChanges } from './setting-words.ts'
import { zoneLabel, zoneOptions } from './time-zones.ts'

const WINTER = Date.UTC(2026, 10, 22)
const SUMMER = Date.UTC(2026, 6, 1)

test('a zone is named with its current offset', () => {
  expect(zoneLabel('America/New_York', WINTER)).toBe('Eastern, UTC\u22125')
  expect(zoneLabel('America/New_York', SUMMER)).toBe('Eastern, UTC\u22124')
  expect(zoneLabel('Europe/London', WINTER)).toBe('London, UTC')
  expect(zoneLabel('Asia/Kolkata', WINTER)).toBe('Asia/Kolkata, UTC+5:30')
  expect(zoneLabel('UTC', WINTER)).toBe('UTC')
})

test('the zones that are specified, the computer\u2019s own and the chosen one are offered once each', () => {
  const specified = ['UTC', 'America/New_York', 'America/Los_Angeles', 'Europe/London']
  expect(zoneOptions('UTC', 'UTC')).toEqual(specified)
  expect(zoneOptions('Asia/Tokyo', 'Europe/London')).toEqual([...specified, 'Asia/Tokyo'])
})

test('an unsaved setting is shown with its old and new value', () => {
  expect(describeChanges(DEFAULTS, { timezone: 'Europe/London' })).toBe('Timezone, UTC to London')
  expect(describeChanges(DEFAULTS, { theme: 'light', dashboardCompactMode: true, language: 'es' })).toBe(
    'Theme, Dark to Light; Compact mode, off to on and 1 more',
  )
})

import { expect, test } from 'vitest'
import { i18n } from '../language/i18n.ts'
import { paths } from '../paths.ts'
import { presentUser } from '../session/present-user.ts'
import { bindKeys, CHORD_MS, type Pressed } from './bind-keys.ts'
import { COMMANDS, commandsFor } from './commands.ts'
import { FOUND_BY, labelOf } from './found-by.ts'
import { docEntries } from './doc-entries.ts'
import { match } from './match.ts'
import { type Entry, findEntries } from './results.ts'

const person = (role: 'user' | 'tester' | 'admin', featureFlags: string[] = []) => ({
  ...presentUser({
    id: '1',
    first_name: 'Ada',
    last_name: '',
    email: '',
    mobile: '',
    is_superuser: false,
    status: 'active',
    email_verified: true,
    subscription_tier: 'free',
    reminder_enabled: false,
    reminder_time: 9,
    reminder_method: 'email',
    last_login_at: null,
    created_at: '2026-01-01T00:00:00.000Z',
    profile_picture: null,
    role,
    featureFlags,
  }),
  role,
  featureFlags,
})
const idsFor = (user: ReturnType<typeof person>): string[] => commandsFor(user).map(({ id }) => id)

test('every page of the dashboard has a command, and no two commands have the same shortcut', () => {
  const here = { pathname: '/', search: '' }
  const led = COMMANDS.flatMap((command) => ('to' in command ? [command.to(here)] : []))
  const pages = Object.values(paths).filter((path) => path.startsWith(paths.profile))
  expect(pages.filter((path) => !led.includes(path))).toEqual([])
  const keys = COMMANDS.flatMap((command) => command.keys ?? [])
  expect(new Set(keys).size).toBe(keys.length)
  // If the first of two keys were a command by itself, the second could never be typed.
  expect(keys.filter((one) => keys.some((other) => other.startsWith(`${one} `)))).toEqual([])
})

test('commands depend on the role and the flags', () => {
  expect(idsFor(person('user'))).not.toContain('create-key')
  expect(idsFor(person('user', ['api_key_management']))).toContain('create-key')
  expect(idsFor(person('tester'))).toContain('admin')
  expect(idsFor(person('tester'))).not.toContain('users')
  expect(idsFor(person('admin'))).toContain('users')
})

test.each([
  ['upgrade', 'plan'],
  ['cancel', 'plan'],
  ['rotate', 'api-keys'],
  ['regenerate', 'api-keys'],
])('%s finds the page %s', (query, id) => {
  const entries = commandsFor(person('user', ['api_key_management'])).map((command) => {
    const words = FOUND_BY[command.id]?.words
    return { id: command.id, group: command.group, label: labelOf(command), words: words && i18n._(words) }
  })
  const found = findEntries(entries, query, []).flatMap(({ results }) => results.map(({ entry }) => entry.id))
  expect(found).toContain(id)
})

test('every command of the search box has an icon, and search terms belong to commands', () => {
  const listed = COMMANDS.filter((command) => !('where' in command))
  expect(listed.filter(({ id, Icon }) => (Icon ?? FOUND_BY[id]?.Icon) === undefined)).toEqual([])
  expect(COMMANDS.filter(({ id, label }) => (label ?? FOUND_BY[id]?.label) === undefined)).toEqual([])
  expect(Object.keys(FOUND_BY).filter((id) => COMMANDS.every((command) => command.id !== id))).toEqual([])
})

test('a range keeps the other filters of the metrics page', () => {
  const week = COMMANDS.find(({ id }) => id === '24h')
  if (week === undefined || !('to' in week)) throw new Error('there is no such command')
  const search = '?route=%2Fapi%2Fv1%2Fhealth&range=custom&from=a&to=b'
  expect(week.to({ pathname: paths.metrics, search })).toBe(`${paths.metrics}?route=%2Fapi%2Fv1%2Fhealth&range=24h`)
  expect(week.to({ pathname: paths.plan, search })).toBe(`${paths.metrics}?range=24h`)
})

function keyboard(areSingleKeysOn = true) {
  let nowMs = 0
  const press = bindKeys({ commands: () => COMMANDS, areSingleKeysOn: () => areSingleKeysOn, now: () => nowMs })
  const bare = { ctrlKey: false, metaKey: false, altKey: false, isTyping: false }
  return {
    press: (key: string, more: Partial<Pressed> = {}) => press({ ...bare, key, ...more })?.id,
    wait: (milliseconds: number) => void (nowMs += milliseconds),
  }
}

test('two keys in succession open a page, unless there is a pause or another key between them', () => {
  const { press, wait } = keyboard()
  expect([press('g'), press('k')]).toEqual([undefined, 'api-keys'])
  expect([press('g'), press('x'), press('k')]).toEqual([undefined, undefined, undefined])
  press('g')
  wait(CHORD_MS + 1)
  expect(press('k')).toBeUndefined()
  expect([press('?'), press('T')]).toEqual(['shortcuts', 'theme'])
})

test('single-key shortcuts are ignored while the user types, with Alt, or when switched off; Ctrl+K still works', () => {
  const { press } = keyboard()
  expect([press('t', { isTyping: true }), press('t', { altKey: true })]).toEqual([undefined, undefined])
  expect(press('k', { isTyping: true, ctrlKey: true })).toBe('palette')
  const off = keyboard(false)
  expect([off.press('t'), off.press('?'), off.press('k', { metaKey: true })]).toEqual([undefined, undefined, 'palette'])
})

test('a key that is handled by a part of the page is not handled here', () => {
  expect(keyboard().press('c')).toBeUndefined()
})

test('a query matches regardless of accents and case, and the matched characters are marked', () => {
  expect(match('cle', 'Créer une clé')).toMatchObject({ marks: [[10, 13]] })
  expect(match('KEY api', 'API Keys')?.marks).toEqual([
    [0, 3],
    [4, 7],
  ])
  expect(match('keys x', 'API Keys')).toBeUndefined()
  expect(match('latency', 'API Key Audit', 'metrics latency')).toEqual({ score: 0.5, marks: [] })
  expect(match('profile', 'Profile')?.score).toBeGreaterThan(match('pro', 'Profile')?.score ?? 9)
  expect(match('key', 'Create API Key')?.score).toBeGreaterThan(match('key', 'Keyboard')?.score ?? 9)
  expect(match('order-r/', 'order-r/x')?.marks).toEqual([[0, 8]])
  expect(match('a+(', 'a+(b')?.marks).toEqual([[0, 3]])
})

const entries: Entry[] = [
  { id: 'create', group: 'actions', label: 'Create API Key' },
  { id: 'keys', group: 'pages', label: 'API Keys' },
  { id: 'plan', group: 'pages', label: 'Plan' },
  { id: 'key:1', group: 'keys', label: 'notebook', note: 'tl_live_abc' },
]

test('without a query the search lists recently used commands, then actions and pages, each once', () => {
  const groups = findEntries(entries, ' ', ['plan', 'gone'])
  expect(groups.map(({ group, results }) => [group, results.map(({ entry }) => entry.id)])).toEqual([
    ['recent', ['plan']],
    ['actions', ['create']],
    ['pages', ['keys']],
  ])
})

test('with a query the group with the best match is first', () => {
  expect(findEntries(entries, 'keys', []).map(({ group }) => group)).toEqual(['pages'])
  expect(findEntries(entries, 'pla', []).map(({ group }) => group)).toEqual(['pages'])
  expect(findEntries(entries, 'key', []).map(({ group }) => group)).toEqual(['actions', 'pages'])
  expect(findEntries(entries, 'tl_live', []).map(({ group }) => group)).toEqual(['keys'])
  expect(findEntries(entries, 'nothing of it', [])).toEqual([])
})

test('sections of the documentation lead to their anchors, which are those of the English text', () => {
  const english = '---\ntitle: Limits\n---\n\n## The `conc` limit\n\ntext\n\n## At the limit\n'
  const spanish = '---\ntitle: Límites\n---\n\n## El límite `conc`\n\n## En el límite\n'
  expect(docEntries('/docs/limits', spanish, english).map(({ label, note, path }) => [label, note, path])).toEqual([
    ['Límites', undefined, '/docs/limits'],
    ['El límite conc', 'Límites', '/docs/limits#the-conc-limit'],
    ['En el límite', 'Límites', '/docs/limits#at-the-limit'],
  ])
  expect(docEntries('/docs/limits', '', english)).toEqual([])
})

import type { AdminFlag } from '@tapeline/contracts/config/flags'
import { expect, test } from 'vitest'
import { describeChange, scheduleOf } from './describe-change.ts'
import { checkFlag, createBody, emptyFlag, formOf, updateBody } from './flag-form.ts'
import { flagsOf, GROUPS, mayChange, assignableRoles } from './flag-groups.ts'

const flag: AdminFlag = {
  id: '01990000-0000-7000-8000-000000000001',
  flag_key: 'request_replay',
  role: 'user',
  enabled: true,
  is_public: false,
  description: 'Replay of past traffic',
  metadata: {},
  rollout_percent: 100,
  enabled_from: null,
  enabled_until: '2026-12-01T10:00:30.000Z',
  is_active: true,
  version: 3,
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
}

test('the user and tester groups start expanded, the admin group does not', () => {
  expect(GROUPS.map(({ role, isOpenAtFirst }) => [role, isOpenAtFirst])).toEqual([
    ['user', true],
    ['tester', true],
    ['admin', false],
  ])
})

test('admin is offered only to admins, and a tester changes no flag of it', () => {
  expect(assignableRoles('admin')).toEqual(['user', 'tester', 'admin'])
  expect(assignableRoles('tester')).toEqual(['user', 'tester'])
  expect([mayChange('tester', 'admin'), mayChange('tester', 'tester'), mayChange('user', 'user')]).toEqual([
    false,
    true,
    false,
  ])
})

test('a group has the flags of its role that match the search, without the removed ones', () => {
  const other = { ...flag, id: '2', flag_key: 'another' }
  const flags = [flag, other, { ...flag, is_active: false }, { ...flag, role: 'admin' as const }]
  expect(flagsOf(flags, 'user', '').map(({ flag_key }) => flag_key)).toEqual(['another', 'request_replay'])
  expect(flagsOf(flags, 'user', ' PAST ')).toHaveLength(2)
  expect(flagsOf(flags, 'user', 'another')).toEqual([other])
})

test('a key must be non-empty after trimming, a share from 0 to 100, the end after the start', () => {
  expect(checkFlag({ ...emptyFlag, flag_key: '  ' })).toHaveProperty('flag_key')
  expect(checkFlag({ ...emptyFlag, flag_key: 'a', rollout_percent: '101' })).toHaveProperty('rollout_percent')
  const backwards = { enabled_from: '2026-12-02T00:00', enabled_until: '2026-12-01T00:00' }
  expect(checkFlag({ ...emptyFlag, flag_key: 'a', ...backwards })).toHaveProperty('enabled_until')
  expect(checkFlag({ ...emptyFlag, flag_key: 'a' })).toEqual({})
})

test('a new flag is sent trimmed, with times in UTC', () => {
  const body = createBody({ ...emptyFlag, flag_key: ' a_flag ', enabled_from: '2026-12-01T09:30' })
  expect(body).toMatchObject({ flag_key: 'a_flag', role: 'user', enabled_from: '2026-12-01T09:30:00.000Z' })
  expect(body).not.toHaveProperty('reason')
})

test('only changed fields are sent, so that concurrent changes of other fields are kept', () => {
  const form = formOf(flag)
  expect(updateBody(form, flag)).toEqual({ flagId: flag.id, version: 3 })
  expect(updateBody({ ...form, rollout_percent: '50', reason: ' slowly ' }, flag)).toEqual({
    flagId: flag.id,
    version: 3,
    rollout_percent: 50,
    reason: 'slowly',
  })
})

test('the history describes each change in words', () => {
  const described = (before: Partial<AdminFlag> | null, after: Partial<AdminFlag>) =>
    describeChange(
      {
        version: 2,
        before: before && { ...flag, ...before },
        after: { ...flag, ...after },
        changed_by: null,
        changed_at: '',
        reason: null,
      },
      'Europe/Paris',
    )
  expect(described(null, { enabled: false })).toEqual({ title: 'Created', details: ['role user, off'] })
  expect(described({ enabled: false }, {}).title).toBe('Switched on')
  expect(described({}, { enabled: false, is_active: false }).title).toBe('Removed')
  expect(described({ is_active: false }, {}).title).toBe('Restored')
  expect(described({}, { rollout_percent: 5 })).toEqual({ title: 'Edited', details: ['share: 100% → 5%'] })
  const later = described({}, { enabled_until: '2026-12-02T23:30:00.000Z' })
  expect(later.details).toEqual(['until: 1 Dec 2026, 11:00 → 3 Dec 2026, 00:30'])
})

test('a schedule shows its start, its end, and whether it is over', () => {
  const at = Date.parse('2026-11-22T00:00:00Z')
  const always = { rollout_percent: 100, enabled_from: null, enabled_until: null }
  expect(scheduleOf(always, at, 'UTC')).toBeUndefined()
  expect(scheduleOf({ ...flag, rollout_percent: 5 }, at, 'UTC')).toBe('5% of accounts, until 1 Dec 2026, 10:00')
  expect(scheduleOf(flag, Date.parse('2026-12-02T00:00:00Z'), 'Europe/Paris')).toBe('ended 1 Dec 2026, 11:00')
})

import { createHash } from 'node:crypto'
import { ImportKeys } from '@tapeline/contracts/api-key/imports'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { readExportedKeys, type Source } from './read-exported-keys.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const HEX = sha256('acme_3ZkL').toString('hex')

test('rows of Unkey are read with their hash, first characters, owner, expiry and state', () => {
  const rows = [
    {
      id: 'key_1',
      hash: sha256('acme_3ZkL').toString('base64'),
      start: 'acme_3ZkL',
      name: 'reader',
      externalId: 'customer-7',
      expires: Date.UTC(2030, 0, 1),
      enabled: false,
    },
    { hash: HEX, start: 'acme_', name: null },
  ]
  const keys = [
    {
      name: 'reader',
      sha256: sha256('acme_3ZkL').toString('base64'),
      prefix: 'acme_3Zk',
      owner_note: 'customer-7',
      expires_at: '2030-01-01T00:00:00.000Z',
      is_active: false,
    },
    { name: 'acme_', sha256: HEX, prefix: 'acme_' },
  ]
  expect(readExportedKeys('unkey', JSON.stringify(rows))).toEqual({ keys, skipped: [] })
  expect(readExportedKeys('unkey', JSON.stringify({ data: rows }))).toEqual({ keys, skipped: [] })
})

test('keys in a dump of Kong are hashed and do not appear in the result', () => {
  const dump = `
_format_version: "3.0"
consumers:
- username: desk
  custom_id: customer-7
  keyauth_credentials:
  - key: b5hT0EaqMkwJ2yzXkVtR6nQd8uLs1fCg
    tags: [Prod EU]
- username: without-keys
`
  const { keys } = readExportedKeys('kong', dump)
  expect(keys).toEqual([
    {
      name: 'desk',
      sha256: sha256('b5hT0EaqMkwJ2yzXkVtR6nQd8uLs1fCg').toString('hex'),
      prefix: 'b5hT',
      owner_note: 'customer-7',
      tags: ['prod-eu'],
    },
  ])
  expect(JSON.stringify(keys)).not.toContain('b5hT0EaqMkw')
})

test('sessions of Tyk are read when they are hashed with SHA-256, and skipped with a reason otherwise', () => {
  const { keys, skipped } = readExportedKeys(
    'tyk',
    JSON.stringify({
      keys: [
        { key_hash: HEX, alias: 'desk', expires: 1_893_456_000, is_inactive: true, tags: ['prod'] },
        { key_hash: HEX, alias: '', expires: 0 },
        { key_hash: 'f6a82adcde4bdb0c', alias: 'old' },
      ],
    }),
  )
  expect(keys).toEqual([
    { name: 'desk', sha256: HEX, expires_at: '2030-01-01T00:00:00.000Z', is_active: false, tags: ['prod'] },
    { name: 'imported', sha256: HEX },
  ])
  expect(skipped).toEqual([expect.stringContaining('old: not a SHA-256 hash')])
})

test.each([
  ['unkey', '[{"name":"without a hash"}]'],
  ['kong', 'services: []'],
  ['tyk', '"text"'],
] as [Source, string][])('a file that is not an export of %s is rejected', (source, text) => {
  expect(() => readExportedKeys(source, text)).toThrow()
})

test('imported keys are valid for the call', () => {
  const { keys } = readExportedKeys(
    'kong',
    'consumers: [{ username: a, keyauth_credentials: [{ key: 0123456789abcdef }] }]',
  )
  expect(Value.Check(ImportKeys, { keys })).toBe(true)
})

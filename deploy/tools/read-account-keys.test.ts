import { expect, test } from 'vitest'
import { readAccountKeys } from './read-account-keys.ts'

const HEX = 'ab'.repeat(32)

test('rows of CSV are read with their account, lists and state; empty fields are absent', () => {
  const text = [
    'account,name,sha256,tags,is_active,owner_note,expires_at',
    `ada@example.com,reader,${HEX},prod eu,false,"a ""note"", with a comma",`,
    '',
    `0199c4a0-0000-7000-8000-000000000000,writer,${HEX},,,,2030-01-01T00:00:00Z`,
  ].join('\r\n')
  expect(readAccountKeys(text)).toEqual({
    keys: [
      {
        line: 2,
        account: 'ada@example.com',
        key: {
          name: 'reader',
          sha256: HEX,
          tags: ['prod', 'eu'],
          is_active: false,
          owner_note: 'a "note", with a comma',
        },
      },
      {
        line: 4,
        account: '0199c4a0-0000-7000-8000-000000000000',
        key: { name: 'writer', sha256: HEX, expires_at: '2030-01-01T00:00:00Z' },
      },
    ],
    skipped: [],
  })
})

test('rows of JSON are read; a row without account or hash is skipped with its line and the field', () => {
  const rows = [
    { account: 'ada@example.com', name: 'reader', sha256: HEX, tags: ['prod'] },
    { name: 'reader', sha256: HEX },
    { account: 'ada@example.com', name: 'reader', sha256: 'md5' },
    { account: 'ada@example.com', name: 'reader', sha256: HEX, colour: 'red' },
  ]
  const { keys, skipped } = readAccountKeys(JSON.stringify(rows))
  expect(keys).toEqual([{ line: 1, account: 'ada@example.com', key: { name: 'reader', sha256: HEX, tags: ['prod'] } }])
  expect(skipped).toEqual([
    'line 2: account is missing',
    expect.stringMatching(/^line 3: sha256 must match pattern/),
    expect.stringMatching(/^line 4: /),
  ])
})

test('a file without the column of the account is rejected', () => {
  expect(() => readAccountKeys(`name,sha256\nreader,${HEX}\n`)).toThrow('no column "account"')
})

test('a quote that is not closed is an error with its line, and nothing is read', () => {
  const rows = ['account,name,sha256', `ada@example.com,reader,${HEX}`, `bob@example.com,"writer,${HEX}`]
  expect(() => readAccountKeys(rows.join('\n'))).toThrow('Line 3 is not CSV')
  expect(() => readAccountKeys(`account,name,sha256\nada@example.com,a "b",${HEX}\n`)).toThrow('Line 2 is not CSV')
})

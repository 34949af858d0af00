import { expect, test } from 'vitest'
import { openFields, signFields } from './signed-cursor.ts'

const signer = { key: Buffer.from('a key of the tests'), version: 2 }
const fields = { c: 'trade', k: ['2026-11-23T00:00:00Z', '7'] }
const cursor = signFields(signer, fields)

test('a signed cursor is opened with its fields', () => {
  expect(openFields(signer, cursor)).toEqual(fields)
})

test.each([
  ['nothing', ''],
  ['a shortened cursor', cursor.slice(0, -1)],
  ['a lengthened cursor', `${cursor}A`],
  ['characters that decoding skips', `${cursor}!`],
  ['padding', `${cursor}=`],
  ['another key', signFields({ ...signer, key: Buffer.from('another') }, fields)],
  ['another version', signFields({ ...signer, version: 3 }, fields)],
])('%s is rejected', (_what, text) => {
  expect(() => openFields(signer, text)).toThrow(expect.objectContaining({ code: 'cursor.invalid' }))
})

test('a cursor with any byte changed is rejected', () => {
  const bytes = Buffer.from(cursor, 'base64url')
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => openFields(signer, changed.toString('base64url')), `byte ${at}`).toThrow('This cursor is not valid')
  }
})

import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSecrets, type Secrets } from './secrets.ts'

const dir = mkdtempSync(join(tmpdir(), 'secrets-'))
const file = join(dir, 'secrets.json')
afterAll(() => rmSync(dir, { recursive: true }))

test('secrets missing from an older file are added; concurrent readers see a complete file', () => {
  const first = readSecrets(dir)
  const { identitySecret: _unknown, ...older } = first
  writeFileSync(file, JSON.stringify(older), { mode: 0o600 })
  const reader = openSync(file, 'r')
  const completed = readSecrets(dir)
  expect(JSON.parse(readFileSync(reader, 'utf8'))).toEqual(older)
  closeSync(reader)
  expect(completed).toEqual({ ...first, identitySecret: completed.identitySecret })
  expect(completed.identitySecret).not.toBe('')
  const stored: Secrets = JSON.parse(readFileSync(file, 'utf8'))
  expect(stored).toEqual(completed)
  expect(readSecrets(dir)).toEqual(completed)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(dir)).toEqual(['secrets.json'])
})

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDemoAccounts, readDemoAccounts } from '../local/demo-accounts.ts'
import { readForPreparation, readPasswords } from './passwords.ts'

const dir = mkdtempSync(join(tmpdir(), 'tapeline-passwords-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const folder = (name: string) => mkdtempSync(join(dir, name))

test('demo accounts are defined before the first start, and every preparation yields the same ones', () => {
  const secrets = folder('secrets')
  const { demo } = readPasswords(secrets)
  expect(demo.map(({ role }) => role).toSorted()).toEqual(['admin', 'tester', 'user', 'user'])
  expect(new Set(demo.map(({ password }) => password)).size).toBe(demo.length)
  for (const place of [folder('first'), folder('second')]) {
    makeDemoAccounts(place, readPasswords(secrets).demo)
    expect(readDemoAccounts(place)).toEqual({ accounts: demo, api_key: null })
  }
  expect(readPasswords(folder('another')).demo[0]?.password).not.toBe(demo[0]?.password)
})

test('after an upgrade, the preparation reads the file of the earlier version and does not write it', () => {
  const secrets = folder('earlier')
  const { kafka, ...others } = readPasswords(secrets)
  const { scaler: _added, ...users } = kafka
  const file = join(secrets, 'passwords.json')
  writeFileSync(file, JSON.stringify({ ...others, kafka: users }))
  const before = readFileSync(file, 'utf8')
  expect(readForPreparation(secrets)).toEqual({ backup: others.backup, demo: others.demo })
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect(readPasswords(secrets).kafka['scaler']).toBeDefined()
})

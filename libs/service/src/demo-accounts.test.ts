import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readDemoAccounts } from './demo-accounts.ts'

const dir = mkdtempSync(join(tmpdir(), 'demo-accounts-'))
const file = join(dir, 'demo-accounts.json')
afterAll(() => rmSync(dir, { recursive: true }))

const account = {
  id: '0193a000-0000-7000-8000-000000000001',
  email: 'pro@tapeline.local',
  password: 'long enough',
  first_name: 'Paula',
  last_name: 'Pro',
  mobile: '+15550100003',
  role: 'user',
  tier: 'pro',
}

test('accounts are read from the file; without a file there are none', async () => {
  const content = { accounts: [account], api_key: null }
  writeFileSync(file, JSON.stringify(content))
  expect(await readDemoAccounts(file)).toEqual(content)
  expect(await readDemoAccounts('')).toEqual({ accounts: [], api_key: null })
})

test.each([
  ['a tier that there is not', { tier: 'gold' }],
  ['a short password', { password: 'short' }],
  ['no id', { id: undefined }],
])('an account with %s is rejected', async (_what, wrong) => {
  writeFileSync(file, JSON.stringify({ accounts: [{ ...account, ...wrong }], api_key: null }))
  await expect(readDemoAccounts(file)).rejects.toThrow()
})

import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DemoAccount, DemoAccounts } from '@tapeline/service/demo-accounts'
import { StartProblem } from './start-problem.ts'

const PASSWORD_BYTES = 12
const PEOPLE = [
  {
    email: 'admin@tapeline.local',
    first_name: 'Ada',
    last_name: 'Admin',
    mobile: '+15550100001',
    role: 'admin',
    tier: 'pro',
  },
  {
    email: 'tester@tapeline.local',
    first_name: 'Tom',
    last_name: 'Tester',
    mobile: '+15550100002',
    role: 'tester',
    tier: 'basic',
  },
  {
    email: 'pro@tapeline.local',
    first_name: 'Paula',
    last_name: 'Pro',
    mobile: '+15550100003',
    role: 'user',
    tier: 'pro',
  },
  {
    email: 'free@tapeline.local',
    first_name: 'Fred',
    last_name: 'Free',
    mobile: '+15550100004',
    role: 'user',
    tier: 'free',
  },
] as const

export function demoAccountsFile(dir: string): string {
  return join(dir, 'demo-accounts.json')
}

export function newDemoAccounts(): DemoAccount[] {
  return PEOPLE.map((person) => ({ id: randomUUIDv7(), password: newPassword(), ...person }))
}

/** Creates the file once, with random passwords unless `accounts` has others. The seeds read them from this file only. */
export function makeDemoAccounts(dir: string, accounts: readonly DemoAccount[] = newDemoAccounts()): void {
  const file = demoAccountsFile(dir)
  if (existsSync(file)) return
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify({ accounts, api_key: null }, null, 2)}\n`, { mode: 0o600 })
  renameSync(temporary, file)
}

export function readDemoAccounts(dir: string): DemoAccounts {
  const file = demoAccountsFile(dir)
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as DemoAccounts
    if (Array.isArray(found.accounts)) return found
  } catch (cause) {
    throw new StartProblem(
      `${file} cannot be read.`,
      `Delete it; to recreate the demo accounts, delete the data folder as well: ${String(cause)}`,
      { cause },
    )
  }
  throw new StartProblem(
    `${file} contains no accounts.`,
    'Restore it, or delete the data folder to start from scratch.',
  )
}

/** Always contains lower case, upper case and a digit, to satisfy any password rule. */
function newPassword(): string {
  return `Tl4-${randomBytes(PASSWORD_BYTES).toString('base64url')}`
}

import { Role, Tier } from '@tapeline/contracts/actor'
import { readFile } from 'node:fs/promises'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const DEMO_ACCOUNTS_MAX = 100

const DemoAccount = Type.Object({
  id: Type.String({ format: 'uuid' }),
  email: Type.String(),
  password: Type.String({ minLength: 8 }),
  first_name: Type.String(),
  last_name: Type.String(),
  mobile: Type.String(),
  role: Role,
  tier: Tier,
})
export type DemoAccount = Static<typeof DemoAccount>

const DemoAccounts = Type.Object({
  accounts: Type.Array(DemoAccount, { maxItems: DEMO_ACCOUNTS_MAX }),
  api_key: Type.Union([Type.String(), Type.Null()]),
})
export type DemoAccounts = Static<typeof DemoAccounts>

/** Reads the demo accounts for the seeds of the services; returns no accounts if `file` is empty. */
export async function readDemoAccounts(file: string): Promise<DemoAccounts> {
  if (file === '') return { accounts: [], api_key: null }
  return Value.Parse(DemoAccounts, JSON.parse(await readFile(file, 'utf8')))
}

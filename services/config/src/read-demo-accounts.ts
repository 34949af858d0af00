import { Tier } from '@tapeline/contracts/actor'
import { readFile } from 'node:fs/promises'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const DemoAccount = Type.Object({ id: Type.String({ format: 'uuid' }), tier: Tier })
type DemoAccount = Static<typeof DemoAccount>
const DemoAccounts = Type.Object({ accounts: Type.Array(DemoAccount) })

export async function readDemoAccounts(file: string): Promise<DemoAccount[]> {
  return Value.Parse(DemoAccounts, JSON.parse(await readFile(file, 'utf8'))).accounts
}

import { Role, Tier } from '@tapeline/contracts/actor'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const FILE_MODE = 0o600

/** The fields that the seed reads; the others are kept as they are. */
const DemoAccounts = Type.Object({
  accounts: Type.Array(
    Type.Object({ id: Type.String({ format: 'uuid' }), email: Type.String(), role: Role, tier: Tier }),
  ),
  api_key: Type.Union([Type.String(), Type.Null()]),
})
export type DemoAccounts = Static<typeof DemoAccounts>

export async function readDemoAccounts(file: string): Promise<DemoAccounts> {
  return Value.Parse(DemoAccounts, JSON.parse(await readFile(file, 'utf8')))
}

/** Written aside and renamed: a reader sees the old file or the new one, and nobody else's eyes see either. */
export async function writeDemoKey(file: string, accounts: DemoAccounts, apiKey: string): Promise<void> {
  const aside = `${file}.${process.pid}`
  await writeFile(aside, `${JSON.stringify({ ...accounts, api_key: apiKey }, null, 2)}\n`, { mode: FILE_MODE })
  await rename(aside, file)
}

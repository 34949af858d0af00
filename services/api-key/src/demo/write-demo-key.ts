import type { DemoAccounts } from '@tapeline/service/demo-accounts'
import { rename, writeFile } from 'node:fs/promises'

const FILE_MODE = 0o600

/** Writes a temporary file and renames it, so readers see a complete file; only its owner can read it. */
export async function writeDemoKey(file: string, accounts: DemoAccounts, apiKey: string): Promise<void> {
  const aside = `${file}.${process.pid}`
  await writeFile(aside, `${JSON.stringify({ ...accounts, api_key: apiKey }, null, 2)}\n`, { mode: FILE_MODE })
  await rename(aside, file)
}

import type { UserActor } from '@tapeline/contracts/actor'
import { type DemoAccount, readDemoAccounts, type DemoAccounts } from '@tapeline/service/demo-accounts'
import { createKey } from '../keys/create-key.ts'
import { deleteKey } from '../keys/delete-key.ts'
import type { KeyDeps } from '../deps.ts'
import { findSecret } from '../keys/key-queries.ts'
import { listKeys } from '../keys/list-keys.ts'
import { rename, writeFile } from 'node:fs/promises'

const DEMO_EMAIL = 'pro@tapeline.local'
const DEMO_KEY_NAME = 'demo'
const KID = /^tl_live_([0-9A-Za-z]{12})_/

/** Creates the demo key, unless the file contains one that works. Idempotent. */
export async function seedDemoKey(deps: KeyDeps, file: string): Promise<'made' | 'kept' | 'no demo account'> {
  const demo = await readDemoAccounts(file)
  const account = demo.accounts.find(({ email }) => email === DEMO_EMAIL)
  if (account === undefined) return 'no demo account'
  if (await works(deps, demo.api_key)) return 'kept'
  const owner = ownerOf(account)
  if (demo.api_key === null) await removeUnused(deps, owner)
  const { apiKey } = await createKey(deps, owner, { name: DEMO_KEY_NAME })
  await writeDemoKey(file, demo, apiKey)
  return 'made'
}

/**
 * Without a persistent file, each run leaves an unused key, which is removed here. Keys that are in use or
 * regenerated are kept.
 */
async function removeUnused(deps: KeyDeps, owner: UserActor): Promise<void> {
  const { apiKeys } = await listKeys(deps, owner)
  const unused = apiKeys.filter(({ name, last_used_at }) => name === DEMO_KEY_NAME && last_used_at === null)
  for (const { id } of unused) await deleteKey(deps, owner, id)
}

async function works(deps: KeyDeps, apiKey: string | null): Promise<boolean> {
  const kid = KID.exec(apiKey ?? '')?.[1]
  const secret = kid === undefined ? undefined : await findSecret(deps.db, kid)
  return secret !== undefined && secret.state === 'active' && secret.ends_at === null
}

function ownerOf({ id, role, tier }: DemoAccount): UserActor {
  return {
    kind: 'user',
    userId: id,
    role,
    tier,
    features: [],
    sessionId: null,
    keyId: null,
    scopes: [],
    environment: 'live',
    timeZone: 'UTC',
  }
}

const FILE_MODE = 0o600

/** Writes a temporary file and renames it, so readers see a complete file; only its owner can read it. */
async function writeDemoKey(file: string, accounts: DemoAccounts, apiKey: string): Promise<void> {
  const aside = `${file}.${process.pid}`
  await writeFile(aside, `${JSON.stringify({ ...accounts, api_key: apiKey }, null, 2)}\n`, { mode: FILE_MODE })
  await rename(aside, file)
}

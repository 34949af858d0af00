import { parseArgs } from 'node:util'
import { COMMAND_CONNECT_TIMEOUT_MS, connectDatabase, createPool } from '@tapeline/database/connect'
import { openStore } from '@tapeline/objects/open-store'
import { runCommand } from '@tapeline/service/process/run-command'
import { readConfig, secret } from '@tapeline/service/read-config'
import { Type } from 'typebox'
import { verifyAnchoredTrail } from './anchors/verify-anchored-trail.ts'
import { Config } from './config.ts'
import { createSigner } from './evidence/signatures.ts'
import type { Tables } from './tables.ts'

const STATEMENT_TIMEOUT_MS = 600_000
const { LAKE_URL, LAKE_ACCESS_KEY_ID, LAKE_SECRET_ACCESS_KEY } = Config.properties
const Environment = Type.Object({
  DATABASE_URL: secret(Type.String({ minLength: 1 })),
  LAKE_URL,
  LAKE_ACCESS_KEY_ID,
  LAKE_SECRET_ACCESS_KEY,
  EVIDENCE_KEYS: secret(Type.String({ default: '' })),
  /** Instead of EVIDENCE_KEYS, for an auditor who has no private key: comma-separated, base64url. */
  EVIDENCE_PUBLIC_KEYS: Type.String({ default: '' }),
})

const USAGE = `Usage: npm run verify-audit

Verifies the whole audit trail and prints the result as JSON. The exit code is 1 if an entry or an anchor was altered or is
missing. The trail is that of the platform running from TAPELINE_DIR (.tapeline); DATABASE_URL and LAKE_URL name another.
`

async function run(args: string[]): Promise<number> {
  parseArgs({ args, options: {} })
  const config = readConfig(Environment, process.env)
  const pool = createPool({
    url: config.DATABASE_URL,
    connectTimeoutMs: COMMAND_CONNECT_TIMEOUT_MS,
    connectionsMax: 1,
    applicationName: 'verify-audit',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  try {
    const publicKeys =
      config.EVIDENCE_PUBLIC_KEYS === ''
        ? createSigner(config.EVIDENCE_KEYS).publicKeys
        : config.EVIDENCE_PUBLIC_KEYS.split(',')
    const store = config.LAKE_URL === '' ? undefined : openStore(config)
    const verdict = await connectDatabase<Tables>(pool)
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((db) => verifyAnchoredTrail({ db, store, publicKeys, startedAt: new Date() }))
    process.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`)
    if (store === undefined) process.stderr.write('LAKE_URL is not set: chains were verified, anchors were not.\n')
    return verdict.isRight ? 0 : 1
  } finally {
    await pool.end()
  }
}

await runCommand({ name: 'verify-audit', usage: USAGE, run })

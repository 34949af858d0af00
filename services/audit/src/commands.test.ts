import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { UserActor } from '@tapeline/contracts/actor'
import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import { newEvent } from '@tapeline/contracts/event'
import { someUser } from '@tapeline/testing/actors'
import { callAs } from '@tapeline/testing/call-as'
import { testServers } from '@tapeline/testing/test-servers'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { waitUntil } from '@tapeline/testing/wait-until'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../test/app.fixture.ts'
import { openTemporaryStore } from '../test/temporary-store.fixture.ts'
import { anchorTrail } from './anchors/anchor-trail.ts'
import { closeHours } from './statements/close-hours.ts'
import { recordInTrail } from './trail/record-in-trail.ts'

const { app, db, deps, ago, get, record, close } = await openTestApp('2026-03-10T12:34:56.789Z')
const store = await openTemporaryStore()
afterAll(async () => {
  await close()
  await store.remove()
})
/** Each command is a process of its own. */
const COMMANDS_TIMEOUT_MS = 240_000
const actor = someUser()
const [publicKey = ''] = deps.signer.publicKeys

/** Runs a command of the service as a process, without the environment of this one. */
async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const file = join(import.meta.dirname, `${command}-command.ts`)
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return promisify(execFile)(process.execPath, [file, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...env } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  )
}

const check = (as: UserActor, method: 'GET' | 'POST') =>
  callAs(app, 'audit', as, { method, url: '/api/v1/admin/audit-trail/check' })

async function recordEntry(): Promise<string> {
  const id = deps.newId()
  const data = { key_id: 'key-1', kid: 'k1', account_id: actor.userId, name: 'ci', version: 1 }
  const about = { id, time: ago(1), subject: 'key-1', account: actor.userId, actor, network: null }
  await db.transaction().execute((trx) => recordInTrail(trx, [newEvent(apiKeyCreated, { ...about, data })]))
  return id
}

test('verify-trail needs the public key only, and exits with 1 when an entry is missing', async () => {
  await recordEntry()
  const last = await recordEntry()
  await anchorTrail({ ...deps, store: store.store })
  const database = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const url = new URL(testServers().databaseUrl)
  url.pathname = `/${database.rows[0]?.name}`
  const env = { DATABASE_URL: url.href, LAKE_URL: `file:${store.folder}`, EVIDENCE_PUBLIC_KEYS: publicKey }
  const intact = await run('verify-trail', [], env)
  expect(intact.code).toBe(0)
  expect(JSON.parse(intact.stdout)).toMatchObject({ isRight: true, entries: 2, anchors: 1 })
  await sql`alter table audit_trail disable trigger audit_trail_is_append_only`.execute(db)
  await sql`delete from audit_trail where id = ${last}::uuid`.execute(db)
  const truncated = await run('verify-trail', [], env)
  expect(truncated.code).toBe(1)
  expect(JSON.parse(truncated.stdout)).toMatchObject({ fault: { kind: 'truncated', entry: last } })
})

test('verify-statement verifies a saved answer and a proof without a platform', async () => {
  const requestId = 'a'.repeat(32)
  await record(usageEvent({ account_id: actor.userId, request_id: requestId, at: ago(90) }))
  await sql`insert into usage_progress (topic, complete_until, checked_until)
    values ('usage', ${ago(0)}, ${ago(0)})`.execute(db)
  await closeHours(deps)
  const save = async (name: string, path: string, change = (text: string) => text) => {
    const reply = await get(actor, path)
    const file = join(store.folder, name)
    await writeFile(file, change(reply.body))
    return file
  }
  const statement = await save('statement.json', 'statements/2026-03')
  const proof = await save('proof.json', `statements/2026-03/proof?request_id=${requestId}`)
  const valid = await run('verify-statement', [statement, '--key', publicKey, '--proof', proof])
  expect(valid).toMatchObject({ code: 0 })
  expect(valid.stdout).toContain('1 requests charged, 0 rejected')
  expect(valid.stdout).toContain(
    `Request ${requestId} of 2026-03-10T11:04:56.789000Z is in the statement: allowed and charged`,
  )
  const forged = await save('forged.json', 'statements/2026-03', (text) =>
    text.replaceAll('"admitted":1', '"admitted":2'),
  )
  expect(await run('verify-statement', [forged, '--key', publicKey])).toMatchObject({ code: 1 })
  expect(await run('verify-statement', [statement])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Specify the public key of the platform with --key.'),
  })
})

test(
  'wrong use and a database that does not answer are reported without a stack',
  async () => {
    const nowhere = { DATABASE_URL: 'postgres://x:y@127.0.0.1:1/x' }
    const [help, wrongTrail, wrongStatement, refused, missing] = await Promise.all([
      run('verify-trail', ['--help']),
      run('verify-trail', ['--foo'], nowhere),
      run('verify-statement', ['--foo']),
      run('verify-trail', [], nowhere),
      run('verify-statement', ['/nowhere.json', '--key', 'x']),
    ])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    for (const { code, stderr } of [wrongTrail, wrongStatement]) {
      expect(code).toBe(2)
      expect(stderr).toMatch(/Unknown option '--foo'\n[^]*Usage: npm run/)
    }
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Start the platform with npm start') })
    expect(refused.stderr).not.toContain('    at ')
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('/nowhere.json cannot be read') })
  },
  COMMANDS_TIMEOUT_MS,
)

test('an admin starts a verification of the trail and reads its result; others may not', async () => {
  const admin = someUser({ role: 'admin' })
  expect((await check(actor, 'GET')).statusCode).toBe(403)
  expect((await check(admin, 'POST')).json()).toMatchObject({ data: { state: 'running' } })
  await waitUntil('the verification ends', async () => {
    const { data } = (await check(admin, 'GET')).json()
    return data.state === 'done'
  })
  const { data } = (await check(admin, 'GET')).json()
  expect(data).toMatchObject({ has_store: false, verdict: { isRight: false, fault: { kind: 'truncated' } } })
})

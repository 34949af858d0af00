import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { REPOSITORY } from '../local/folders.ts'
import { runOnce } from '../local/processes/run-once.ts'
import { readPasswords } from '../containers/passwords.ts'
import { readSecrets } from '../local/secrets.ts'

/** Addresses of a platform in containers, and the folder with its secrets. */
export type Reached = {
  web: string
  gateway: string
  mail: string
  postgres: string
  redis: string
  secretsDir: string
}

const TOUR_TIMEOUT_MS = 1_800_000
const HISTORY_WITHIN_MS = 600_000
const FRESH_MS = 120_000
const POLL_INTERVAL_MS = 2_000
const LINES_SHOWN = 60

/** The tour of the test suite, against a platform that runs elsewhere. */
export async function takeTour(reached: Reached): Promise<string> {
  await waitForHistory(reached.web)
  const folder = mkdtempSync(join(tmpdir(), 'tapeline-tour-'))
  try {
    const file = join(folder, 'platform.json')
    writeFileSync(file, JSON.stringify({ running: describeReached(reached), webPorts: [] }), { mode: 0o600 })
    const vitest = join(REPOSITORY, 'node_modules', 'vitest', 'vitest.mjs')
    const { code, output } = await runOnce(process.execPath, [vitest, 'run', '--project', 'platform', 'tests/tour'], {
      timeoutMs: TOUR_TIMEOUT_MS,
      cwd: REPOSITORY,
      env: { ...process.env, TEST_PLATFORM_FILE: file, NO_COLOR: '1' },
    })
    if (code !== 0) throw new Error(output.split('\n').slice(-LINES_SHOWN).join('\n'))
    return /Tests\s+(.+)/.exec(output)?.[1]?.trim() ?? ''
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Calls go through the nginx of web and directly to the gateway. */
export function describeReached({ web, gateway, mail, postgres, redis, secretsDir }: Reached) {
  const { databasePasswords } = readSecrets(secretsDir)
  const { redisLimits } = readPasswords(secretsDir)
  const role = 'tapeline_config'
  return {
    gatewayUrl: web,
    gatewayUrls: [web, gateway],
    webUrl: web,
    mailUrl: mail,
    configDatabaseUrl: `postgres://${role}:${databasePasswords['config']}@${postgres}/${role}`,
    redisUrl: `redis://config:${redisLimits['config']}@${redis}`,
  }
}

/** The simulator generates two days of history before live data. */
async function waitForHistory(web: string): Promise<void> {
  const until = Date.now() + HISTORY_WITHIN_MS
  for (;;) {
    if (await isFresh(web)) return
    if (Date.now() > until) throw new Error(`${web} shows no fresh trades`)
    await sleep(POLL_INTERVAL_MS)
  }
}

async function isFresh(web: string): Promise<boolean> {
  try {
    const reply = await fetch(`${web}/api/v1/sample/BTC-USDT`)
    const { data } = (await reply.json()) as { data?: { ts_event: string }[] }
    return (data ?? []).some(({ ts_event }) => Date.now() - Date.parse(ts_event) < FRESH_MS)
  } catch {
    return false
  }
}

/** The key of the demo account, from the output of the preparing job. */
export function demoKeyIn(text: string): string {
  const { api_key } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as { api_key: string | null }
  if (api_key === null) throw new Error('the demo accounts have no key')
  return api_key
}

/** A low rate of ordinary requests for half a minute, by k6. */
export async function smoke(gateway: string, apiKey: string): Promise<string> {
  const script = join(REPOSITORY, 'load-tests', 'load.ts')
  const words = ['verify-and-read', 'smoke', '--base-url', gateway]
  const { code, output } = await runOnce(process.execPath, [script, ...words], {
    timeoutMs: TOUR_TIMEOUT_MS,
    cwd: REPOSITORY,
    env: { ...process.env, API_KEY: apiKey },
  })
  if (code !== 0) throw new Error(output.split('\n').slice(-LINES_SHOWN).join('\n'))
  return output.split('\n').find((line) => /^\d+ requests in /.test(line)) ?? ''
}

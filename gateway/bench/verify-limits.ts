import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { beginResult } from '@tapeline/testing/begin-result'
import { RedisServer } from '@tapeline/testing/redis/redis-server'

// The long form of the property test in decide.test.ts, on a separate Redis. `--seed` repeats a failed run, `--out` writes the figures.

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '500' },
    steps: { type: 'string', default: '400' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    out: { type: 'string', default: '' },
  },
})
const [seed, runs, steps] = [Number(values.seed), Number(values.runs), Number(values.steps)]
const dir = mkdtempSync(join(tmpdir(), 'verify-limits-'))
const server = await RedisServer.start(dir)
print(`seed ${seed}, ${runs} accounts with ${steps} steps each, Redis ${server.version}`)
process.env.REDIS_URL = server.url
const { loadScripts, redis } = await import('../test/limiter-scripts.fixture.ts')
const { compareWithLog } = await import('../test/limits-against-log.fixture.ts')
try {
  await loadScripts()
  const startedMs = performance.now()
  const result = beginResult()
  const shown = await compareWithLog({ seed, runs, steps })
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
  print(
    `${shown.decisions} decisions, ${shown.denials} denials (${shown.deniedByKey} by a key's own caps), ` +
      `${shown.months} months: never more than the log, never less than the log + one cell; ${seconds} s`,
  )
  if (values.out !== '') result.write(values.out, { seed, runs, steps, ...shown })
} catch (error) {
  print(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  redis.disconnect()
  await server.stop()
  rmSync(dir, { recursive: true, force: true })
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

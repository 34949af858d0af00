import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, test, vi } from 'vitest'
import { waitUntil } from '@tapeline/testing/wait-until'
import { identify, isAlive } from './process-identity.ts'

vi.setConfig({ testTimeout: 180_000 })
const ENDED_WITHIN_MS = 60_000
const dir = mkdtempSync(join(tmpdir(), 'tapeline-guard-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

test('kill -9 of the launcher ends the processes it started, also those that ignore SIGTERM', async () => {
  const starter = join(dir, 'starter.ts')
  writeFileSync(
    starter,
    `import { runChild } from ${JSON.stringify(join(import.meta.dirname, 'run-child.ts'))}
for (const script of ['sleep 60', 'trap "" TERM; echo armed; while :; do sleep 1; done']) {
  const child = await runChild({ name: 'x', command: 'sh', args: ['-c', script], dir: ${JSON.stringify(dir)}, marker: 'sh', stopSignal: 'SIGTERM', stopTimeoutMs: 1, output: { onLine: () => {} } })
  console.log(child.pid)
}
setInterval(() => {}, 1000)`,
  )
  const child = spawn(process.execPath, [starter], { stdio: ['ignore', 'pipe', 'inherit'] })
  const pids: number[] = []
  createInterface({ input: child.stdout }).on('line', (line) => pids.push(Number(line)))
  await waitUntil('both run', () => pids.length === 2, ENDED_WITHIN_MS)
  const identities = pids.map((pid) => identify(pid))
  child.kill('SIGKILL')
  await waitUntil(
    'both are gone',
    () => identities.every((identity) => identity !== undefined && !isAlive(identity)),
    ENDED_WITHIN_MS,
  )
  expect(identities).toHaveLength(2)
})

test('during shutdown, a supervisor does not restart a stopped process', async () => {
  const starter = join(dir, 'ending.ts')
  const here = (file: string): string => JSON.stringify(join(import.meta.dirname, file))
  writeFileSync(
    starter,
    `import { endGuarded } from ${here('guard.ts')}
import { runChild } from ${here('run-child.ts')}
const spec = { name: 'y', command: 'sleep', args: ['60'], dir: ${JSON.stringify(dir)}, marker: 'sleep', stopSignal: 'SIGTERM', stopTimeoutMs: 1, output: { onLine: () => {} } }
const child = await runChild(spec)
const again = child.exited.then(() => runChild(spec)).then(() => 'started', (error) => error.message)
await endGuarded()
console.log(await again)`,
  )
  const child = spawn(process.execPath, [starter], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  await waitUntil('it reports the result', () => lines.length === 1, ENDED_WITHIN_MS)
  expect(lines).toEqual(['y is not started because the platform is stopping'])
})

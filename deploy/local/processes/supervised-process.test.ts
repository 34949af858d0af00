import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { waitUntil } from '@tapeline/testing/wait-until'
import { takeFreePort } from '../ports/free-port.ts'
import { superviseProcess, type SupervisedProcess } from './supervised-process.ts'

const dir = mkdtempSync(join(tmpdir(), 'tapeline-supervised-'))
const answering = join(dir, 'answering.ts')
writeFileSync(
  answering,
  `import { createServer } from 'node:http'\ncreateServer((_, response) => response.end('ok')).listen(Number(process.env.PORT), '127.0.0.1')`,
)
const failing = join(dir, 'failing.ts')
writeFileSync(failing, `console.error('PORT is missing'); process.exit(3)`)

let running: SupervisedProcess | undefined
const notices: string[] = []
afterEach(async () => running?.stop())
afterAll(() => rmSync(dir, { recursive: true, force: true }))

async function start(script: string): Promise<SupervisedProcess> {
  const port = await takeFreePort()
  running = await superviseProcess(
    { name: 'clock', port, args: [script], env: { PORT: String(port) }, readyUrl: `http://127.0.0.1:${port}/readyz` },
    { dir, onLine: () => undefined, onNotice: (text) => notices.push(text), isRestarting: true },
  )
  return running
}

test('a process that exits is restarted, and the restart is reported', async () => {
  const clock = await start(answering)
  await clock.waitUntilReady()
  const first = clock.pid() ?? 0
  process.kill(first, 'SIGKILL')
  await waitUntil('another one runs', () => clock.pid() !== undefined && clock.pid() !== first)
  await clock.waitUntilReady()
  expect(notices).toContain('clock exited (SIGKILL); restarting in 0.5 s')
})

test('a process killed through the API stays down until it is restarted', async () => {
  const clock = await start(answering)
  await clock.waitUntilReady()
  notices.length = 0
  await clock.kill()
  expect(clock.pid()).toBeUndefined()
  await clock.restart()
  expect((await fetch(clock.url)).ok).toBe(true)
  expect(notices).toEqual([])
})

test('a process that cannot start reports the reason', async () => {
  const clock = await start(failing)
  await expect(clock.waitUntilReady()).rejects.toThrow(/clock did not start \(code 3\)[^]*PORT is missing/)
})

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
    { name: 'child', port, args: [script], env: { PORT: String(port) }, readyUrl: `http://127.0.0.1:${port}/readyz` },
    { dir, onLine: () => undefined, onNotice: (text) => notices.push(text), isRestarting: true },
  )
  return running
}

test('a process that exits is restarted, and the restart is reported', async () => {
  const child = await start(answering)
  await child.waitUntilReady()
  const first = child.pid() ?? 0
  process.kill(first, 'SIGKILL')
  await waitUntil('the process was restarted', () => child.pid() !== undefined && child.pid() !== first)
  await child.waitUntilReady()
  expect(notices).toContain('child exited (SIGKILL); restarting in 0.5 s')
})

test('a process killed through the API stays down until it is restarted', async () => {
  const child = await start(answering)
  await child.waitUntilReady()
  notices.length = 0
  await child.kill()
  expect(child.pid()).toBeUndefined()
  await child.restart()
  expect((await fetch(child.url)).ok).toBe(true)
  expect(notices).toEqual([])
})

test('a process that cannot start reports the reason', async () => {
  const child = await start(failing)
  await expect(child.waitUntilReady()).rejects.toThrow(/child did not start \(code 3\)[^]*PORT is missing/)
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { takeFreePort } from '../ports/free-port.ts'
import { type LaterPlan, type Starting, startProcesses } from './start-processes.ts'

const dir = mkdtempSync(join(tmpdir(), 'tapeline-start-'))
const answering = join(dir, 'answering.ts')
writeFileSync(
  answering,
  `import { createServer } from 'node:http'\ncreateServer((_, response) => response.end('ok')).listen(Number(process.env.PORT), '127.0.0.1')`,
)
afterAll(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }))

/** More than are started at once. */
const PROCESSES = 9

async function startAll(later: LaterPlan) {
  // It may fail while the ports are found: handled by startProcesses.
  later.catch(() => {})
  const plans = await Promise.all(
    Array.from({ length: PROCESSES }, async (_, n) => {
      const port = await takeFreePort()
      const readyUrl = `http://127.0.0.1:${port}/readyz`
      return { name: `process-${n}`, port, args: [answering], env: { PORT: String(port) }, readyUrl }
    }),
  )
  const stops: Starting['stops'] = []
  const supervision = { dir, onLine: () => undefined, onNotice: () => undefined, isRestarting: false }
  const step: Starting['step'] = async (_title, work) => work(() => undefined)
  const started = startProcesses([...plans, later], { step, stops, supervision })
  return { started, stop: async () => void (await Promise.all(stops.map((each) => each()))) }
}

test('processes are returned in the order of their plans, and a later plan without a process is left out', async () => {
  const { started, stop } = await startAll(Promise.resolve(undefined))
  expect((await started).map(({ name }) => name)).toEqual(Array.from({ length: PROCESSES }, (_, n) => `process-${n}`))
  await stop()
})

test('a later plan that fails rejects the start at once, before its turn', async () => {
  const { started, stop } = await startAll(Promise.reject(new Error('the pages could not be built')))
  await expect(started).rejects.toThrow('the pages could not be built')
  await stop()
})

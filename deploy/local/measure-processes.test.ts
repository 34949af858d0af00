import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { measureMemory, measureProcessor, type Share } from './measure-processes.ts'
import { identify } from './processes/process-identity.ts'

const NO_LAUNCHER = 2 ** 22 + 2
const FOR_MS = 500

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tapeline-processes-'))
  mkdirSync(join(dir, 'run'))
  writeFileSync(join(dir, 'run', 'audit.json'), JSON.stringify(identify(process.pid)))
  writeFileSync(join(dir, 'run', 'gone.json'), JSON.stringify({ pid: 2 ** 22 + 1, startedAt: '1', boot: 'b' }))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** CPU time of this process and its children, in ms, while `work` runs: a percentage depends on how busy the machine is. */
async function processorMs(work: () => void): Promise<{ audit: number; shares: Record<string, number> }> {
  const startedMs = performance.now()
  const measured = measureProcessor(dir, NO_LAUNCHER, FOR_MS)
  work()
  const shares = byName(await measured)
  return { audit: ((shares.audit ?? 0) / 100) * (performance.now() - startedMs), shares }
}

const byName = (shares: Share[]): Record<string, number> =>
  Object.fromEntries(shares.map(({ name, value }) => [name, value]))

test('the memory of a process is found under its name; an ended process counts as 0', () => {
  const shares = byName(measureMemory(dir, NO_LAUNCHER))
  expect(shares.audit).toBeGreaterThan(10)
  expect(shares).toMatchObject({ gone: 0, launcher: 0 })
})

test('the CPU time of an ended child counts for its parent', async () => {
  const script = 'while (process.cpuUsage().user < 300_000) JSON.stringify(process.versions)'
  const { audit } = await processorMs(() => void execFileSync(process.execPath, ['-e', script]))
  expect(audit).toBeGreaterThan(250)
})

test('the CPU time of a process is found under its name; an ended process counts as 0', async () => {
  const before = process.cpuUsage()
  const { audit, shares } = await processorMs(() => {
    while (process.cpuUsage(before).user < 200_000) JSON.stringify(process.versions)
  })
  expect(audit).toBeGreaterThan(150)
  expect(shares).toMatchObject({ gone: 0, launcher: 0 })
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { measureMemory } from './measure-memory.ts'
import { identify } from './processes/process-identity.ts'

test('the memory of a process is found under its name, and one that is gone counts nothing', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-memory-'))
  try {
    mkdirSync(join(dir, 'run'))
    writeFileSync(join(dir, 'run', 'audit.json'), JSON.stringify(identify(process.pid)))
    writeFileSync(join(dir, 'run', 'gone.json'), JSON.stringify({ pid: 2 ** 22 + 1, startedAt: '1', boot: 'b' }))
    const shares = Object.fromEntries(measureMemory(dir, 2 ** 22 + 2).map(({ name, megabytes }) => [name, megabytes]))
    expect(shares.audit).toBeGreaterThan(10)
    expect(shares).toMatchObject({ gone: 0, launcher: 0 })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

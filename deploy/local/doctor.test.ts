import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { launcherLock } from './processes/launcher-lock.ts'
import { identify } from './processes/process-identity.ts'

const TIMEOUT_MS = 240_000

test('memory and CPU are shown for processes of the data folder only', { timeout: TIMEOUT_MS }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-doctor-'))
  const examine = async () => {
    const env = { ...process.env, TAPELINE_DIR: dir }
    // Exit code 1 when something is missing on this machine.
    const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'doctor.ts')], {
      env,
    }).catch((failure: { stdout: string }) => failure)
    return stdout
  }
  try {
    expect(await examine()).toMatch(
      /^ok +Memory +the platform is not running\nok +Processor +the platform is not running$/m,
    )
    mkdirSync(join(dir, 'run'))
    for (const file of [launcherLock(dir), join(dir, 'run', 'audit.json')]) {
      writeFileSync(file, JSON.stringify(identify(process.pid)))
    }
    const stdout = await examine()
    expect(stdout).toMatch(/^ok +Memory +\d+ MB \(PSS\): .*\baudit \d+/m)
    expect(stdout).toMatch(/^ok +Processor +[\d.]+ % of one core during 10 s: .*\baudit [\d.]+/m)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

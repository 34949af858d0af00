import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

const main = join(import.meta.dirname, '../src/main.ts')

export type Settings = { env?: Record<string, string>; input?: string; cwd?: string }

/** An empty folder, removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapeline-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The command line as its own process, with no setting of this machine; killed after the test if it still runs. */
export function startCli(args: readonly string[], { env = {}, cwd }: Settings = {}): ChildProcessWithoutNullStreams {
  const home = env['HOME'] ?? temporaryFolder()
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, ['--conditions=tapeline-source', main, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, HOME: home, ...env },
    cwd: cwd ?? home,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Runs to the end. */
export async function runCli(args: readonly string[], settings: Settings = {}) {
  const child = startCli(args, settings)
  child.stdin.end(settings.input ?? '')
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { out, err, code: code as number | null }
}

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
export const clientDir = join(root, 'libs/sdk')

export type InstalledClient = { dir: string; remove: () => void }

/** The client as its users get it: packed, then installed into an empty folder without a network. */
export async function installClient(): Promise<InstalledClient> {
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-client-'))
  const { stdout } = await run('npm', ['pack', '--json', '--silent', '--pack-destination', dir], { cwd: clientDir })
  const packed = JSON.parse(stdout) as { filename: string }[]
  const file = packed[0]?.filename ?? ''
  writeFileSync(join(dir, 'package.json'), '{ "name": "user", "private": true, "type": "module" }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(dir, file)], { cwd: dir })
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
export const clientDir = join(root, 'libs/sdk')

export type InstalledClient = { dir: string; remove: () => void }

/** The client as its users get it: packed, then installed into an empty folder without a network. */
export function installClient(): InstalledClient {
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-client-'))
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', dir], {
      cwd: clientDir,
      encoding: 'utf8',
    }),
  ) as { filename: string }[]
  const file = packed[0]?.filename ?? ''
  writeFileSync(join(dir, 'package.json'), '{ "name": "user", "private": true, "type": "module" }')
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', join(dir, file)], { cwd: dir })
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

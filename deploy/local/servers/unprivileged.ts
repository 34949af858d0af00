import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartProblem } from '../start-problem.ts'

/** How commands of PostgreSQL are started, because it refuses to run as root. */
export type Unprivileged = {
  wrap: (command: string, args: string[]) => { command: string; args: string[] }
  runAs?: { uid: number; gid: number }
}

const UNSHARE = ['--user', '--map-user=1000', '--map-group=1000']
const NOBODY = { uid: 65_534, gid: 65_534 }
const PROBE_TIMEOUT_MS = 5_000

/** As root: a user namespace that maps root to user 1000, so that files stay owned by root; otherwise the user `nobody`. */
export function findUnprivileged(dataDir: string, programDir: string): Unprivileged {
  if (process.getuid?.() !== 0) return { wrap: (command, args) => ({ command, args }) }
  if (hasUserNamespaces()) {
    return { wrap: (command, args) => ({ command: 'unshare', args: [...UNSHARE, command, ...args] }) }
  }
  chmodSync(dirname(dataDir), 0o711)
  const blocked = [dataDir, programDir].find((path) => !isReachableByUnprivileged(path))
  if (blocked !== undefined) {
    throw new StartProblem(
      `PostgreSQL does not run as root, user namespaces are not allowed here, and the user nobody cannot reach ${blocked}.`,
      'Start as another user, set TAPELINE_DIR to a folder that all users can access, or DATABASE_URL to your own PostgreSQL server.',
    )
  }
  if (existsSync(dataDir)) chownToUnprivileged(dataDir)
  return { wrap: (command, args) => ({ command, args }), runAs: NOBODY }
}

export function hasUserNamespaces(): boolean {
  return spawnSync('unshare', [...UNSHARE, 'true'], { timeout: PROBE_TIMEOUT_MS, stdio: 'ignore' }).status === 0
}

function isReachableByUnprivileged(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (stats !== undefined && (stats.mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

function chownToUnprivileged(path: string): void {
  chownSync(path, NOBODY.uid, NOBODY.gid)
  if (!lstatSync(path).isDirectory()) return
  for (const entry of readdirSync(path)) chownToUnprivileged(join(path, entry))
}

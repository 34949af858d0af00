import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { killGuarded } from '../../local/processes/guard.ts'
import { StartProblem } from '../../local/start-problem.ts'
import { findApiPrograms, findNodePrograms } from '../cluster-programs.ts'
import type { Verdicts } from '../verdicts.ts'
import { saveImages } from './save-images.ts'
import { makeCgroup } from './own-cgroup.ts'
import { inOwnNamespaces } from './own-namespaces.ts'

/** Runs the overlay for one machine on a real node: rollout, tour, restart under load, removal. */
export async function runOneNode({ check }: Verdicts, imagesTar: string | undefined): Promise<void> {
  const programs = findNodePrograms()
  findApiPrograms()
  if (process.getuid?.() !== 0) throw new StartProblem('This command needs root.', 'Run it as root.')
  const before = seenOnMachine()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, killGuarded)
  const dir = mkdtempSync(join(tmpdir(), 'tapeline-node-'))
  const cgroup = makeCgroup(basename(dir))
  try {
    const images = imagesTar ?? (await saveImages(dir))
    const own = join(dir, 'tmp')
    mkdirSync(own)
    await check('a cluster of one node', async () => {
      const script = join(import.meta.dirname, 'verify-node.ts')
      const code = await inOwnNamespaces(programs, script, [dir, cgroup.name, images], { TMPDIR: own })
      if (code !== 0) throw new Error(`its checks ended with ${code}`)
    })
  } finally {
    await check('nothing of it is left', async () => {
      await cgroup.remove()
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
      const remaining = seenOnMachine().filter((one) => !before.includes(one))
      if (remaining.length > 0) throw new Error(remaining.join('\n'))
    })
  }
}

function seenOnMachine(): string[] {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
  return [...mounts, ...Object.keys(networkInterfaces())]
}

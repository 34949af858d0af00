import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type OwnCgroup = { name: string; remove: () => Promise<void> }

const REMOVE_WITHIN_MS = 60_000
const POLL_INTERVAL_MS = 500

/** The cgroup of the node's pods: below this process's cgroup, with the same name in every hierarchy. */
export function makeCgroup(name: string): OwnCgroup {
  const own = /^\d+:(?:[\w,]*,)?cpu(?:,\w+)*:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '/'
  const path = join(own, name)
  const folders = hierarchies().map((mount) => join(mount, path))
  for (const folder of folders) mkdirSync(folder, { recursive: true })
  return {
    name: path,
    async remove() {
      for (const folder of folders) await removeGroup(folder)
    },
  }
}

function hierarchies(): string[] {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
  return lines.filter((line) => / - cgroup2? /.test(line)).map((line) => line.split(' ')[4] ?? '')
}

/** Removes groups once they are empty, the deepest first. */
async function removeGroup(folder: string): Promise<void> {
  const until = Date.now() + REMOVE_WITHIN_MS
  for (;;) {
    try {
      removeEmpty(folder)
      return
    } catch (error) {
      if (Date.now() > until) throw error
      await sleep(POLL_INTERVAL_MS)
    }
  }
}

function removeEmpty(folder: string): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name))
  }
  rmdirSync(folder)
}

import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = { dir: string; fill: () => void; unmount: () => void }

/** A file system in memory, so that it can be full; undefined if this user may not mount one. */
export function mountSmallDisk(bytes: number): SmallDisk | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'small-disk-'))
  const remove = () => rmSync(dir, { recursive: true, force: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', dir], { stdio: 'ignore' })
  } catch {
    remove()
    return undefined
  }
  return {
    dir,
    fill: () => appendUntilFull(join(dir, 'filler')),
    unmount() {
      execFileSync('umount', ['--lazy', dir])
      remove()
    },
  }
}

function appendUntilFull(file: string): void {
  const piece = Buffer.alloc(1)
  const block = Buffer.alloc(4_096)
  for (let bytes = block; ;) {
    try {
      appendFileSync(file, bytes)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      if (bytes === piece) return
      bytes = piece
    }
  }
}

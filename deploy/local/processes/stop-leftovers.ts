import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { stopLeftover } from './pid-file.ts'

/** Stops processes left running by a killed launcher of this data folder. */
export async function stopLeftovers(dir: string, onNotice: (text: string) => void): Promise<void> {
  const runDir = join(dir, 'run')
  mkdirSync(runDir, { recursive: true, mode: 0o700 })
  const names = readdirSync(runDir).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []))
  await Promise.all(
    names.map(async (name) => {
      const pid = await stopLeftover(dir, name, name === 'postgres' ? 'SIGINT' : 'SIGTERM')
      if (pid !== undefined) onNotice(`stopped ${name} (process ${pid}), which an earlier start left running`)
    }),
  )
}

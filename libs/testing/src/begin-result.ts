import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { dirname } from 'node:path'

/** Records what, where and when a committed result measured; `loadAverage` is the 1-minute average before and after. */
export function beginResult(): { write: (file: string, figures: object) => void } {
  const startedMs = performance.now()
  const load = () => Math.round(100 * (loadavg()[0] ?? 0)) / 100
  const before = load()
  return {
    write(file, figures) {
      const result = {
        at: new Date().toISOString(),
        commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
        node: process.version,
        processor: cpus()[0]?.model,
        cores: availableParallelism(),
        loadAverage: { before, after: load() },
        seconds: Math.round((performance.now() - startedMs) / 1_000),
        ...figures,
      }
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
      process.stderr.write(`written: ${file}\n`)
    },
  }
}

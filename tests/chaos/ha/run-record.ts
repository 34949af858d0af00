import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'

export type RunRecord = {
  /** Prints a line with the seconds since the start. */
  print: (line: string) => void
  /** Writes docs/benchmarks/<name>.json: the result with the circumstances of the run. */
  write: (name: string, result: object) => void
}

const ROOT_DIR = join(import.meta.dirname, '..', '..', '..')

/** All requests and faults of a run, one JSON object per line. */
export function historyFile(name: string, seed: number): string {
  return join(ROOT_DIR, '.tapeline', 'chaos', `${name}-${seed}.jsonl`)
}

export function beginRun(): RunRecord {
  const startedAt = new Date()
  const secondsSinceStart = () => Math.round((Date.now() - startedAt.getTime()) / 1_000)
  const print = (line: string) => void process.stdout.write(`${String(secondsSinceStart()).padStart(5)} s  ${line}\n`)
  return {
    print,
    write(name, result) {
      const file = join('docs', 'benchmarks', `${name}.json`)
      const circumstances = {
        at: startedAt.toISOString(),
        seconds: secondsSinceStart(),
        commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT_DIR, encoding: 'utf8' }).trim(),
        node: process.version,
        cores: availableParallelism(),
        loadAverage: loadavg(),
      }
      writeFileSync(join(ROOT_DIR, file), `${JSON.stringify({ ...circumstances, ...result }, null, 2)}\n`)
      print(`written to ${file}`)
    },
  }
}

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { logEnd, readAfter } from '../../local/servers/log-tail.ts'
import { type Child, runChild } from '../../local/processes/run-child.ts'
import { runOnce } from '../../local/processes/run-once.ts'
import type { NodePrograms } from '../cluster-programs.ts'

/** Tools for every part of a node, within its namespaces. */
export type Inside = {
  dir: string
  /** The cgroup of its pods. */
  cgroup: string
  programs: NodePrograms
  /** Runs a command to completion; returns its output, or throws it on failure. */
  run: (program: string, args: string[], timeoutMs?: number) => Promise<string>
  /** A process that runs until the namespaces are removed. */
  start: (name: keyof NodePrograms, args: string[]) => Promise<Child>
  /** The last output of each process. */
  outputTail: () => string
}

const RUN_TIMEOUT_MS = 600_000
const STOP_TIMEOUT_MS = 10_000
const CHARACTERS_SHOWN = 1_500

export function openInside(dir: string, cgroup: string, programs: NodePrograms): Inside {
  const started: string[] = []
  const logs = join(dir, 'logs')
  mkdirSync(logs)
  const logOf = (name: string) => join(logs, `${name}.log`)
  return {
    dir,
    cgroup,
    programs,
    async run(program, args, timeoutMs = RUN_TIMEOUT_MS) {
      const { code, output } = await runOnce(program, args, { timeoutMs })
      if (code === 0) return output
      throw new Error(`${[program, ...args].join(' ')}\n${output.trim().slice(-CHARACTERS_SHOWN)}`)
    },
    async start(name, args) {
      started.push(name)
      return runChild({
        name,
        command: programs[name],
        args,
        dir,
        marker: dir,
        stopSignal: 'SIGTERM',
        stopTimeoutMs: STOP_TIMEOUT_MS,
        output: { file: logOf(name) },
      })
    },
    outputTail() {
      return started
        .map((name) => `--- ${name}\n${readAfter(logOf(name), Math.max(0, logEnd(logOf(name)) - CHARACTERS_SHOWN))}`)
        .join('\n')
    },
  }
}

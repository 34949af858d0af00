import { spawn } from 'node:child_process'
import { guardProcess, unguardProcess } from './guard.ts'
import { identityOf } from './process-identity.ts'
import { signalGroup } from './signal-group.ts'

export type Outcome = { code: number | null; output: string }
export type RunOptions = {
  timeoutMs: number
  env?: NodeJS.ProcessEnv
  cwd?: string
  runAs?: { uid: number; gid: number }
  onLine?: (line: string) => void
}

const OUTPUT_CHARACTERS_MAX = 200_000

/** Runs a command to completion and returns its output; a missing command has exit code 127. */
export async function runOnce(command: string, args: string[], options: RunOptions): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      detached: true,
      env: options.env ?? process.env,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...options.runAs,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const { pid } = child
    if (pid !== undefined) guardProcess(identityOf(pid), 'SIGTERM')
    const timer = setTimeout(() => pid !== undefined && signalGroup(pid, 'SIGKILL'), options.timeoutMs)
    const finish = (outcome: Outcome): void => {
      clearTimeout(timer)
      if (pid !== undefined) unguardProcess(pid)
      resolve(outcome)
    }
    let output = ''
    let partial = ''
    const take = (chunk: string): void => {
      output = (output + chunk).slice(-OUTPUT_CHARACTERS_MAX)
      const lines = (partial + chunk).split('\n')
      partial = lines.pop() ?? ''
      for (const line of lines) options.onLine?.(line)
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    child.once('error', (error) => finish({ code: 127, output: String(error) }))
    child.once('close', (code, signal) =>
      finish({ code, output: signal === null ? output : `${output}\nended by ${signal}` }),
    )
  })
}

import { spawn } from 'node:child_process'

export type Outcome = { code: number | null; output: string }
export type RunOptions = {
  timeoutMs: number
  env?: NodeJS.ProcessEnv
  cwd?: string
  runAs?: { uid: number; gid: number }
  onLine?: (line: string) => void
}

const OUTPUT_CHARACTERS_MAX = 200_000

/** Runs a command to its end; what it printed comes back, a missing command is code 127. */
export async function runOnce(command: string, args: string[], options: RunOptions): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env: options.env ?? process.env,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...options.runAs,
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let rest = ''
    const take = (chunk: string): void => {
      output = (output + chunk).slice(-OUTPUT_CHARACTERS_MAX)
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) options.onLine?.(line)
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    child.once('error', (error) => resolve({ code: 127, output: String(error) }))
    child.once('close', (code, signal) => resolve({ code, output: signal === null ? output : `${output}\nended by ${signal}` }))
  })
}

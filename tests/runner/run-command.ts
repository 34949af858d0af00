import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'

export type Command = { command: string; args: string[]; env: NodeJS.ProcessEnv; signal: AbortSignal }
export type CommandResult = { ok: boolean; output: string; ending: string }

const GRACE_AFTER_TERM_MS = 8_000
const OUTPUT_BYTES_MAX = 20_000_000

export const ROOT_DIR = join(import.meta.dirname, '..', '..')

/**
 * Runs in its own process group, so that stopping it reaches its child processes.
 * Lines written to file descriptor 3 are passed to `onLine`.
 */
export async function runCommand(run: Command, onLine: (line: string) => void = () => {}): Promise<CommandResult> {
  if (run.signal.aborted) return { ok: false, output: '', ending: 'not started' }
  const child = spawn(run.command, run.args, {
    cwd: ROOT_DIR,
    env: run.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const stop = (): void => stopGroup(child)
  run.signal.addEventListener('abort', stop, { once: true })
  const output = collect(child)
  listen(child, onLine)
  const ending = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code === null ? `ended by ${signal}` : `exit code ${code}`))
  })
  run.signal.removeEventListener('abort', stop)
  return { ok: ending === 'exit code 0', output: output(), ending }
}

function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = []
  let bytes = 0
  const take = (chunk: Buffer): void => {
    bytes += chunk.length
    if (bytes <= OUTPUT_BYTES_MAX) chunks.push(chunk)
  }
  child.stdout?.on('data', take)
  child.stderr?.on('data', take)
  return () => Buffer.concat(chunks).toString('utf8').trimEnd()
}

function listen(child: ChildProcess, onLine: (line: string) => void): void {
  let partial = ''
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    const lines = (partial + chunk.toString('utf8')).split('\n')
    partial = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
}

function stopGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM')
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_AFTER_TERM_MS)
  child.once('close', () => clearTimeout(timer))
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // The whole group has already ended.
  }
}

import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, openSync, statSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { guardProcess, rejectDuringShutdown, unguardProcess } from './guard.ts'
import { removePidFile, writePidFile } from './pid-file.ts'
import { identityOf } from './process-identity.ts'
import { signalGroup } from './signal-group.ts'

export type ChildSpec = {
  name: string
  command: string
  args: string[]
  /** The data folder whose `run/` keeps the pid file. */
  dir: string
  marker: string
  stopSignal: 'SIGINT' | 'SIGTERM'
  stopTimeoutMs: number
  env?: NodeJS.ProcessEnv
  cwd?: string
  runAs?: { uid: number; gid: number }
  output: { file: string } | { onLine: (line: string) => void }
}
export type Exit = { code: number | null; signal: NodeJS.Signals | null }
export type Child = {
  name: string
  pid: number
  exited: Promise<Exit>
  exit: () => Exit | undefined
  /** Sends SIGTERM, and SIGKILL after the timeout. */
  stop: () => Promise<void>
  /** kill -9, the whole group. */
  kill: () => Promise<void>
}

const LOG_BYTES_MAX = 20_000_000

/** A process in its own group (Ctrl-C reaches only the launcher), with a pid file; it ends when its parent ends. */
export async function runChild(spec: ChildSpec): Promise<Child> {
  rejectDuringShutdown(spec.name)
  const child = spawnChild(spec)
  const pid = await spawned(child)
  const identity = identityOf(pid)
  guardProcess(identity, spec.stopSignal)
  writePidFile(spec.dir, spec.name, identity, spec.marker)
  if (!('file' in spec.output)) readLines(child, spec.output.onLine)

  let exit: Exit | undefined
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      exit = { code, signal }
      unguardProcess(pid)
      removePidFile(spec.dir, spec.name)
      resolve(exit)
    })
  })
  return {
    name: spec.name,
    pid,
    exited,
    exit: () => exit,
    stop: async () => {
      if (exit !== undefined) return
      signalGroup(pid, spec.stopSignal)
      const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), spec.stopTimeoutMs)
      await exited
      clearTimeout(timer)
    },
    kill: async () => {
      if (exit !== undefined) return
      signalGroup(pid, 'SIGKILL')
      await exited
    },
  }
}

function spawnChild(spec: ChildSpec): ChildProcess {
  const log = 'file' in spec.output ? openLog(spec.output.file) : undefined
  try {
    return spawn(spec.command, spec.args, {
      detached: true,
      env: spec.env ?? process.env,
      ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }),
      ...spec.runAs,
      stdio: log === undefined ? ['ignore', 'pipe', 'pipe'] : ['ignore', log, log],
    })
  } finally {
    if (log !== undefined) closeSync(log)
  }
}

function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true })
  const log = openSync(file, 'a', 0o600)
  if (statSync(file).size > LOG_BYTES_MAX) truncateSync(file)
  return log
}

async function spawned(child: ChildProcess): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  child.on('error', () => undefined)
  if (child.pid === undefined) throw new Error('a process that was started has no pid')
  return child.pid
}

function readLines(child: ChildProcess, onLine: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on('line', onLine)
  }
}

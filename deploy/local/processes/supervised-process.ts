import { setTimeout as delay } from 'node:timers/promises'
import { outputTail } from '../output-tail.ts'
import { runChild, type Child, type ChildSpec, type Exit } from './run-child.ts'
import { StartProblem } from '../start-problem.ts'

export type ProcessPlan = {
  name: string
  port: number
  args: string[]
  env: NodeJS.ProcessEnv
  readyUrl: string
}
export type Supervision = {
  dir: string
  onLine: (name: string, line: string) => void
  /** Called when a process ended unexpectedly. */
  onNotice: (text: string) => void
  isRestarting: boolean
}
export type SupervisedProcess = {
  name: string
  port: number
  url: string
  pid: () => number | undefined
  waitUntilReady: () => Promise<void>
  stop: () => Promise<void>
  /** kill -9; it stays down until `restart`. */
  kill: () => Promise<void>
  restart: () => Promise<void>
}

const READY_TIMEOUT_MS = 60_000
const PROBE_TIMEOUT_MS = 1_500
const POLL_MS = 50
const STOP_TIMEOUT_MS = 4_000
const BACK_OFF_FIRST_MS = 500
const BACK_OFF_MAX_MS = 15_000
/** A process that ran this long restarts after the shortest back-off. */
const STABLE_AFTER_MS = 60_000
const LINES_KEPT = 40

/** Restarts a process that ends unexpectedly, with increasing back-off. */
export async function superviseProcess(plan: ProcessPlan, supervision: Supervision): Promise<SupervisedProcess> {
  const lastLines: string[] = []
  let child: Child
  let isHeld = false
  let wasReady = false
  let backOffMs = BACK_OFF_FIRST_MS

  const start = async (): Promise<void> => {
    const startedMs = Date.now()
    child = await runChild(childSpec(plan, supervision, lastLines))
    const started = child
    void started.exited.then(async (exit) => {
      if (isHeld || child !== started || !wasReady || !supervision.isRestarting) return
      backOffMs = Date.now() - startedMs > STABLE_AFTER_MS ? BACK_OFF_FIRST_MS : backOffMs
      supervision.onNotice(`${plan.name} exited (${describeExit(exit)}); restarting in ${backOffMs / 1000} s`)
      const waitMs = backOffMs
      backOffMs = Math.min(backOffMs * 2, BACK_OFF_MAX_MS)
      await delay(waitMs, undefined, { ref: false })
      if (!isHeld && child === started) await start()
    })
  }
  const waitUntilReady = async (): Promise<void> => {
    const deadline = Date.now() + READY_TIMEOUT_MS
    while (!(await answersOk(plan.readyUrl))) {
      const exit = child.exit()
      if (exit !== undefined && !wasReady) throw notStarted(plan.name, describeExit(exit), lastLines)
      if (Date.now() > deadline) throw notStarted(plan.name, `not ready after ${READY_TIMEOUT_MS / 1000} s`, lastLines)
      await delay(POLL_MS)
    }
    wasReady = true
  }
  await start()
  return {
    name: plan.name,
    port: plan.port,
    url: `http://127.0.0.1:${plan.port}`,
    pid: () => (child.exit() === undefined ? child.pid : undefined),
    waitUntilReady,
    stop: async () => {
      isHeld = true
      await child.stop()
    },
    kill: async () => {
      isHeld = true
      await child.kill()
    },
    restart: async () => {
      isHeld = true
      await child.stop()
      isHeld = false
      wasReady = false
      await start()
      await waitUntilReady()
    },
  }
}

function childSpec(plan: ProcessPlan, { dir, onLine }: Supervision, lastLines: string[]): ChildSpec {
  return {
    name: plan.name,
    command: process.execPath,
    args: plan.args,
    env: plan.env,
    dir,
    marker: plan.args.at(-1) ?? plan.name,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: STOP_TIMEOUT_MS,
    output: {
      onLine: (line) => {
        lastLines.push(line)
        if (lastLines.length > LINES_KEPT) lastLines.shift()
        onLine(plan.name, line)
      },
    },
  }
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}

function describeExit({ code, signal }: Exit): string {
  return signal ?? `code ${code ?? '?'}`
}

function notStarted(name: string, reason: string, lines: string[]): StartProblem {
  const what = `${name} did not start (${reason}). Its output:\n${outputTail(name, lines)}\n`
  return new StartProblem(what, 'Run npm run doctor to check for common causes.')
}

import { formatLogLine, parseRecord, type LogStyle } from './log-line.ts'
import type { Report } from './report.ts'
import type { RunStep } from './servers/servers.ts'

export type TerminalOptions = { isJson: boolean; out: NodeJS.WriteStream; onDisconnected: () => void }
export type Terminal = {
  step: RunStep
  write: (text: string) => void
  /** One line of a process. Until `followLogs` only errors are shown, because processes wait for each other at first. */
  log: (name: string, line: string) => void
  notice: (text: string) => void
  followLogs: () => void
  end: () => void
}

const REPEAT_MS = 3_000
const FRAME_MS = 120
const FIRST_REPORT_AFTER_MS = 2_000
const TITLE_WIDTH = 18
const ERASE_LINE = '\r\u001B[2K'

type Step = { title: string; detail: string; startedMs: number; reportedMs: number }

/** Output of the launcher: steps with their duration, then a stream of log lines. */
export function openTerminal({ isJson, out, onDisconnected }: TerminalOptions): Terminal {
  const style: LogStyle = out.isTTY ? 'color' : 'plain'
  const running = new Set<Step>()
  let isFollowing = false
  let statusShown = false
  out.on('error', onDisconnected)

  const print = (text: string): void => {
    if (statusShown) out.write(ERASE_LINE)
    statusShown = false
    out.write(`${text}\n`)
  }
  const write = (text: string): void => print(isJson ? asJson('tapeline', text) : text)
  const tick = setInterval(() => {
    if (!out.isTTY || isJson) return reportProgress(running, write)
    if (running.size > 0) out.write(`${ERASE_LINE}${statusLine(running, out.columns)}`)
    statusShown = running.size > 0
  }, FRAME_MS)
  tick.unref()

  return {
    write,
    step: async (title, work) => runStep({ title, running, write, style }, work),
    notice: (text) => print(isJson ? asJson('tapeline', text) : formatLogLine('tapeline', noticeRecord(text), style)),
    followLogs: () => {
      isFollowing = true
    },
    log: (name, line) => {
      if (!isFollowing && !isWarning(line)) return
      print(isJson ? asJson(name, line) : formatLogLine(name, line, style))
    },
    end: () => {
      clearInterval(tick)
      if (statusShown) out.write(ERASE_LINE)
      statusShown = false
    },
  }
}

type StepPlace = { title: string; running: Set<Step>; write: (text: string) => void; style: LogStyle }

async function runStep<Result>(
  { title, running, write, style }: StepPlace,
  work: (report: Report) => Promise<Result>,
): Promise<Result> {
  const step: Step = {
    title,
    detail: '',
    startedMs: Date.now(),
    reportedMs: Date.now() - REPEAT_MS + FIRST_REPORT_AFTER_MS,
  }
  running.add(step)
  try {
    const result = await work((text) => (step.detail = text))
    const tick = style === 'color' ? '\u001B[32m✓\u001B[0m' : '✓'
    write(`  ${tick} ${title.padEnd(TITLE_WIDTH)} ${seconds(step.startedMs).padStart(7)}  ${step.detail}`.trimEnd())
    return result
  } finally {
    running.delete(step)
  }
}

function reportProgress(running: Set<Step>, write: (text: string) => void): void {
  for (const step of running) {
    if (Date.now() - step.reportedMs < REPEAT_MS) continue
    step.reportedMs = Date.now()
    write(`  … ${step.title.padEnd(TITLE_WIDTH)} ${seconds(step.startedMs).padStart(7)}  ${step.detail}`.trimEnd())
  }
}

function noticeRecord(text: string): string {
  return JSON.stringify({ level: 'warn', time: Date.now(), msg: text })
}

function statusLine(running: Set<Step>, columns: number | undefined): string {
  const text = [...running]
    .map(({ title, detail, startedMs }) => `${title} ${detail} ${seconds(startedMs)}`.replaceAll(/ +/g, ' '))
    .join(' · ')
  return `  ${text}`.slice(0, (columns ?? 80) - 1)
}

function seconds(sinceMs: number): string {
  return `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`
}

function isWarning(line: string): boolean {
  const level = parseRecord(line)?.level
  return level === 'error' || level === 'fatal'
}

function asJson(name: string, line: string): string {
  return parseRecord(line) === undefined
    ? JSON.stringify({ level: 'info', time: new Date().toISOString(), service: name, msg: line })
    : line
}

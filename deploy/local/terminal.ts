import { formatLogLine, parseRecord, type LogStyle } from './log-line.ts'
import type { RunStep } from './servers.ts'

export type TerminalOptions = { isJson: boolean; out: NodeJS.WriteStream; onGone: () => void }
export type Terminal = {
  step: RunStep
  say: (text: string) => void
  /** One line of a process. Until `followLogs` only warnings and worse are shown. */
  log: (name: string, line: string) => void
  notice: (text: string) => void
  followLogs: () => void
  end: () => void
}

const REPEAT_MS = 3_000
const FRAME_MS = 120
const FIRST_REPORT_AFTER_MS = 2_000
const TITLE_WIDTH = 18

type Step = { title: string; detail: string; startedMs: number; saidMs: number }

/** All that the launcher prints: steps with their time, then one stream of log lines. */
export function openTerminal({ isJson, out, onGone }: TerminalOptions): Terminal {
  const style: LogStyle = out.isTTY ? 'colour' : 'plain'
  const running = new Set<Step>()
  const hasStatusLine = out.isTTY && !isJson
  let isFollowing = false
  let statusShown = false

  out.on('error', onGone)
  const print = (text: string): void => {
    if (statusShown) out.write('\r\u001B[2K')
    statusShown = false
    out.write(`${text}\n`)
  }
  const say = (text: string): void =>
    print(
      isJson ? JSON.stringify({ level: 'info', time: new Date().toISOString(), service: 'tapeline', msg: text }) : text,
    )
  const tick = setInterval(() => {
    if (hasStatusLine) {
      if (running.size > 0) out.write(`\r\u001B[2K${statusLine(running, out.columns)}`)
      statusShown = running.size > 0
      return
    }
    for (const each of running) {
      if (Date.now() - each.saidMs < REPEAT_MS) continue
      each.saidMs = Date.now()
      say(`  … ${each.title.padEnd(TITLE_WIDTH)} ${each.detail} (${seconds(each.startedMs)})`)
    }
  }, FRAME_MS)
  tick.unref()

  return {
    say,
    notice: (text) =>
      isJson
        ? say(text)
        : print(formatLogLine('tapeline', JSON.stringify({ level: 'warn', time: Date.now(), msg: text }), style)),
    followLogs: () => {
      isFollowing = true
    },
    log: (name, line) => {
      if (!isFollowing && !isWorrying(line)) return
      print(isJson ? asJson(name, line) : formatLogLine(name, line, style))
    },
    step: async (title, work) => {
      const step: Step = {
        title,
        detail: '',
        startedMs: Date.now(),
        saidMs: Date.now() - REPEAT_MS + FIRST_REPORT_AFTER_MS,
      }
      running.add(step)
      try {
        const result = await work((text) => (step.detail = text))
        say(
          `  ${style === 'colour' ? '\u001B[32m✓\u001B[0m' : '✓'} ${title.padEnd(TITLE_WIDTH)} ${seconds(step.startedMs).padStart(7)}  ${step.detail}`.trimEnd(),
        )
        return result
      } finally {
        running.delete(step)
      }
    },
    end: () => {
      clearInterval(tick)
      if (statusShown) out.write('\r\u001B[2K')
    },
  }
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

function isWorrying(line: string): boolean {
  const level = parseRecord(line)?.['level']
  return level === 'warn' || level === 'error' || level === 'fatal'
}

function asJson(name: string, line: string): string {
  return parseRecord(line) === undefined
    ? JSON.stringify({ level: 'info', time: new Date().toISOString(), service: name, msg: line })
    : line
}

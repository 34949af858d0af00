import type { WriteStream } from 'node:tty'
import type { Progress } from './kind.ts'

const BAR_CELLS = 24
const REDRAW_EVERY_MS = 100
const LINE_EVERY_MS = 2_000
const BLANK_LINE = '\r\u001B[2K'

export type ProgressBar = Progress & {
  /** Ends the progress line; further output starts on a new line. */
  end: () => void
}
export type ProgressTarget = Pick<WriteStream, 'write'> & { isTTY?: boolean }

/**
 * Share of the file, rows, rows per second and remaining time: drawn in place on a terminal, a plain line now and then
 * elsewhere.
 */
export function createProgressBar(
  target: ProgressTarget,
  title: string,
  bytesTotal: number,
  nowMs = Date.now,
): ProgressBar {
  const startMs = nowMs()
  const isTerminal = target.isTTY === true
  let lastMs = startMs
  return {
    advance(bytesRead, rows) {
      const now = nowMs()
      if (now - lastMs < (isTerminal ? REDRAW_EVERY_MS : LINE_EVERY_MS)) return
      lastMs = now
      const text = progressText({
        share: Math.min(1, bytesRead / Math.max(1, bytesTotal)),
        rows,
        elapsedMs: now - startMs,
      })
      target.write(isTerminal ? `${BLANK_LINE}${title}  ${text}` : `${title}  ${text}\n`)
    },
    end() {
      if (isTerminal) target.write(BLANK_LINE)
    },
  }
}

export type ProgressState = { share: number; rows: number; elapsedMs: number }

export function progressText({ share, rows, elapsedMs }: ProgressState): string {
  const filled = Math.round(share * BAR_CELLS)
  const rate = elapsedMs === 0 ? 0 : Math.round((rows / elapsedMs) * 1000)
  const remainingS = share === 0 ? undefined : Math.ceil((elapsedMs * (1 - share)) / share / 1000)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CELLS - filled)
  const remaining = remainingS === undefined ? '' : ` · ${remainingS} s left`
  return `${bar} ${String(Math.floor(share * 100)).padStart(3)} % · ${rows.toLocaleString('en-US')} rows · ${rate.toLocaleString('en-US')} rows/s${remaining}`
}

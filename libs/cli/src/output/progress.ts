const BAR_WIDTH = 30
/** Width of a terminal that reports none. */
const COLUMNS_DEFAULT = 80
const REDRAW_MS = 100
const BYTES_PER_MB = 1_000_000

/** One line: name, bar, percent, megabytes. */
export function progressLine(name: string, bytes: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, bytes / total)
  const filled = Math.floor(share * BAR_WIDTH)
  const bar = '#'.repeat(filled).padEnd(BAR_WIDTH, '-')
  const size = `${(bytes / BYTES_PER_MB).toFixed(1)}/${(total / BYTES_PER_MB).toFixed(1)} MB`
  return `${name} [${bar}] ${String(Math.floor(share * 100)).padStart(3)} % ${size}`
}

/** Redraws the line on standard error at most ten times a second; does nothing when it is not a terminal. */
export function startProgress(name: string): { update: (bytes: number, total: number) => void; end: () => void } {
  const { stderr } = process
  if (!stderr.isTTY) return { update: () => undefined, end: () => undefined }
  let drawnMs = 0
  return {
    update: (bytes, total) => {
      const nowMs = Date.now()
      if (nowMs - drawnMs < REDRAW_MS && bytes < total) return
      drawnMs = nowMs
      // The width in columns bounds the line: a wrapped line cannot be redrawn.
      stderr.write(`\r${progressLine(name, bytes, total).slice(0, (stderr.columns || COLUMNS_DEFAULT) - 1)}\u001B[K`)
    },
    end: () => void stderr.write('\r\u001B[K'),
  }
}

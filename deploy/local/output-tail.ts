import { formatLogLine } from './log-line.ts'

const LINES_SHOWN = 12
const LINE_CHARACTERS_MAX = 600

/** The last output of a process for an error message: readable log lines, without Node-internal stack frames. */
export function outputTail(name: string, lines: string[]): string {
  const useful = lines.filter((line) => line.trim() !== '' && !/^\s+at .*node:internal/.test(line))
  const shown = useful
    .slice(-LINES_SHOWN)
    .map((line) => formatLogLine(name, line, 'plain').slice(0, LINE_CHARACTERS_MAX))
  return shown.length === 0 ? `${name} printed nothing` : shown.join('\n')
}

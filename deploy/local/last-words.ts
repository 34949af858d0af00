import { formatLogLine } from './log-line.ts'

const LINES_SHOWN = 12
const LINE_CHARACTERS_MAX = 600

/** What a person can use of the last things a process said: log lines made readable, no frames of Node itself. */
export function lastWords(name: string, lines: string[]): string {
  const useful = lines.filter((line) => line.trim() !== '' && !/^\s+at .*node:internal/.test(line))
  const shown = useful
    .slice(-LINES_SHOWN)
    .map((line) => formatLogLine(name, line, 'plain').slice(0, LINE_CHARACTERS_MAX))
  return shown.length === 0 ? `${name} said nothing` : shown.join('\n')
}

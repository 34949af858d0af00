import type { Bar } from './bar.ts'
import { BARS } from './bars.ts'
import { readResult, type Result } from './read-result.ts'

const HEAD = ['| # | Bar | Command | Last figure | |', '|---|---|---|---|---|']
const DATE_LENGTH = 10

export function barsTable(read: (name: string) => Result | undefined = readResult): string {
  return [...HEAD, ...BARS.map((bar) => lineOf(bar, read))].join('\n')
}

export function commandOf({ command = [] }: Bar): string {
  return command[0] === 'run' ? `npm ${command.join(' ')}` : `node ${command.join(' ')}`
}

function lineOf(bar: Bar, read: (name: string) => Result | undefined): string {
  const { number, says, command } = bar
  const { figure, verdict } = standingOf(bar, read)
  const how = command === undefined ? testsOf(bar) || '–' : `\`${commandOf(bar)}\``
  return `| ${number} | ${says} | ${how} | ${figure} | ${verdict} |`
}

/** Measured by a committed file, asserted by tests, or neither; what is open is named in any case. */
export function standingOf(bar: Bar, read: (name: string) => Result | undefined): { figure: string; verdict: string } {
  const { result, read: measure, open } = bar
  const found = result === undefined ? undefined : read(result)
  if (found === undefined || measure === undefined) {
    return { figure: result === undefined ? 'none' : 'none kept', verdict: unprovenOf(bar) }
  }
  const { figure, isHeld } = measure(found)
  const rest = open === undefined ? '' : `; not measured: ${open}`
  const verdict = isHeld === null ? unprovenOf(bar) : `${isHeld ? '**held**' : '**red**'}${rest}`
  return { figure: `${figure} (${found.at.slice(0, DATE_LENGTH)})`, verdict }
}

function unprovenOf({ heldIn = [], open }: Bar): string {
  if (heldIn.length === 0) return open === undefined ? 'not measured' : `not measured: ${open}`
  return open === undefined ? '*held in tests*' : `*held in tests*; not measured: ${open}`
}

function testsOf({ heldIn = [] }: Bar): string {
  return heldIn.map((file) => `\`${file}\``).join(', ')
}

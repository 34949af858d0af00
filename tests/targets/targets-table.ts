import type { Target } from './target.ts'
import { TARGETS } from './targets.ts'
import { readResult, type Result } from './read-result.ts'

const HEAD = ['| # | Target | Command | Last figure | |', '|---|---|---|---|---|']
const DATE_LENGTH = 10

export function targetsTable(read: (name: string) => Result | undefined = readResult): string {
  return [...HEAD, ...TARGETS.map((target) => lineOf(target, read))].join('\n')
}

export function commandOf({ command = [] }: Target): string {
  return command[0] === 'run' ? `npm ${command.join(' ')}` : `node ${command.join(' ')}`
}

function lineOf(target: Target, read: (name: string) => Result | undefined): string {
  const { number, title, command } = target
  const { figure, verdict } = standingOf(target, read)
  const how = command === undefined ? testsOf(target) || '–' : `\`${commandOf(target)}\``
  return `| ${number} | ${title} | ${how} | ${figure} | ${verdict} |`
}

/** Measured by a committed file, asserted by tests, or neither; open parts are listed in every case. */
export function standingOf(
  target: Target,
  read: (name: string) => Result | undefined,
): { figure: string; verdict: string } {
  const { result, read: measure, open } = target
  const found = result === undefined ? undefined : read(result)
  if (found === undefined || measure === undefined) {
    return { figure: result === undefined ? 'none' : 'none kept', verdict: unprovenOf(target) }
  }
  const { figure, isHeld } = measure(found)
  const rest = open === undefined ? '' : `; not measured: ${open}`
  const verdict = isHeld === null ? unprovenOf(target) : `${isHeld ? '**held**' : '**red**'}${rest}`
  return { figure: `${figure} (${found.at.slice(0, DATE_LENGTH)})`, verdict }
}

function unprovenOf({ heldIn = [], open }: Target): string {
  if (heldIn.length === 0) return open === undefined ? 'not measured' : `not measured: ${open}`
  return open === undefined ? '*held in tests*' : `*held in tests*; not measured: ${open}`
}

function testsOf({ heldIn = [] }: Target): string {
  return heldIn.map((file) => `\`${file}\``).join(', ')
}

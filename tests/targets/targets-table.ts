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
  const { figure, verdict } = assessTarget(target, read)
  const how = command === undefined ? testsOf(target) || '–' : `\`${commandOf(target)}\``
  return `| ${number} | ${title} | ${how} | ${figure} | ${verdict} |`
}

/** Measured by a committed file, asserted by tests, or neither. */
export function assessTarget(
  target: Target,
  read: (name: string) => Result | undefined,
): { figure: string; verdict: string } {
  const { result, read: measure, recorded = 'none' } = target
  const found = result === undefined ? undefined : read(result)
  if (found === undefined || measure === undefined) {
    return { figure: result === undefined ? recorded : 'none kept', verdict: unprovenOf(target) }
  }
  const { figure, isMet } = measure(found)
  const dated = `${separateThousands(figure)} (${found.at.slice(0, DATE_LENGTH)})`
  return { figure: dated, verdict: isMet ? '**met**' : '**missed**' }
}

/** Integers of four digits and more with thousands separators. */
function separateThousands(text: string): string {
  return text.replaceAll(/(?<![\d.])\d{4,}(?![\d.]*\d)/g, (digits) => Number(digits).toLocaleString('en'))
}

function unprovenOf({ testedIn = [] }: Target): string {
  return testedIn.length === 0 ? 'not measured' : '*asserted in tests*'
}

function testsOf({ testedIn = [] }: Target): string {
  return testedIn.map((file) => `\`${file}\``).join(', ')
}

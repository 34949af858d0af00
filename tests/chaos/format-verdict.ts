import type { Outcome } from './drill.ts'

const FOUND_MAX = 5

/** One line per guarantee, its violations below it, and the figures. */
export function formatVerdict({ checks, figures }: Outcome): string {
  const lines = checks.flatMap(({ guarantee, broken }) => [
    `  ${broken.length === 0 ? 'passed' : 'FAILED'}  ${guarantee}`,
    ...broken.slice(0, FOUND_MAX).map((found) => `            ${found}`),
    ...(broken.length > FOUND_MAX ? [`            and ${broken.length - FOUND_MAX} more`] : []),
  ])
  const numbers = Object.entries(figures).map(([name, value]) => `${name} ${value}`)
  return [...lines, ...(numbers.length === 0 ? [] : [`  ${numbers.join(', ')}`])].join('\n')
}

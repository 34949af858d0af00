import type { Measured, Result } from './read-result.ts'

export type Target = {
  number: number
  /** The target. */
  title: string
  /** A script of package.json with its arguments, or a file that node runs; it writes the result. */
  command?: readonly string[]
  /** The file in docs/benchmarks, without its extension. */
  result?: string
  read?: (result: Result) => Measured
  /** Tests that assert the target without a figure, in `npm test` or `npm run test:deep`. */
  testedIn?: readonly string[]
  /** Where the result of a part is recorded that needs an environment of its own. */
  recorded?: string
}

/** A drill of tests/chaos whose result is committed. */
export function drillTarget(
  number: number,
  {
    title,
    drill,
    options = [],
    figure,
    least,
    holds = () => true,
    ...rest
  }: Pick<Target, 'title' | 'testedIn'> & {
    drill: string
    options?: readonly string[]
    figure: (figures: Record<string, number>) => string
    /** Minimum conditions for a run to count as a measurement of this target. */
    least?: Record<string, number>
    /** What the figures have to show beyond the checks of the drill. */
    holds?: (figures: Record<string, number>) => boolean
  },
): Target {
  return {
    ...rest,
    number,
    title,
    command: ['run', 'chaos', '--', drill, ...options, '--write'],
    result: `chaos-${drill}`,
    read(result) {
      const figures = result['figures'] as Record<string, number>
      const short = Object.entries(least ?? {}).filter(([name, value]) => (figures[name] ?? 0) < value)
      const lacks = short.map(([name, value]) => `; ${name} below ${value}`).join('')
      return {
        figure: figure(figures) + lacks,
        isMet: result['held'] === true && short.length === 0 && holds(figures),
      }
    },
  }
}

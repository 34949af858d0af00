import { listAt, readResult, type Result } from './read-result.ts'

const HEAD = [
  '| Lost | Kills | Data requests that failed | Data back after | Every part of the API back after |',
  '|---|---|---|---|---|',
]

const NONE = '| no result is stored yet | | | | |'

type Recovery = { lost: string; kills: number; failed: number; sent: number; dataMs: number; anyMs: number }

/** Recovery per kind of part, as the last committed `npm run verify:ha` measured it. */
export function lossesTable(read: (name: string) => Result | undefined = readResult): string {
  const result = read('verify-ha')
  const lines = result === undefined ? [NONE] : listAt(result, 'recoveries').map((one) => lineOf(one as Recovery))
  return [...HEAD, ...lines].join('\n')
}

function lineOf({ lost, kills, failed, sent, dataMs, anyMs }: Recovery): string {
  return `| ${lost} | ${kills} | ${failed} of ${sent} | ${seconds(dataMs)} | ${seconds(anyMs)} |`
}

function seconds(ms: number): string {
  return ms === 0 ? 'not interrupted' : `${(ms / 1_000).toFixed(1)} s`
}

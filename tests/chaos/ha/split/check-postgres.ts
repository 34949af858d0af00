import { type Check, checkThat } from '../../drill.ts'
import type { Acknowledged } from './row-writer.ts'

/** What both writers reported while the primary was cut off, and what PostgreSQL stores after healing. */
export type PostgresSplit = {
  /** `host:port` of the primary that was cut off. */
  cutServer: string
  cutMs: number
  healedMs: number
  /** Of the writer beside the cut primary, and of the one on the other side. */
  cutSide: readonly Acknowledged[]
  keptSide: readonly Acknowledged[]
  /** Commits that the writer beside the cut primary attempted without success during the cut. */
  refused: number
  /** When the cut server first rejected a commit because it is not a primary. */
  demotedAtMs: number | undefined
  /** Ids of all rows after healing. */
  stored: readonly string[]
  /** Of each member after healing. */
  roles: readonly (string | undefined)[]
}

const NAMED_MAX = 5
const BEFORE_MIN = 10

/** No acknowledged row is lost, and only one server at a time acknowledges commits. */
export function checkPostgresSplit(split: PostgresSplit): Check[] {
  const { cutMs, healedMs, cutSide, keptSide, refused, demotedAtMs, roles } = split
  const before = cutSide.filter(({ atMs }) => atMs < cutMs).length
  const missing = missingRows(split)
  const { bothMs, writesBackMs } = postgresTimes(split)
  return [
    checkThat(
      'clients on both sides commit before the cut, and the side that is cut off keeps trying',
      before >= BEFORE_MIN && keptSide.some(({ atMs }) => atMs < cutMs) && refused > 0,
      `${before} commits before the cut, ${refused} refused during it`,
    ),
    checkThat(
      'every commit that was acknowledged on either side is stored after healing',
      missing.length === 0,
      `${missing.length} of ${cutSide.length + keptSide.length} are missing: ${missing.slice(0, NAMED_MAX).join(', ')}`,
    ),
    checkThat('two servers never accept writes at the same time', bothMs === 0, `${bothMs} ms`),
    checkThat(
      'the cut primary is demoted during the cut',
      demotedAtMs !== undefined && demotedAtMs < healedMs,
      `demoted ${demotedAtMs === undefined ? 'never' : `after ${demotedAtMs - cutMs} ms`}`,
    ),
    checkThat('writes are accepted during the cut', writesBackMs !== undefined, 'none was acknowledged'),
    checkThat(
      'after healing one server is the primary and the other its standby',
      roles.length === 2 && roles.includes('primary') && roles.includes('replica'),
      roles.join(', '),
    ),
  ]
}

/** Milliseconds: from the cut to the last commit on the cut side, and to the first by the successor; both at once. */
export function postgresTimes({ cutServer, cutMs, healedMs, cutSide, keptSide }: PostgresSplit) {
  const lastMs = Math.max(cutMs, ...cutSide.filter(({ atMs }) => atMs < healedMs).map(({ atMs }) => atMs))
  const successor = keptSide.filter(({ server, atMs }) => server !== cutServer && atMs < healedMs)
  const firstMs = Math.min(...successor.map(({ atMs }) => atMs))
  return {
    acknowledgedForMs: lastMs - cutMs,
    writesBackMs: Number.isFinite(firstMs) ? firstMs - cutMs : undefined,
    bothMs: Number.isFinite(firstMs) ? Math.max(0, lastMs - firstMs) : 0,
  }
}

function missingRows({ cutSide, keptSide, stored }: PostgresSplit): string[] {
  const ids = new Set(stored)
  return [...cutSide, ...keptSide].flatMap(({ id }) => (ids.has(id) ? [] : [id]))
}

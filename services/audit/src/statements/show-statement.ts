import type { UserActor } from '@tapeline/contracts/actor'
import type { SignedStatement, StatementList, StatementProof } from '@tapeline/contracts/audit/statements'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { US_PER_MS } from '../request-log/archive/archive-columns.ts'
import type { ArchiveDeps } from '../request-log/archive/archived-log.ts'
import { findArchived } from '../request-log/archive/find-archived.ts'
import { floorTo } from '../rollups/roll-up.ts'
import { buildStatement, monthRange } from './build-statement.ts'
import { merklePath, merkleRoot } from './merkle-tree.ts'
import { readLeaves } from './read-leaves.ts'
import { findCorrectedAt, findRequestHour, findStatement, listMonths, type RequestPlace } from './statement-queries.ts'

type StatementDeps = Pick<Deps, 'db' | 'now' | 'signer'> & ArchiveDeps
const MONTHS_MAX = 36

/** The caller's months with closed usage, newest first. */
export async function listStatements(deps: StatementDeps, { userId }: UserActor): Promise<StatementList> {
  const statements: StatementList['statements'] = []
  for (const month of await listMonths(deps.db, userId, MONTHS_MAX)) {
    const { statement } = await readStatement(deps, userId, month)
    const { final, closed_until, totals, corrections } = statement
    const requests = totals.admitted + totals.denied + totals.refused
    const late = corrections.reduce((sum, { admitted, denied, refused }) => sum + admitted + denied + refused, 0)
    statements.push({ month, final, requests, corrections: late, closed_until })
  }
  return { statements }
}

/**
 * The caller's statement of a month: as it was issued, or up to the last closed hour of a month that is not over.
 * @throws AppError when the month has not begun
 */
export async function showStatement(
  deps: StatementDeps,
  { userId }: UserActor,
  month: string,
): Promise<SignedStatement> {
  if (monthRange(month).from > deps.now()) throw new AppError('statement.not_found', 'This month has not begun.')
  return readStatement(deps, userId, month)
}

async function readStatement(deps: StatementDeps, accountId: string, month: string): Promise<SignedStatement> {
  const issued = await findStatement(deps.db, accountId, month)
  return issued === undefined ? buildStatement(deps, accountId, month) : (JSON.parse(issued) as SignedStatement)
}

/**
 * Proves that a request is part of a month's statement, and with its verdict whether it is charged for.
 * @throws AppError when the request is not in the statement, or its row was deleted after the retention
 */
export async function proveRequest(
  deps: StatementDeps,
  actor: UserActor,
  { month, requestId }: { month: string; requestId: string },
): Promise<StatementProof> {
  const { statement } = await showStatement(deps, actor, month)
  const place = await findPlace(deps, actor.userId, requestId)
  const kind = place?.recorded_at == null ? 'hour' : 'correction'
  const node = statement.nodes.find((one) => one.kind === kind && one.hour === place?.hour_at.toISOString())
  if (place === undefined || node === undefined) throw notIncluded()
  const set = { accountId: actor.userId, hourAt: place.hour_at, kind, months: monthRange(month) } as const
  const { hashes, found } = await readLeaves(deps, set, requestId)
  if (found === undefined) throw notIncluded()
  if (merkleRoot(hashes).toString('hex') !== node.root) {
    throw new AppError('statement.rows_missing', 'Rows of this hour were deleted or changed after the hour was closed.')
  }
  return { month, node, row: found.row, path: merklePath(hashes, found.index) }
}

async function findPlace(deps: StatementDeps, accountId: string, requestId: string): Promise<RequestPlace | undefined> {
  const logged = await findRequestHour(deps.db, accountId, requestId)
  if (logged !== undefined) return logged
  const archived = await findArchived(deps, accountId, { requestId }, new Date(0))
  if (archived === undefined) return undefined
  const hourAt = new Date(floorTo('hour', archived.timeUs / US_PER_MS))
  return { hour_at: hourAt, recorded_at: await findCorrectedAt(deps.db, archived.id) }
}

function notIncluded(): AppError {
  return new AppError('statement.request_not_found', 'The statement of this month does not contain such a request.')
}

import type { UserActor } from '@tapeline/contracts/actor'
import type { ListRequestsQuery, RequestPage } from '@tapeline/contracts/audit/requests'
import type { Deps } from '../deps.ts'
import { readAsOf } from '../reports/read-as-of.ts'
import { readCursor, signCursor } from '../lists/cursor.ts'
import { listKeyNames } from './key-name-queries.ts'
import { presentRequest } from './present-request.ts'
import { readRows } from './read-rows.ts'
import { keptFrom, readScan } from './read-scan.ts'

const CALL = 'requests'

/** A page of the account's counted requests, newest first, including refused and denied ones. */
export async function listRequests(deps: Deps, actor: UserActor, query: ListRequestsQuery): Promise<RequestPage> {
  const { filter, limit, after } = readCursor(deps, CALL, query)
  const asOf = await readAsOf(deps, new Date(0))
  const { rows, next } = await readRows(deps, { ...readScan(deps, actor, filter), after }, limit)
  const keyIds = [...new Set(rows.map(({ key_id }) => key_id))]
  const names = await listKeyNames(deps.db, actor.userId, keyIds)
  return {
    requests: rows.map((row) => presentRequest(row, names.get(row.key_id))),
    next_cursor: next === undefined ? null : signCursor(deps.cursorKey, CALL, filter, next),
    kept_from: keptFrom(deps, actor).toISOString(),
    as_of: asOf.toISOString(),
  }
}

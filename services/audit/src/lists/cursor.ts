import { isDeepStrictEqual } from 'node:util'
import { AppError } from '@tapeline/service/app-error'
import { invalidCursor, openFields, signFields } from '@tapeline/service/signed-cursor'
import type { Deps } from '../deps.ts'

/** A row of a list ordered by time and id, newest first. `time` is PostgreSQL's text form, so no digit is lost. */
export type Place = { time: string; id: string }
type PageQuery = { cursor?: string; limit?: number }
export type ListCursor<Q extends PageQuery> = {
  filter: Omit<Q, 'cursor' | 'limit'>
  limit: number
  after: Place | undefined
}

/** Increment when the shape of `Fields` changes: older cursors are then rejected. */
const VERSION = 1

/**
 * State of a paged read: page size, the filter of the first call, and the row to continue after.
 * @throws AppError when the cursor is not valid for this call
 */
export function readCursor<Q extends PageQuery>(
  { cursorKey: key, settings }: Pick<Deps, 'cursorKey' | 'settings'>,
  call: string,
  query: Q,
): ListCursor<Q> {
  const pageSizes = settings.valueOf('api_settings.page_sizes')
  const { cursor, limit: requested = pageSizes.default, ...filterQuery } = query
  const limit = Math.min(requested, pageSizes.max)
  if (cursor === undefined) return { filter: filterQuery, limit, after: undefined }
  const { c, f, k } = openFields<Fields>({ key, version: VERSION }, cursor)
  if (c !== call) throw invalidCursor()
  if (Object.keys(filterQuery).length > 0 && !isDeepStrictEqual(filterQuery, f)) throw otherFilter()
  // The signature is valid, so the filter was validated by the first call.
  return { filter: f as ListCursor<Q>['filter'], limit, after: { time: k[0], id: k[1] } }
}

type Fields = { c: string; f: object; k: [string, string] }

export function signCursor(key: Buffer, call: string, filter: object, after: Place): string {
  return signFields({ key, version: VERSION }, { c: call, f: filter, k: [after.time, after.id] } satisfies Fields)
}

function otherFilter(): AppError {
  const message =
    'The filter differs from the call that this cursor continues: send only the cursor, or the same filter.'
  return new AppError('cursor.filter_mismatch', message, { errors: [{ field: '/cursor', message }] })
}

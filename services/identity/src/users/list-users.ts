import type { ListUsersQuery, UserPage } from '@tapeline/contracts/identity/admin'
import { AppError } from '@tapeline/service/app-error'
import { Format } from 'typebox/format'
import type { Deps } from '../deps.ts'
import { listUsersAfter, type UserPlace } from './admin-user-queries.ts'
import { presentAdminUser } from './present-admin-user.ts'

const USERS_DEFAULT = 20

/** A page of all users, newest first. */
export async function listUsers(
  { db }: Pick<Deps, 'db'>,
  { limit = USERS_DEFAULT, cursor, ...filter }: ListUsersQuery,
): Promise<UserPage> {
  const after = cursor === undefined ? undefined : readCursor(cursor)
  const rows = await listUsersAfter(db, { ...filter, after }, limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    users: page.map(presentAdminUser),
    next_cursor: rows.length <= limit || last === undefined ? null : cursorOf(last),
  }
}

/** Not signed: a forged cursor reveals nothing that the caller may not list. */
function cursorOf({ created_at, id }: UserPlace): string {
  return Buffer.from(`${created_at.toISOString()} ${id}`).toString('base64url')
}

function readCursor(cursor: string): UserPlace {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const created_at = new Date(time)
  if (!Number.isNaN(created_at.getTime()) && Format.IsUuid(id)) return { created_at, id }
  const message = 'This cursor is not valid: use next_cursor of a response to the same call, unchanged.'
  throw new AppError('cursor.invalid', message, { errors: [{ field: '/cursor', message }] })
}

import type { Role } from '@tapeline/contracts/actor'
import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import type { UserStatus } from '@tapeline/contracts/identity/http'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'
import type { UserRow } from './user-queries.ts'

export type UserPlace = { created_at: Date; id: string }
export type UserScan = {
  search?: string
  role?: Role
  status?: UserStatus
  after: UserPlace | undefined
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** No owner: admins can list all users. Newest first. */
export function listUsersAfter(
  db: Kysely<Tables>,
  { search, role, status, after }: UserScan,
  limit: number,
): Promise<UserRow[]> {
  let query = db.selectFrom('user_account').selectAll()
  if (role !== undefined) query = query.where('role', '=', role)
  if (status !== undefined) query = query.where('status', '=', status)
  if (search !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb('email_canonical', 'like', anywhere(canonicalEmail(search))),
        eb(sql<string>`first_name || ' ' || last_name`, 'ilike', anywhere(search.trim())),
        ...(UUID.test(search.trim()) ? [eb('id', '=', search.trim())] : []),
      ]),
    )
  }
  if (after !== undefined) {
    query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after.created_at, after.id)))
  }
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** Escapes the wildcards of a LIKE pattern. */
function anywhere(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

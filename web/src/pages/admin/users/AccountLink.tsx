import { paths } from '../../../paths.ts'
import { Link } from '../../../router.ts'
import { type UsersFilter, writeUsersFilter } from './users-filter.ts'
import type { AccountName } from './users.queries.ts'

/** Leads to the account in the list of users. */
export function AccountLink({ id, name }: { id: string; name: AccountName | undefined }) {
  if (name === undefined) return <code>{id}</code>
  return (
    <>
      <Link className="link" to={`${paths.admin}?${writeUsersFilter(byEmail(name.email), id).toString()}`}>
        {name.name}
      </Link>{' '}
      <span className="mono faint small">{name.email}</span>
    </>
  )
}

function byEmail(email: string): UsersFilter {
  return { search: email, role: undefined, status: undefined }
}

import type { EmailState } from '@tapeline/contracts/identity/email'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { findUser } from '../users/user-queries.ts'

/** Whether the address of an account is verified, which a trial requires. @throws AppError account.not_found */
export async function getEmailState({ db }: Pick<Deps, 'db'>, accountId: string): Promise<EmailState> {
  const user = await findUser(db, accountId)
  if (user === undefined) throw new AppError('account.not_found', 'There is no such account.')
  return { email_verified: user.email_verified }
}

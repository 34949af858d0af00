import { type Role, roleIncludes, type UserActor } from '@tapeline/contracts/actor'
import { AppError } from '@tapeline/service/app-error'

/** Nobody makes, edits, removes or restores a flag of a role above their own. */
export function requireRoleOfFlag(actor: UserActor, role: Role): void {
  if (roleIncludes(actor.role, role)) return
  const message = `A flag for the role ${role} is changed by that role only.`
  throw new AppError('flag.role_above_yours', message, { errors: [{ field: '/role', message }] })
}

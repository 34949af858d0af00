import { type Role, roleIncludes, type UserActor } from '@tapeline/contracts/actor'
import { AppError } from '@tapeline/service/app-error'

/**
 * Flags of a role above the actor's own cannot be created, edited, removed or restored.
 * @throws AppError for such a flag
 */
export function requireRoleOfFlag(actor: UserActor, role: Role): void {
  if (roleIncludes(actor.role, role)) return
  const message = `Only the role ${role} can change flags of that role.`
  throw new AppError('flag.role_above_yours', message, { errors: [{ field: '/role', message }] })
}

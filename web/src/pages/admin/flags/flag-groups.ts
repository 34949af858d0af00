import { msg } from '@lingui/core/macro'
import type { Role } from '@tapeline/contracts/actor'
import type { AdminFlag } from '@tapeline/contracts/config/flags'

/** Every role with the description of its flags, and whether its group starts open. */
export const GROUPS = [
  { role: 'user', about: msg`every signed-in account`, isOpenAtFirst: true },
  { role: 'tester', about: msg`testers and admins`, isOpenAtFirst: true },
  { role: 'admin', about: msg`admins only`, isOpenAtFirst: false },
] as const

/** Flags of one role that match the search words, sorted by key; deleted flags are left out. */
export function flagsOf(flags: readonly AdminFlag[], role: Role, words: string): AdminFlag[] {
  const term = words.trim().toLowerCase()
  const has = (flag: AdminFlag): boolean => `${flag.flag_key} ${flag.description ?? ''}`.toLowerCase().includes(term)
  return flags
    .filter((flag) => flag.role === role && flag.is_active && has(flag))
    .toSorted((one, other) => one.flag_key.localeCompare(other.flag_key))
}

/** A tester cannot change flags with the role admin. */
export function mayChange(reader: Role, role: Role): boolean {
  return reader === 'admin' || (reader === 'tester' && role !== 'admin')
}

/** Roles that the user may assign to a new flag. */
export function assignableRoles(reader: Role): Role[] {
  return GROUPS.map(({ role }) => role).filter((role) => mayChange(reader, role))
}

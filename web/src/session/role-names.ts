import { msg } from '@lingui/core/macro'
import type { Role } from '@tapeline/contracts/actor'
import { i18n } from '../language/i18n.ts'

const NAMES = { user: msg`user`, tester: msg`tester`, admin: msg`admin` } as const

export function roleName(role: Role): string {
  return i18n._(NAMES[role])
}

import type { ClientUser } from './present-user.ts'

/** Flags that decide what the dashboard shows. */
export const FLAGS = {
  apiKeys: 'api_key_management',
  audit: 'api_key_audit',
} as const

export function hasFlag(user: ClientUser, flag: string): boolean {
  return user.featureFlags.includes(flag)
}

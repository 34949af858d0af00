import type { Role } from '@tapeline/contracts/actor'

export type SeededFlag = {
  key: string
  role: Role
  isPublic: boolean
  description: string
  category: string
  priority: number
}

/** Flags used by the pages; initially on. */
export const seededFlags: readonly SeededFlag[] = [
  {
    key: 'api_key_management',
    role: 'user',
    isPublic: false,
    description: 'Create, revoke and delete API keys in the dashboard.',
    category: 'api_keys',
    priority: 1,
  },
  {
    key: 'api_key_audit',
    role: 'user',
    isPublic: false,
    description: 'Usage metrics and audit of API keys in the dashboard.',
    category: 'api_keys',
    priority: 2,
  },
  {
    key: 'pricing_yearly_billing_toggle',
    role: 'user',
    isPublic: true,
    description: 'Switch between monthly and yearly prices on the pricing page.',
    category: 'pricing',
    priority: 3,
  },
]

import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  Activity,
  Bot,
  ChartCandlestick,
  CreditCard,
  Download,
  FileText,
  KeyRound,
  type LucideIcon,
  ScrollText,
  Settings,
  Shield,
  User,
  Webhook,
} from 'lucide-react'
import { paths } from '../paths.ts'
import { FLAGS, hasFlag } from '../session/features.ts'
import type { ClientUser } from '../session/present-user.ts'

export type PageLocation = { pathname: string; search: string }
/** Effects of a command other than navigation. */
export type Action = 'palette' | 'shortcuts' | 'theme' | 'sidebar' | 'sign-out'
type Effect = { to: (here: PageLocation) => string } | { action: Action } | { where: MessageDescriptor }

export type Command = Effect & {
  id: string
  group: 'pages' | 'actions'
  /** Icon and search terms of a sidebar entry; `found-by.ts` has those of the other commands. */
  label?: MessageDescriptor
  Icon?: LucideIcon
  /** Keys in succession, or Mod+key: Mod is Control, on Apple keyboards Command. */
  keys?: string
  /** Group of the sidebar (first, second or third) that has this entry. */
  navGroup?: 1 | 2 | 3
  isFor?: (user: ClientUser) => boolean
}

const withKeys = (user: ClientUser): boolean => hasFlag(user, FLAGS.apiKeys)
const withAudit = (user: ClientUser): boolean => hasFlag(user, FLAGS.audit)
const isTester = ({ role }: ClientUser): boolean => role === 'admin' || role === 'tester'
const isAdmin = ({ role }: ClientUser): boolean => role === 'admin'
const page = (path: string) => ({ group: 'pages' as const, to: () => path })
const adminTab = (tab: string) => ({ ...page(`${paths.admin}?tab=${tab}`), isFor: isAdmin })
/** Metrics over another range; other filters are kept. */
const range = (name: string) => ({
  group: 'actions' as const,
  isFor: withAudit,
  to: ({ pathname, search }: PageLocation) => {
    const filter = new URLSearchParams(pathname === paths.metrics ? search : '')
    for (const custom of ['from', 'to']) filter.delete(custom)
    filter.set('range', name)
    return `${paths.metrics}?${filter.toString()}`
  },
})

/** Every page and every action: the sidebar, the search box, the shortcuts and their help are generated from it. */
export const COMMANDS: readonly Command[] = [
  { id: 'profile', ...page(paths.profile), label: msg`Profile`, Icon: User, keys: 'g p', navGroup: 1 },
  {
    id: 'api-keys',
    ...page(paths.apiKeys),
    label: msg`API Keys`,
    Icon: KeyRound,
    keys: 'g k',
    navGroup: 1,
    isFor: withKeys,
  },
  {
    id: 'service-keys',
    ...page(paths.serviceKeys),
    label: msg`Service Keys`,
    Icon: Bot,
    keys: 'g b',
    navGroup: 1,
    isFor: withKeys,
  },
  {
    id: 'metrics',
    ...page(paths.metrics),
    label: msg`API Key Audit`,
    Icon: Activity,
    keys: 'g m',
    navGroup: 1,
    isFor: withAudit,
  },
  {
    id: 'market',
    ...page(paths.market),
    label: msg`Market`,
    Icon: ChartCandlestick,
    keys: 'g c',
    navGroup: 2,
  },
  {
    id: 'downloads',
    ...page(paths.downloads),
    label: msg`Downloads`,
    Icon: Download,
    keys: 'g d',
    navGroup: 2,
  },
  {
    id: 'webhooks',
    ...page(paths.webhooks),
    label: msg`Webhooks`,
    Icon: Webhook,
    keys: 'g w',
    navGroup: 2,
  },
  {
    id: 'reports',
    ...page(paths.reports),
    label: msg`Reports`,
    Icon: FileText,
    keys: 'g e',
    navGroup: 2,
    isFor: withAudit,
  },
  {
    id: 'device',
    ...page(paths.device),
  },
  {
    id: 'plan',
    ...page(paths.plan),
    label: msg`Plan`,
    Icon: CreditCard,
    keys: 'g l',
    navGroup: 3,
  },
  {
    id: 'audit-trail',
    ...page(paths.auditTrail),
    label: msg`Audit Trail`,
    Icon: ScrollText,
    keys: 'g t',
    navGroup: 3,
  },
  { id: 'settings', ...page(paths.settings), label: msg`Settings`, Icon: Settings, keys: 'g s', navGroup: 3 },
  {
    id: 'admin',
    ...page(paths.admin),
    label: msg`Admin Controls`,
    Icon: Shield,
    keys: 'g a',
    navGroup: 3,
    isFor: isTester,
  },
  {
    id: 'requests',
    ...page(paths.requests),
    keys: 'g r',
    isFor: withAudit,
  },
  { id: 'configs', ...adminTab('configs') },
  { id: 'users', ...adminTab('users'), keys: 'g u' },
  { id: 'tiers', ...adminTab('tiers') },
  { id: 'venues', ...adminTab('venues') },
  { id: 'replay', ...adminTab('replay') },
  {
    id: 'create-key',
    group: 'actions',
    to: () => `${paths.apiKeys}?new=key`,
    keys: 'n',
    isFor: withKeys,
  },
  { id: '1h', ...range('1h'), keys: 'r h' },
  { id: '24h', ...range('24h'), keys: 'r d' },
  { id: '7d', ...range('7d'), keys: 'r w' },
  { id: '30d', ...range('30d'), keys: 'r m' },
  { id: '90d', ...range('90d'), keys: 'r q' },
  {
    id: 'copy-as-curl',
    group: 'actions',
    where: msg`in the request log`,
    keys: 'c',
    isFor: withAudit,
  },
  {
    id: 'theme',
    group: 'actions',
    action: 'theme',
    keys: 't',
  },
  {
    id: 'sidebar',
    group: 'actions',
    action: 'sidebar',
    keys: '[',
  },
  { id: 'palette', group: 'actions', action: 'palette', keys: 'Mod+k' },
  { id: 'shortcuts', group: 'actions', action: 'shortcuts', keys: '?' },
  { id: 'sign-out', group: 'actions', action: 'sign-out' },
]

export function commandsFor(user: ClientUser): Command[] {
  return COMMANDS.filter(({ isFor }) => isFor?.(user) ?? true)
}

/** The shortcut of a command that is handled by a part of a page. */
export function keyOf(id: string): string | undefined {
  return COMMANDS.find((command) => command.id === id)?.keys
}

import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  Activity,
  Bot,
  ChartCandlestick,
  Clock,
  CreditCard,
  Download,
  FileText,
  Keyboard,
  KeyRound,
  LogOut,
  type LucideIcon,
  Moon,
  PanelLeft,
  Plus,
  ScrollText,
  Search,
  Settings,
  Shield,
  Terminal,
  User,
  Users,
  Webhook,
} from 'lucide-react'
import { paths } from '../paths.ts'
import { FLAGS, hasFlag } from '../session/features.ts'
import type { ClientUser } from '../session/present-user.ts'

export type Here = { pathname: string; search: string }
/** Effects of a command other than navigation. */
export type Deed = 'palette' | 'shortcuts' | 'theme' | 'sidebar' | 'sign-out'
type Does = { to: (here: Here) => string } | { deed: Deed } | { where: MessageDescriptor }

export type Command = Does & {
  id: string
  group: 'pages' | 'actions'
  label: MessageDescriptor
  Icon: LucideIcon
  /** Further words that it is found by. */
  words?: MessageDescriptor
  /** Keys one after the other, or Mod+key: Mod is Control, on Apple's keyboards Command. */
  keys?: string
  /** An entry of the sidebar, in its first, second or third group. */
  navGroup?: 1 | 2 | 3
  isFor?: (user: ClientUser) => boolean
}

const withKeys = (user: ClientUser): boolean => hasFlag(user, FLAGS.apiKeys)
const withAudit = (user: ClientUser): boolean => hasFlag(user, FLAGS.audit)
const isTester = ({ role }: ClientUser): boolean => role === 'admin' || role === 'tester'
const isAdmin = ({ role }: ClientUser): boolean => role === 'admin'
const page = (path: string) => ({ group: 'pages' as const, to: () => path })
const adminTab = (tab: string) => ({ ...page(`${paths.admin}?tab=${tab}`), Icon: Shield, isFor: isAdmin })
/** Metrics over another range, the rest of its filter kept. */
const range = (name: string) => ({
  group: 'actions' as const,
  Icon: Clock,
  isFor: withAudit,
  to: ({ pathname, search }: Here) => {
    const filter = new URLSearchParams(pathname === paths.metrics ? search : '')
    for (const custom of ['from', 'to']) filter.delete(custom)
    filter.set('range', name)
    return `${paths.metrics}?${filter.toString()}`
  },
})

/** Every page and every action: the sidebar, the search box, the keys and the sheet of keys are made of it. */
export const COMMANDS: readonly Command[] = [
  { id: 'profile', ...page(paths.profile), label: msg`Profile`, Icon: User, keys: 'g p', navGroup: 1 },
  {
    id: 'api-keys',
    ...page(paths.apiKeys),
    label: msg`API Keys`,
    words: msg`rotate regenerate renew secret revoke`,
    Icon: KeyRound,
    keys: 'g k',
    navGroup: 1,
    isFor: withKeys,
  },
  {
    id: 'service-keys',
    ...page(paths.serviceKeys),
    label: msg`Service Keys`,
    words: msg`automation terraform ci machine scopes`,
    Icon: Bot,
    keys: 'g b',
    navGroup: 1,
    isFor: withKeys,
  },
  {
    id: 'metrics',
    ...page(paths.metrics),
    label: msg`API Key Audit`,
    words: msg`metrics analytics usage latency`,
    Icon: Activity,
    keys: 'g m',
    navGroup: 1,
    isFor: withAudit,
  },
  {
    id: 'market',
    ...page(paths.market),
    label: msg`Market`,
    words: msg`candles chart trades book instruments time travel`,
    Icon: ChartCandlestick,
    keys: 'g c',
    navGroup: 2,
  },
  {
    id: 'downloads',
    ...page(paths.downloads),
    label: msg`Downloads`,
    words: msg`files parquet coverage gaps history sha256`,
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
    words: msg`weekly csv parquet pdf alerts thresholds`,
    Icon: FileText,
    keys: 'g e',
    navGroup: 2,
    isFor: withAudit,
  },
  {
    id: 'device',
    ...page(paths.device),
    label: msg`Sign in a device`,
    words: msg`command line code login`,
    Icon: Terminal,
  },
  {
    id: 'plan',
    ...page(paths.plan),
    label: msg`Plan`,
    words: msg`upgrade downgrade cancel limits trial billing`,
    Icon: CreditCard,
    keys: 'g l',
    navGroup: 3,
  },
  {
    id: 'audit-trail',
    ...page(paths.auditTrail),
    label: msg`Audit Trail`,
    words: msg`history changes sign-ins`,
    Icon: ScrollText,
    keys: 'g t',
    navGroup: 3,
  },
  { id: 'settings', ...page(paths.settings), label: msg`Settings`, Icon: Settings, keys: 'g s', navGroup: 3 },
  {
    id: 'admin',
    ...page(paths.admin),
    label: msg`Admin Controls`,
    words: msg`feature flags`,
    Icon: Shield,
    keys: 'g a',
    navGroup: 3,
    isFor: isTester,
  },
  {
    id: 'requests',
    ...page(paths.requests),
    label: msg`Requests`,
    words: msg`log 429 curl`,
    Icon: Terminal,
    keys: 'g r',
    isFor: withAudit,
  },
  { id: 'configs', ...adminTab('configs'), label: msg`Global Configurations` },
  { id: 'users', ...adminTab('users'), label: msg`Users`, words: msg`accounts roles`, Icon: Users, keys: 'g u' },
  { id: 'tiers', ...adminTab('tiers'), label: msg`Tiers`, words: msg`limits prices` },
  { id: 'venues', ...adminTab('venues'), label: msg`Venues`, words: msg`connect exchanges symbols` },
  {
    id: 'create-key',
    group: 'actions',
    to: () => `${paths.apiKeys}?new=key`,
    label: msg`Create API Key`,
    Icon: Plus,
    keys: 'n',
    isFor: withKeys,
  },
  { id: '1h', ...range('1h'), label: msg`Metrics of the last hour`, keys: 'r h' },
  { id: '24h', ...range('24h'), label: msg`Metrics of the last 24 hours`, keys: 'r d' },
  { id: '7d', ...range('7d'), label: msg`Metrics of the last 7 days`, keys: 'r w' },
  { id: '30d', ...range('30d'), label: msg`Metrics of the last 30 days`, keys: 'r m' },
  { id: '90d', ...range('90d'), label: msg`Metrics of the last 90 days`, keys: 'r q' },
  {
    id: 'copy-as-curl',
    group: 'actions',
    where: msg`in the request log`,
    label: msg`Copy the request as curl`,
    Icon: Terminal,
    keys: 'c',
    isFor: withAudit,
  },
  {
    id: 'theme',
    group: 'actions',
    deed: 'theme',
    label: msg`Switch Theme`,
    words: msg`light dark system`,
    Icon: Moon,
    keys: 't',
  },
  {
    id: 'sidebar',
    group: 'actions',
    deed: 'sidebar',
    label: msg`Collapse or Expand Sidebar`,
    Icon: PanelLeft,
    keys: '[',
  },
  { id: 'palette', group: 'actions', deed: 'palette', label: msg`Search or jump to`, Icon: Search, keys: 'Mod+k' },
  { id: 'shortcuts', group: 'actions', deed: 'shortcuts', label: msg`Keyboard Shortcuts`, Icon: Keyboard, keys: '?' },
  { id: 'sign-out', group: 'actions', deed: 'sign-out', label: msg`Sign Out`, words: msg`log out`, Icon: LogOut },
]

export function commandsFor(user: ClientUser): Command[] {
  return COMMANDS.filter(({ isFor }) => isFor?.(user) ?? true)
}

/** The key of a command that a part of a page answers to by itself. */
export function keyOf(id: string): string | undefined {
  return COMMANDS.find((command) => command.id === id)?.keys
}

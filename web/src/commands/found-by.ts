import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  Clock,
  Keyboard,
  LogOut,
  type LucideIcon,
  Moon,
  PanelLeft,
  Plus,
  Search,
  Shield,
  Terminal,
  Users,
} from 'lucide-react'
import { i18n } from '../language/i18n.ts'
import type { Command } from './commands.ts'

/** Loaded with the search box; the data that the sidebar and the shortcuts need is in `commands.ts`. */
type FoundBy = {
  /** Icon of a command that is not in the sidebar. */
  label?: MessageDescriptor
  /** Additional search terms. */
  words?: MessageDescriptor
  Icon?: LucideIcon
}

export const FOUND_BY: Readonly<Record<string, FoundBy>> = {
  'api-keys': { words: msg`rotate regenerate renew secret revoke` },
  'service-keys': { words: msg`automation terraform ci machine scopes` },
  metrics: { words: msg`metrics analytics usage latency` },
  market: { words: msg`candles chart trades book instruments time travel` },
  downloads: { words: msg`files parquet coverage gaps history sha256` },
  webhooks: { words: msg`events deliveries endpoints signature` },
  reports: { words: msg`weekly csv parquet pdf alerts thresholds` },
  device: { label: msg`Sign in a device`, words: msg`command line code login`, Icon: Terminal },
  plan: { words: msg`upgrade downgrade cancel limits trial billing` },
  'audit-trail': { words: msg`history changes sign-ins` },
  admin: { words: msg`feature flags` },
  requests: { label: msg`Requests`, words: msg`log 429 curl`, Icon: Terminal },
  configs: { label: msg`Global Configurations`, Icon: Shield },
  users: { label: msg`Users`, words: msg`accounts roles`, Icon: Users },
  tiers: { label: msg`Tiers`, words: msg`limits prices`, Icon: Shield },
  venues: { label: msg`Venues`, words: msg`connect exchanges symbols`, Icon: Shield },
  replay: { label: msg`Limits replay`, words: msg`tiers propose rejected what if`, Icon: Shield },
  'create-key': { label: msg`Create API Key`, Icon: Plus },
  '1h': { label: msg`Metrics of the last hour`, Icon: Clock },
  '24h': { label: msg`Metrics of the last 24 hours`, Icon: Clock },
  '7d': { label: msg`Metrics of the last 7 days`, Icon: Clock },
  '30d': { label: msg`Metrics of the last 30 days`, Icon: Clock },
  '90d': { label: msg`Metrics of the last 90 days`, Icon: Clock },
  'copy-as-curl': { label: msg`Copy the request as curl` },
  theme: { label: msg`Switch Theme`, words: msg`light dark system`, Icon: Moon },
  sidebar: { label: msg`Collapse or Expand Sidebar`, Icon: PanelLeft },
  palette: { label: msg`Search or jump to`, Icon: Search },
  shortcuts: { label: msg`Keyboard Shortcuts`, Icon: Keyboard },
  'sign-out': { label: msg`Sign Out`, words: msg`log out`, Icon: LogOut },
}

export function labelOf({ id, label }: Pick<Command, 'id' | 'label'>): string {
  const message = label ?? FOUND_BY[id]?.label
  return message === undefined ? id : i18n._(message)
}

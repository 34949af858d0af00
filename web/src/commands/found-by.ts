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

/** Fetched with the search box; what the sidebar and the keys need of a command is in `commands.ts`. */
type FoundBy = {
  /** Further words that it is found by. */
  words?: MessageDescriptor
  /** Of a command that is not in the sidebar. */
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
  device: { words: msg`command line code login`, Icon: Terminal },
  plan: { words: msg`upgrade downgrade cancel limits trial billing` },
  'audit-trail': { words: msg`history changes sign-ins` },
  admin: { words: msg`feature flags` },
  requests: { words: msg`log 429 curl`, Icon: Terminal },
  configs: { Icon: Shield },
  users: { words: msg`accounts roles`, Icon: Users },
  tiers: { words: msg`limits prices`, Icon: Shield },
  venues: { words: msg`connect exchanges symbols`, Icon: Shield },
  replay: { words: msg`tiers propose rejected what if`, Icon: Shield },
  'create-key': { Icon: Plus },
  '1h': { Icon: Clock },
  '24h': { Icon: Clock },
  '7d': { Icon: Clock },
  '30d': { Icon: Clock },
  '90d': { Icon: Clock },
  theme: { words: msg`light dark system`, Icon: Moon },
  sidebar: { Icon: PanelLeft },
  palette: { Icon: Search },
  shortcuts: { Icon: Keyboard },
  'sign-out': { words: msg`log out`, Icon: LogOut },
}

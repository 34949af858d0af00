import { msg } from '@lingui/core/macro'
import { i18n } from '../../language/i18n.ts'
import type { Channel } from './downloads-filter.ts'

const CHANNEL_NAMES = { trades: msg`Trades`, l2events: msg`L2 events` } as const

export function channelName(channel: Channel): string {
  return i18n._(CHANNEL_NAMES[channel])
}

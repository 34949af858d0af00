import { msg } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import { i18n } from '../../language/i18n.ts'

const NAMES: Record<string, MessageDescriptor> = {
  UTC: msg`UTC`,
  'America/New_York': msg`Eastern`,
  'America/Los_Angeles': msg`Pacific`,
  'Europe/London': msg`London`,
}

/** Four common zones, then those of the computer and of the settings if they differ. */
export function zoneOptions(chosen: string, here: string): string[] {
  return [...new Set([...Object.keys(NAMES), here, chosen])]
}

export function zoneName(zone: string): string {
  const name = NAMES[zone]
  return name === undefined ? zone.replaceAll('_', ' ') : i18n._(name)
}

/** "Eastern, UTC-5" at that time. */
export function zoneLabel(zone: string, atMs: number): string {
  return zone === 'UTC' ? 'UTC' : `${zoneName(zone)}, ${offsetOf(zone, atMs)}`
}

/** "UTC-5", "UTC+5:30", "UTC". */
export function offsetOf(zone: string, atMs: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts(atMs)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  return name.replace('GMT', 'UTC').replace('-', '\u2212').replace(/\+0$/, '')
}

import { dayName } from '../../nanoseconds.ts'
import type { ChannelName } from '../../tables.ts'

export const LAKE_PREFIX = 'v1/'
const HASH_CHARACTERS = 16

type Place = { channel: ChannelName; venue: string; symbol: string; day: number; sha256: string }

/** Hive-style directories, which query engines prune; the content hash gives a repeated seal the same key. */
export function objectKey(place: Place): string {
  return keyIn(`date=${dateOf(place.day)}`, place)
}

/** Object key of a file with several days; `day` is one of them. */
export function monthKey(place: Place): string {
  return keyIn(`month=${dateOf(place.day).slice(0, 'YYYY-MM'.length)}`, place)
}

function dateOf(day: number): string {
  return dayName(day).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
}

function keyIn(period: string, { channel, venue, symbol, sha256 }: Place): string {
  const folder = `channel=${channel}/venue=${safe(venue)}/symbol=${safe(symbol)}/${period}`
  return `${LAKE_PREFIX}${folder}/${sha256.slice(0, HASH_CHARACTERS)}.parquet`
}

function safe(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_')
}

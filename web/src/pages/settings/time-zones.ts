const NAMES: Record<string, string> = {
  UTC: 'UTC',
  'America/New_York': 'Eastern',
  'America/Los_Angeles': 'Pacific',
  'Europe/London': 'London',
}

/** The four that the specification names, then the one of this computer and the one that is chosen, if they are others. */
export function zoneOptions(chosen: string, here: string): string[] {
  return [...new Set([...Object.keys(NAMES), here, chosen])]
}

export function zoneName(zone: string): string {
  return NAMES[zone] ?? zone.replaceAll('_', ' ')
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

import type { Actor } from '@tapeline/contracts/actor'
import { clientOf } from './client-of.ts'

/** The first match wins: most browsers include other browsers' names as well. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^tapeline-cli\b/, 'Tapeline command line'],
  [/^python-requests\/|^Python-urllib\//, 'Python'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** `Firefox on Linux`, from a User-Agent header; otherwise an unknown device. */
export function deviceName(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown device'
  const browser = firstMatch(BROWSERS, userAgent)
  const system = firstMatch(SYSTEMS, userAgent)
  if (browser === undefined) return system ?? 'Unknown device'
  return system === undefined ? browser : `${browser} on ${system}`
}

/** The device of a call, as sign-ins are compared: browser, system and network. */
export function deviceOf(actor: Actor): { device: string; network: string } {
  const { network = '', userAgent = null } = clientOf(actor)
  return { device: deviceName(userAgent), network }
}

function firstMatch(list: readonly [RegExp, string][], text: string): string | undefined {
  return list.find(([pattern]) => pattern.test(text))?.[1]
}

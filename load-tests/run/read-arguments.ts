import { parseArgs } from 'node:util'
import { PLANS, PROFILES, type Profile, profileNamed } from '../lib/profiles.ts'
import { type JourneyPlan, JOURNEYS } from './journeys.ts'

export type LoadOrder = {
  journey: JourneyPlan
  profile: Profile
  /** Gateways of a running platform; if empty, a platform is started. */
  gateways: string[]
  perSecond: number | undefined
  seconds: number | undefined
  /** The result is also stored as docs/benchmarks/load-<journey>-<profile>.json. */
  isKept: boolean
}
export type ReadArguments = { order: LoadOrder } | { problem: string }

export const USAGE = `Usage: npm run load -- <journey> [profile] [options]

Journeys
${list(JOURNEYS.map(({ name, description }) => [name, description]))}

Profiles (default: smoke)
${list(PROFILES.map((name) => [name, PLANS[name].description]))}

  --base-url <url>   a running platform; several gateways separated by commas; default: a platform is started
  --rate <n>         base rate in iterations per second, instead of the journey's
  --seconds <n>      duration, instead of the profile's
  --write            also store the result as docs/benchmarks/load-<journey>-<profile>.json
`

/** The parsed arguments, or a one-line error. */
export function readArguments(words: readonly string[]): ReadArguments {
  const parsed = parse(words)
  if ('problem' in parsed) return parsed
  const { values, positionals } = parsed
  const [name = '', profileName = 'smoke', ...more] = positionals
  const journey = JOURNEYS.find((one) => one.name === name)
  if (journey === undefined)
    return unknown(
      'journey',
      name,
      JOURNEYS.map((one) => one.name),
    )
  const profile = profileNamed(profileName)
  if (profile === undefined) return unknown('profile', profileName, PROFILES)
  if (more.length > 0) return { problem: `one journey and one profile at a time; ${more.join(' ')} is too much` }
  const gateways = (values['base-url'] ?? '').split(',').filter((url) => url !== '')
  const wrong = gateways.find((url) => !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
  if (wrong !== undefined) return { problem: `--base-url reads http://host:port, not ${wrong}` }
  const numbers = { perSecond: positive(values.rate), seconds: positive(values.seconds) }
  const bad = Object.values(numbers).some((one) => one !== undefined && !(one > 0))
  if (bad) return { problem: '--rate and --seconds are numbers above 0' }
  return {
    order: {
      journey,
      profile,
      gateways: gateways.map((url) => url.replace(/\/+$/, '')),
      ...numbers,
      isKept: values.write,
    },
  }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        'base-url': { type: 'string' },
        rate: { type: 'string' },
        seconds: { type: 'string' },
        write: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

function unknown(what: string, name: string, available: readonly string[]): { problem: string } {
  const start = name === '' ? `name a ${what}` : `there is no ${what} ${name}`
  return { problem: `${start}; there are: ${available.join(', ')}` }
}

function positive(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

function list(lines: [string, string][]): string {
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, description]) => `  ${name.padEnd(width)}  ${description}`).join('\n')
}

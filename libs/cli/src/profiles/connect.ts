import { Tapeline } from '@tapeline/client'
import type { Arguments } from '../arguments.ts'
import { CommandError } from '../command-error.ts'
import { checkKey, checkUrl, type Profile, readProfiles } from './profiles.ts'
import { accessTokenOf, renewingFetch } from './session-tokens.ts'

const DEFAULT_URL = 'http://localhost:3001'
/** About a second of pauses: a person waits in front of a terminal. `Retry-After` is honored in any case. */
const RETRIES_MAX = 3
/** For commands that run until they are ended: about 20 s of pauses, longer than a restart of the platform. */
export const PATIENT = { retriesMax: 10 }

/**
 * The client of a command that reads market data: with the key of `--profile`, then TAPELINE_KEY, then the key of the
 * profile in use, then its sign-in.
 * @throws CommandError without a credential
 */
export async function connect(args: Arguments): Promise<Tapeline> {
  const found = await findProfile(args.text('profile'))
  if (found.profile.key !== undefined) return clientOf(found, checkKey(found.profile.key))
  if (found.profile.session !== undefined) return sessionClientOf(found)
  throw new CommandError(
    'An API key is missing: run "tapeline login", set TAPELINE_KEY, or store one with "config set".',
  )
}

/**
 * The client of a command that manages the account: with the service key of `--profile`, then TAPELINE_SERVICE_KEY, then
 * that of the profile in use, then its sign-in.
 * @throws CommandError without a credential
 */
export async function connectAccount(args: Arguments): Promise<Tapeline> {
  const found = await findProfile(args.text('profile'))
  const { service_key: serviceKey, session } = found.profile
  if (serviceKey !== undefined) return clientOf(found, checkKey(serviceKey))
  if (session !== undefined) return sessionClientOf(found)
  throw new CommandError('Run "tapeline login", or set TAPELINE_SERVICE_KEY to a service key (tl_svc_…).')
}

export type FoundProfile = { name: string; profile: Profile }

/**
 * `--profile`, or the profile in use under the variables of the environment; "default" when none is stored.
 * @throws CommandError for a name that is not stored
 */
export async function findProfile(name: string | undefined): Promise<FoundProfile> {
  const { current, profiles } = await readProfiles()
  if (name !== undefined) {
    const named = Object.hasOwn(profiles, name) ? profiles[name] : undefined
    if (named === undefined) throw new CommandError(`There is no profile "${name}". See "tapeline config show".`)
    return { name, profile: named }
  }
  const inUse = current !== null && Object.hasOwn(profiles, current) ? profiles[current] : undefined
  return { name: current ?? 'default', profile: underEnvironment(inUse ?? {}) }
}

/**
 * Keys and tokens that a profile stores with a URL are sent to no other platform; a key without a URL goes with any.
 * @throws CommandError for an invalid URL
 */
function underEnvironment({ session, ...stored }: Profile): Profile {
  const { TAPELINE_URL: url = '', TAPELINE_KEY: key, TAPELINE_SERVICE_KEY: serviceKey } = process.env
  const isSame = url === '' || (stored.url !== undefined && checkUrl(url) === checkUrl(stored.url))
  return {
    ...(isSame || stored.url === undefined ? stored : {}),
    ...(session === undefined || !isSame ? {} : { session }),
    ...fieldOf('url', url),
    ...fieldOf('key', key),
    ...fieldOf('service_key', serviceKey),
  }
}

/** The gateway of a profile. @throws CommandError for an invalid URL */
export function urlOf({ profile }: FoundProfile): string {
  return checkUrl(profile.url ?? DEFAULT_URL)
}

function clientOf(found: FoundProfile, apiKey: string): Tapeline {
  return new Tapeline({ baseUrl: urlOf(found), apiKey, retriesMax: RETRIES_MAX })
}

function sessionClientOf(found: FoundProfile): Tapeline {
  const baseUrl = urlOf(found)
  const apiKey = accessTokenOf(found.name, baseUrl)
  return new Tapeline({ baseUrl, apiKey, retriesMax: RETRIES_MAX, fetch: renewingFetch(found.name, baseUrl) })
}

function fieldOf(field: 'url' | 'key' | 'service_key', value: string | undefined): Profile {
  return value === undefined || value === '' ? {} : { [field]: value }
}

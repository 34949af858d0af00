import { Tapeline } from '@tapeline/client'
import type { Arguments } from '../arguments.ts'
import { CommandError } from '../command-error.ts'
import { checkKey, checkUrl, type Profile, readProfiles } from './profiles.ts'

const DEFAULT_URL = 'http://localhost:3001'
/** About a second of pauses: a person waits in front of a terminal. `Retry-After` is honoured in any case. */
const RETRIES_MAX = 3

/**
 * The client of a command: `--profile`, then TAPELINE_URL and TAPELINE_KEY, then the profile in use.
 * @throws CommandError without a key
 */
export async function connect(given: Arguments): Promise<Tapeline> {
  const { url, key } = await findProfile(given.text('profile'))
  if (key === undefined) {
    throw new CommandError('An API key is missing: set TAPELINE_KEY, or run "tapeline config set default --key".')
  }
  return new Tapeline({ baseUrl: checkUrl(url ?? DEFAULT_URL), apiKey: checkKey(key), retriesMax: RETRIES_MAX })
}

async function findProfile(name: string | undefined): Promise<Profile> {
  const { current, profiles } = await readProfiles()
  if (name !== undefined) {
    const named = Object.hasOwn(profiles, name) ? profiles[name] : undefined
    if (named === undefined) throw new CommandError(`There is no profile "${name}". See "tapeline config show".`)
    return named
  }
  const inUse = current !== null && Object.hasOwn(profiles, current) ? profiles[current] : undefined
  return { ...inUse, ...given('url', process.env['TAPELINE_URL']), ...given('key', process.env['TAPELINE_KEY']) }
}

function given(field: keyof Profile, value: string | undefined): Profile {
  return value === undefined || value === '' ? {} : { [field]: value }
}

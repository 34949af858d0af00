import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandError, EXIT_CODES } from '../command-error.ts'
import { whileLocked } from './profile-lock.ts'

/** The tokens of `tapeline login`; `expires_at` is that of the access token, in milliseconds since 1970. */
export type StoredSession = { access_token: string; refresh_token: string; expires_at: number }
export type Profile = { url?: string; key?: string; service_key?: string; session?: StoredSession }
export type Profiles = { current: string | null; profiles: Record<string, Profile> }

const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/
const KEY = /^tl_\w{4,200}$/

/** `~/.config/tapeline/config.json`; XDG_CONFIG_HOME replaces `~/.config`. */
export function configPath(): string {
  const base = process.env['XDG_CONFIG_HOME'] ?? ''
  return join(base === '' ? join(homedir(), '.config') : base, 'tapeline/config.json')
}

/** No profiles when there is no file. @throws CommandError for a file that cannot be read */
export async function readProfiles(): Promise<Profiles> {
  const path = configPath()
  try {
    const stored: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (isProfiles(stored)) return stored
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { current: null, profiles: {} }
  }
  throw new CommandError(`${path} is not a valid file of profiles. Correct or remove it.`, EXIT_CODES.failed)
}

/** Changes the file while no other process does. @throws CommandError for a file that cannot be read */
export async function changeProfiles(change: (profiles: Profiles) => Profiles): Promise<void> {
  await whileLocked(configPath(), async () => writeProfiles(change(await readProfiles())))
}

/** Replaces the file atomically; `whileLocked`. It contains keys, so only the user can read it. */
export async function writeProfiles(profiles: Profiles): Promise<void> {
  const path = configPath()
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600 })
  // The mode of writeFile does not apply to a draft that a killed process left behind.
  await chmod(draft, 0o600)
  await rename(draft, path)
}

function isProfiles(value: unknown): value is Profiles {
  if (typeof value !== 'object' || value === null || !('current' in value) || !('profiles' in value)) return false
  const { current, profiles } = value
  if ((typeof current !== 'string' && current !== null) || typeof profiles !== 'object' || profiles === null)
    return false
  return Object.values(profiles).every(isProfile)
}

function isProfile(value: unknown): value is Profile {
  if (typeof value !== 'object' || value === null) return false
  const fields = value as Record<string, unknown>
  const isText = (field: string) => ['string', 'undefined'].includes(typeof fields[field])
  return ['url', 'key', 'service_key'].every(isText) && isSession(fields['session'])
}

function isSession(value: unknown): value is StoredSession | undefined {
  if (value === undefined) return true
  if (typeof value !== 'object' || value === null) return false
  const { access_token, refresh_token, expires_at } = value as Record<string, unknown>
  return typeof access_token === 'string' && typeof refresh_token === 'string' && typeof expires_at === 'number'
}

/** Changes a profile, or creates it; the first profile is the one in use. */
export async function storeInProfile(name: string, change: Profile): Promise<void> {
  await changeProfiles((stored) => withProfile(stored, name, change))
}

/** The profiles with this change of one of them; the first one becomes the one in use. */
export function withProfile({ current, profiles }: Profiles, name: string, change: Profile): Profiles {
  const before = Object.hasOwn(profiles, name) ? profiles[name] : {}
  return { current: current ?? name, profiles: { ...profiles, [name]: { ...before, ...change } } }
}

/** @throws CommandError */
export function checkName(name: string): string {
  if (NAME.test(name)) return name
  throw new CommandError(`"${name}" is not a profile name: 1 to 40 of a-z, 0-9, - and _.`)
}

/** Returns the URL without a trailing slash. @throws CommandError */
export function checkUrl(text: string): string {
  const url = URL.parse(text)
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '')
  throw new CommandError('The URL must be that of a gateway, such as https://api.example.com.')
}

/** The message never contains the key. @throws CommandError */
export function checkKey(text: string): string {
  if (KEY.test(text)) return text
  throw new CommandError('This is not an API key: keys begin with tl_live_, tl_test_ or tl_svc_ and have no spaces.')
}

/** Enough to recognize a key, not to use it: `tl_live_…w3Kd`. */
export function maskKey(key: string): string {
  const prefix = /^tl_[a-z]+_/.exec(key)?.[0] ?? 'tl_'
  return `${prefix}…${key.length - prefix.length > 12 ? key.slice(-4) : ''}`
}

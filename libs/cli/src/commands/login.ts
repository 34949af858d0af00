import { hostname, platform } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Tapeline, TapelineError } from '@tapeline/client'
import { type Command, type Option } from '../command.ts'
import { CommandError, EXIT_CODES } from '../command-error.ts'
import { findProfile, type FoundProfile, urlOf } from '../profiles/connect.ts'
import { postPublic } from '../profiles/post-public.ts'
import { changeProfiles, checkName, checkUrl, readProfiles, storeInProfile } from '../profiles/profiles.ts'
import { accessTokenOf, storeTokens } from '../profiles/session-tokens.ts'

const LOGINS = '/api/v1/internal/user/device-logins'
const NAME_LENGTH_MAX = 80
const SECOND_MS = 1_000
const SYSTEMS: Readonly<Record<string, string>> = { darwin: 'Mac OS X', linux: 'Linux', win32: 'Windows' }

type Started = {
  device_code: string
  user_code: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}
type SignedIn = { jwtToken: string; refreshToken: string; expiresAt: number; user: { email: string } }

const profileOption = {
  profile: { type: 'string', value: 'name', text: 'Profile to sign in. Default: the profile in use.' },
} as const satisfies Record<string, Option>

export const loginCommand: Command = {
  name: 'login',
  summary: 'Signs in with a code that you approve in a browser',
  options: {
    url: { type: 'string', value: 'url', text: 'Address of the gateway; stored in the profile.' },
    ...profileOption,
  },
  run: async (args) => {
    const found = await profileToSignIn(args.text('profile'))
    const url = args.text('url') === undefined ? urlOf(found) : checkUrl(args.text('url') ?? '')
    const headers = { 'user-agent': `tapeline-cli (${SYSTEMS[platform()] ?? platform()})` }
    const client_name = `Tapeline command line on ${hostname()}`.slice(0, NAME_LENGTH_MAX)
    const started = await postPublic<Started>(url, { path: LOGINS, body: { client_name }, headers })
    const { user_code: code, verification_uri_complete: page } = started
    process.stderr.write(`Open ${page}\nand approve the code ${code}. Ctrl-C cancels.\n`)
    const signedIn = await waitForApproval(url, started, headers)
    await storeInProfile(found.name, { url })
    await storeTokens(found.name, signedIn)
    process.stderr.write(`Signed in as ${signedIn.user.email} in profile ${found.name}.\n`)
  },
}

export const logoutCommand: Command = {
  name: 'logout',
  summary: 'Signs a profile out and deletes its tokens',
  options: profileOption,
  run: async (args) => {
    const found = await findProfile(args.text('profile'))
    if (found.profile.session === undefined) throw new CommandError(`Profile ${found.name} is not signed in.`)
    const baseUrl = urlOf(found)
    const client = new Tapeline({ baseUrl, apiKey: accessTokenOf(found.name, baseUrl) })
    try {
      await client.call({ method: 'PATCH', path: '/api/v1/internal/user/logout' })
    } catch (error) {
      // The session may already have ended.
      const isEnded = error instanceof CommandError || (error instanceof TapelineError && error.status === 401)
      if (!isEnded) throw error
    }
    await clearSession(found.name)
    process.stderr.write(`Signed out of profile ${found.name}.\n`)
  },
}

/** A named profile may be new. @throws CommandError for a name that cannot be one */
async function profileToSignIn(name: string | undefined): Promise<FoundProfile> {
  if (name === undefined) return findProfile(undefined)
  const { profiles } = await readProfiles()
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  return { name: checkName(name), profile: profile ?? {} }
}

/** Polls until the user approves or denies, or the code has expired. @throws TapelineError, CommandError */
async function waitForApproval(
  url: string,
  { device_code, expires_in: lifeSeconds, interval }: Started,
  headers: Record<string, string>,
): Promise<SignedIn> {
  const endMs = performance.now() + lifeSeconds * SECOND_MS
  for (let pauseMs = interval * SECOND_MS; performance.now() < endMs;) {
    await sleep(pauseMs)
    try {
      return await postPublic<SignedIn>(url, { path: `${LOGINS}/finish`, body: { device_code }, headers })
    } catch (error) {
      if (!(error instanceof TapelineError) || !canPass(error)) throw refused(error)
      pauseMs = Math.max(interval * SECOND_MS, error.retryAfterMs ?? 0)
    }
  }
  throw expired()
}

/** Not decided yet, or no answer this time. */
function canPass({ code, status }: TapelineError): boolean {
  return code === 'device_login.pending' || status === undefined || status === 429 || status >= 500
}

function refused(error: unknown): unknown {
  if (!(error instanceof TapelineError)) return error
  if (error.code === 'device_login.denied') return new CommandError('The sign-in was denied.', EXIT_CODES.refused)
  return error.code === 'device_login.expired' ? expired() : error
}

function expired(): CommandError {
  return new CommandError('The code has expired. Run "tapeline login" again.', EXIT_CODES.refused)
}

async function clearSession(name: string): Promise<void> {
  await changeProfiles(({ current, profiles }) => {
    const { session: _session, ...rest } = profiles[name] ?? {}
    return { current, profiles: { ...profiles, [name]: rest } }
  })
}

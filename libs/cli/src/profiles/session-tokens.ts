import { TapelineError } from '@tapeline/client'
import { CommandError, EXIT_CODES } from '../command-error.ts'
import { whileLocked } from './profile-lock.ts'
import { configPath, readProfiles, type StoredSession, storeInProfile, withProfile, writeProfiles } from './profiles.ts'
import { postPublic } from './post-public.ts'

/** An access token is renewed this long before it expires, so that it does not expire during a call. */
const MARGIN_MS = 60_000
const BEARER = 'Bearer '
const REFRESH_PATH = '/api/v1/internal/user/refresh'

type Tokens = { jwtToken: string; refreshToken: string; expiresAt: number }

/**
 * Returns the access token of a profile's sign-in, renewed when it is about to expire. The tokens are read from the file
 * each time: another process may have renewed them, and each refresh token is accepted once.
 *
 * @throws CommandError when the profile has no sign-in or it has ended (from the returned function)
 */
export function accessTokenOf(name: string, baseUrl: string): () => Promise<string> {
  return async () => {
    const session = await readSession(name)
    const { access_token: token } = session
    return session.expires_at - Date.now() > MARGIN_MS ? token : renew(name, baseUrl, token)
  }
}

/**
 * `fetch` that renews the token of a profile's sign-in and repeats a call that got a 401: with a slow clock, this
 * machine takes an expired token for a valid one.
 */
export function renewingFetch(name: string, baseUrl: string): typeof fetch {
  return async (address, init = {}) => {
    const answer = await fetch(address, init)
    if (answer.status !== 401) return answer
    const headers = new Headers(init.headers)
    const refused = (headers.get('authorization') ?? '').slice(BEARER.length)
    const token = await renew(name, baseUrl, refused).catch(() => undefined)
    if (token === undefined) return answer
    await answer.body?.cancel()
    headers.set('authorization', `${BEARER}${token}`)
    return fetch(address, { ...init, headers })
  }
}

/** @throws CommandError when the profile has no sign-in */
async function readSession(name: string): Promise<StoredSession> {
  const { profiles } = await readProfiles()
  const session = Object.hasOwn(profiles, name) ? profiles[name]?.session : undefined
  if (session === undefined) throw signInAgain()
  return session
}

/**
 * Another token than this one: the stored one if another process has renewed it, otherwise a new one. One process renews at
 * a time: the second use of a refresh token ends the session.
 */
async function renew(name: string, baseUrl: string, token: string): Promise<string> {
  return whileLocked(configPath(), async () => {
    const session = await readSession(name)
    if (session.access_token !== token) return session.access_token
    const tokens = await refresh(baseUrl, session.refresh_token)
    await writeProfiles(withProfile(await readProfiles(), name, { session: storedOf(tokens) }))
    return tokens.jwtToken
  })
}

/** Stores the tokens of a sign-in in a profile. */
export async function storeTokens(name: string, tokens: Tokens): Promise<void> {
  await storeInProfile(name, { session: storedOf(tokens) })
}

function storedOf({ jwtToken, refreshToken, expiresAt }: Tokens): StoredSession {
  return { access_token: jwtToken, refresh_token: refreshToken, expires_at: expiresAt }
}

async function refresh(baseUrl: string, refreshToken: string): Promise<Tokens> {
  try {
    return await postPublic<Tokens>(baseUrl, { path: REFRESH_PATH, body: { refreshToken } })
  } catch (error) {
    if (error instanceof TapelineError && error.code === 'refresh_token.invalid') throw signInAgain()
    throw error
  }
}

function signInAgain(): CommandError {
  return new CommandError('The sign-in has ended. Run "tapeline login".', EXIT_CODES.refused)
}

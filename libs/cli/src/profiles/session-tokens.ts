import { TapelineError } from '@tapeline/client'
import { CommandError, EXIT_CODES } from '../command-error.ts'
import { readProfiles, storeInProfile } from './profiles.ts'
import { postPublic } from './post-public.ts'

/** An access token is renewed this long before it expires, so that it does not expire during a call. */
const MARGIN_MS = 60_000
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
    const { profiles } = await readProfiles()
    const session = Object.hasOwn(profiles, name) ? profiles[name]?.session : undefined
    if (session === undefined) throw signInAgain()
    if (session.expires_at - Date.now() > MARGIN_MS) return session.access_token
    const tokens = await refresh(baseUrl, session.refresh_token)
    await storeTokens(name, tokens)
    return tokens.jwtToken
  }
}

/** Stores the tokens of a sign-in in a profile. */
export async function storeTokens(name: string, { jwtToken, refreshToken, expiresAt }: Tokens): Promise<void> {
  await storeInProfile(name, {
    session: { access_token: jwtToken, refresh_token: refreshToken, expires_at: expiresAt },
  })
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

import { Email } from '@tapeline/contracts/identity/http'
import type { TokenEndpointResponse } from 'openid-client'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

/**
 * The identity asserted by the provider. `token` is used to revoke the grant: the refresh token or, without one, the
 * access token, which works only while it is valid; `isTokenLasting` is true for the former. Links that wait for a
 * password contain this as JSON, so its field names are permanent.
 */
export const ProviderIdentity = Type.Object({
  issuer: Type.String(),
  subject: Type.String(),
  email: Type.Union([Email, Type.Null()]),
  isEmailVerified: Type.Boolean(),
  firstName: Type.String(),
  lastName: Type.String(),
  token: Type.String(),
  isTokenLasting: Type.Boolean(),
})
export type ProviderIdentity = Type.Static<typeof ProviderIdentity>

type Answer = {
  issuer: string
  subject: string
  profile: Record<string, unknown>
  tokens: Pick<TokenEndpointResponse, 'access_token' | 'refresh_token'>
}

const NAME_MAX = 80
const GOOGLE = 'https://accounts.google.com'

/** Extracts the claims that meet the platform's own rules from the provider's response. */
export function providerIdentityOf({ issuer, subject, profile, tokens }: Answer): ProviderIdentity {
  const email = Value.Check(Email, profile['email']) ? profile['email'] : null
  const givenName = oneLine(profile['given_name'])
  const whole = oneLine(profile['name'])
  return {
    issuer,
    subject,
    email,
    isEmailVerified: email !== null && profile['email_verified'] === true && isAuthoritative(issuer, email, profile),
    firstName: givenName || whole || (email ?? subject).split('@', 1).join('').slice(0, NAME_MAX),
    lastName: oneLine(profile['family_name']),
    token: tokens.refresh_token ?? tokens.access_token,
    isTokenLasting: tokens.refresh_token !== undefined,
  }
}

/**
 * Google verifies addresses of other domains once, when its account is created: the address may belong to another person
 * by now. It vouches for Gmail addresses and, with the claim `hd`, for those of Workspace organizations
 * (https://developers.google.com/identity/gsi/web/guides/verify-google-id-token).
 */
function isAuthoritative(issuer: string, email: string, { hd }: Answer['profile']): boolean {
  return issuer !== GOOGLE || /@(gmail|googlemail)\.com$/i.test(email) || (typeof hd === 'string' && hd !== '')
}

/** Applies the rules for names, because the value appears in mails and logs. */
function oneLine(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim()
    .slice(0, NAME_MAX)
}

import { expect, test } from 'vitest'
import { providerIdentityOf } from './provider-identity.ts'

const GOOGLE = 'https://accounts.google.com'
const OTHER = 'https://login.firm.example'

function isVerified(issuer: string, profile: Record<string, unknown>): boolean {
  return providerIdentityOf({ issuer, subject: '7', profile, tokens: { access_token: 'a' } }).isEmailVerified
}

test.each([
  ['a Gmail address', GOOGLE, { email: 'Olga@GMail.com' }, true],
  ['the other domain of Gmail', GOOGLE, { email: 'olga@googlemail.com' }, true],
  ['an address of a Workspace organization', GOOGLE, { email: 'olga@firm.example', hd: 'firm.example' }, true],
  ['an address that Google verified once', GOOGLE, { email: 'olga@firm.example' }, false],
  ['one without an organization', GOOGLE, { email: 'olga@firm.example', hd: '' }, false],
  ['a domain that only ends like Gmail', GOOGLE, { email: 'olga@notgmail.com' }, false],
  ['a subdomain named like Gmail', GOOGLE, { email: 'olga@gmail.com.firm.example' }, false],
  ['an address at another provider', OTHER, { email: 'olga@firm.example' }, true],
])('%s counts as verified only while the provider vouches for it', (_, issuer, profile, expected) => {
  expect(isVerified(issuer, { ...profile, email_verified: true })).toBe(expected)
  expect(isVerified(issuer, { ...profile, email_verified: false })).toBe(false)
  expect(isVerified(issuer, profile)).toBe(false)
})

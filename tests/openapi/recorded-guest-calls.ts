import type { RecordedCall } from './recorded-calls.ts'

const USER = '/api/v1/internal/user'
const PERSON = { first_name: 'Ada', last_name: 'Lovelace', mobile: '+44 20 7946 0958' }

/** Calls that end sessions or an account; they use two accounts that are created for this. */
export function guestCalls(): readonly RecordedCall[] {
  return [...signUpCalls(), ...sessionCalls(), ...exportCalls(), ...passwordCalls(), ...addressCalls(), ...lastCalls()]
}

function open(id: string, call: string, body?: object): RecordedCall {
  const [method = '', path = ''] = call.split(' ')
  return { id, method, path: `${USER}/${path}`, credential: 'none', ...(body === undefined ? {} : { body }) }
}

function guest(id: string, call: string, body?: object): RecordedCall {
  return { ...open(id, call, body), credential: 'guest' }
}

function signIn(email: string, password: string, saves = {}): RecordedCall {
  return { ...open('sign in', 'POST login', { email, password }), saves, isPreparation: true }
}

function signUpCalls(): RecordedCall[] {
  const subscription = '/api/v1/internal/subscription'
  return [
    {
      ...open('sign-up', 'PUT create', { ...PERSON, email: '{guestEmail}', password: '{firstPassword}' }),
      saves: { 'token of guest': 'data.jwtToken', guest: 'data.user.id' },
      mails: { to: '{guestEmail}', page: 'verify-email', saves: 'verification' },
    },
    {
      ...open('sign-up-alias', 'PUT create', { ...PERSON, email: '{otherEmail}', password: '{firstPassword}' }),
      path: '/api/v1/user/create',
      saves: { 'token of other': 'data.jwtToken' },
    },
    open('verify-email', 'POST verify-email', { token: '{verification}' }),
    { ...guest('start-trial', 'POST trial', { tier: 'pro' }), path: `${subscription}/trial` },
    { ...guest('cancel-plan', 'POST cancel', { what: 'trial' }), path: `${subscription}/cancel` },
  ]
}

function sessionCalls(): RecordedCall[] {
  const saves = { session: 'data.sessions.1.id' }
  return [
    signIn('{guestEmail}', '{firstPassword}'),
    { ...guest('sessions', 'GET sessions'), saves, isPreparation: true },
    guest('end-session', 'DELETE sessions/{session}'),
    signIn('{guestEmail}', '{firstPassword}'),
    guest('end-other-sessions', 'DELETE sessions'),
  ]
}

function exportCalls(): RecordedCall[] {
  return [
    {
      ...guest('request-account-export', 'POST export'),
      mails: { to: '{guestEmail}', page: 'export', saves: 'exported' },
    },
    { ...guest('show-account-export', 'GET export'), until: { field: 'data.state', value: 'ready' } },
    guest('download-account-export', 'GET export/file'),
    open('open-account-export', 'POST export/open', { token: '{exported}' }),
  ]
}

function passwordCalls(): RecordedCall[] {
  const newPassword = '{secondPassword}'
  return [
    guest('change-password', 'POST change-password', { currentPassword: '{firstPassword}', newPassword }),
    {
      ...open('forgot-password', 'POST forgot-password', { email: '{guestEmail}' }),
      mails: { to: '{guestEmail}', page: 'reset-password', saves: 'reset' },
    },
    open('verify-reset-token', 'GET verify-reset-token?token={reset}'),
    open('reset-password', 'POST reset-password', { token: '{reset}', newPassword: '{thirdPassword}' }),
    {
      ...open('device-link', 'POST device-link', { email: '{guestEmail}' }),
      mails: { to: '{guestEmail}', page: 'trust-device', saves: 'device' },
    },
    open('trust-device', 'POST trust-device', { token: '{device}' }),
  ]
}

function addressCalls(): RecordedCall[] {
  return [
    signIn('{guestEmail}', '{thirdPassword}', { 'token of guest': 'data.jwtToken' }),
    {
      ...guest('change-email', 'POST change-email', { newEmail: '{newEmail}', currentPassword: '{thirdPassword}' }),
      mails: { to: '{newEmail}', page: 'confirm-email', saves: 'confirmation' },
    },
    open('confirm-email-change', 'POST confirm-email-change', { token: '{confirmation}' }),
  ]
}

function lastCalls(): RecordedCall[] {
  const message = { name: 'Ada Lovelace', email: 'ada@example.com', topic: 'support', message: 'May we test with SPY?' }
  return [
    guest('log-out', 'PATCH logout'),
    { ...open('delete-account', 'DELETE account', { currentPassword: '{firstPassword}' }), credential: 'other' },
    { ...open('contact', 'POST contact', message), path: '/api/v1/contact' },
  ]
}

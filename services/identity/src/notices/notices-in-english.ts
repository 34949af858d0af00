import { planName } from '@tapeline/contracts/actor'
import type { NoticeTexts } from './notice-texts.ts'

const NOT_YOU = "If you don't recognize this, revoke the key."

const WINDOWS = {
  burst: 'the limit per second',
  min: 'the limit per minute',
  hour: 'the limit per hour',
  day: 'the daily limit',
  month: 'the monthly limit',
  conc: 'the concurrency limit',
}

export const noticesInEnglish: NoticeTexts = {
  quota({ policy, level, used, limit, ends_at }, { count, share, moment }) {
    const which = policy === 'day' ? 'daily' : 'monthly'
    const fill = `${count(used)} of ${count(limit)} requests are used.`
    if (level < 100) return { title: `${share(level)} of your ${which} limit is used`, text: fill }
    const when = ends_at === null ? 'as older ones leave the 24-hour window' : `on ${moment(ends_at)}`
    return { title: `Your ${which} limit is used up`, text: `${fill} More requests are allowed ${when}.` }
  },
  key_created: ({ name }) => ({ title: `API key “${name}” was created`, text: NOT_YOU }),
  key_revoked: ({ name }) => ({
    title: `API key “${name}” was revoked`,
    text: 'Requests with this key are rejected from now on.',
  }),
  key_expiring: ({ name, days_left, expires_at }, { count, moment }) => ({
    title: `API key “${name}” expires ${days_left === 1 ? 'in a day' : `in ${count(days_left)} days`}`,
    text: `It expires on ${moment(expires_at)}. Extend it, or create a new key.`,
  }),
  key_expired: ({ name, expires_at }, { moment }) => ({
    title: `API key “${name}” has expired`,
    text: `It stopped working on ${moment(expires_at)}.`,
  }),
  key_used_from_new_network: ({ name, network }) => ({
    title: `API key “${name}” was used from a new network`,
    text: `Its first request came from ${network}. ${NOT_YOU}`,
  }),
  trial_ending: ({ tier, tier_after, days_left, ends_at }, { count, moment }) => ({
    title: `Your trial of the ${planName(tier)} plan ends ${days_left === 1 ? 'in a day' : `in ${count(days_left)} days`}`,
    text: `On ${moment(ends_at)} your account returns to the ${planName(tier_after)} plan. Nothing is charged.`,
  }),
  webhook_disabled: ({ name, because, failing_since }, { moment }) => ({
    title: `Webhook endpoint “${name}” was disabled`,
    text:
      because === 'gone'
        ? 'It returned 410 Gone. Activate it again once it accepts deliveries, then redeliver what it missed.'
        : `No delivery has been accepted since ${moment(failing_since)}. Activate it again once it accepts deliveries, then redeliver what it missed.`,
  }),
  key_leaked: ({ name, outcome }) => ({
    title: `API key “${name}” has leaked`,
    text: {
      revoked: 'The full key was reported as public and was revoked. Create a new key.',
      old_secret_ended:
        'Its replaced secret was reported as public and is no longer accepted. The new secret still works.',
      warned: 'The full key was reported as public. Regenerate or revoke it now.',
    }[outcome],
  }),
  usage_alert: ({ name, policy, percent, used, limit, key_name: key }, { count, share }) => ({
    title: `Alert “${name}”: ${share(percent)} of ${WINDOWS[policy]} is used`,
    text: `${count(used)} of ${count(limit)} ${policy === 'conc' ? 'concurrent requests were open' : 'requests are used'}${key === null ? '' : ` with API key “${key}”`}.`,
  }),
  trial_ended: ({ tier, tier_after }) => ({
    title: `Your trial of the ${planName(tier)} plan is over`,
    text: `Your account is now on the ${planName(tier_after)} plan.`,
  }),
}

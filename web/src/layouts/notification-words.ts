import { plural, t } from '@lingui/core/macro'
import type { Notification, NotificationKind } from '@tapeline/contracts/audit/notifications'
import { formatDateTime } from '../format/date.ts'
import { formatCount } from '../format/number.ts'
import { i18n } from '../language/i18n.ts'

type Words = { title: string; text: string }
/** Values used in a notification's text. */
type Facts = { data: Notification['data']; of: (name: string) => string; time: (name: string) => string }

/** The server's text in English; in other languages it is written from its data. */
export function notificationWords({ title, text, kind, data }: Notification, timeZone: string): Words {
  if (i18n.locale === 'en') return { title, text }
  const of = (name: string): string => (typeof data[name] === 'string' ? data[name] : '')
  const time = (name: string): string => `${formatDateTime(of(name), timeZone)} ${timeZone}`
  return WORDS[kind]({ data, of, time })
}

const WORDS: Record<NotificationKind, (facts: Facts) => Words> = {
  quota: quotaWords,
  key_created: ({ of }) => {
    const name = of('name')
    return { title: t`API key “${name}” was created`, text: t`If you don't recognize this, revoke the key.` }
  },
  key_revoked: ({ of }) => {
    const name = of('name')
    return { title: t`API key “${name}” was revoked`, text: t`Requests with this key are rejected from now on.` }
  },
  key_expiring: ({ data, of, time }) => {
    const [name, days] = [of('name'), Number(data['days_left'])]
    return {
      title: plural(days, { one: `API key “${name}” expires in # day`, other: `API key “${name}” expires in # days` }),
      text: t`It expires at ${time('expires_at')}. Extend it, or create a new key.`,
    }
  },
  key_expired: ({ of, time }) => {
    const name = of('name')
    return { title: t`API key “${name}” has expired`, text: t`It stopped working at ${time('expires_at')}.` }
  },
  key_used_from_new_network: ({ of }) => {
    const name = of('name')
    return {
      title: t`API key “${name}” was used from a new network`,
      text: `${t`Its first request came from ${of('network')}.`} ${t`If you don't recognize this, revoke the key.`}`,
    }
  },
  trial_ending: ({ data, of, time }) => {
    const [tier, after, days] = [tierName(of('tier')), tierName(of('tier_after')), Number(data['days_left'])]
    return {
      title: plural(days, {
        one: `Your trial of ${tier} ends in # day`,
        other: `Your trial of ${tier} ends in # days`,
      }),
      text: t`At ${time('ends_at')} your account returns to the ${after} plan. Nothing is charged.`,
    }
  },
  webhook_disabled: ({ data, of, time }) => {
    const [name, since] = [of('name'), time('failing_since')]
    const cause = data['because'] === 'gone' ? t`It returned 410 Gone.` : t`It has accepted no delivery since ${since}.`
    return {
      title: t`Webhook endpoint “${name}” was disabled`,
      text: `${cause} ${t`Activate it again once it accepts deliveries, then redeliver what it missed.`}`,
    }
  },
  key_leaked: ({ data, of }) => {
    const name = of('name')
    return { title: t`API key “${name}” has leaked`, text: leakWords(data['outcome']) }
  },
  usage_alert: ({ data, of }) => {
    const [name, key, percent] = [of('name'), of('key_name'), Number(data['percent'])]
    const [used, limit] = [formatCount(Number(data['used'])), formatCount(Number(data['limit']))]
    return {
      title: t`Alert “${name}”: ${percent}% of the limit is used`,
      text:
        key === ''
          ? t`${used} of ${limit} requests are used.`
          : t`${used} of ${limit} requests are used with API key “${key}”.`,
    }
  },
  trial_ended: ({ of }) => {
    const [tier, after] = [tierName(of('tier')), tierName(of('tier_after'))]
    return { title: t`Your trial of ${tier} is over`, text: t`Your account is now on the ${after} plan.` }
  },
}

function leakWords(outcome: unknown): string {
  if (outcome === 'revoked') {
    return t`The full key was reported as public and was revoked. Create a new key.`
  }
  if (outcome === 'old_secret_ended') {
    return t`Its replaced secret was reported as public and is no longer accepted. The new secret still works.`
  }
  return t`The full key was reported as public. Regenerate or revoke it now.`
}

function quotaWords({ data, time }: Facts): Words {
  const { policy, level, used, limit, ends_at } = data
  const fill = t`${formatCount(Number(used))} of ${formatCount(Number(limit))} requests are used.`
  const [isDay, percent] = [policy === 'day', Number(level)]
  if (percent < 100) {
    const title = isDay ? t`${percent}% of your daily limit is used` : t`${percent}% of your monthly limit is used`
    return { title, text: fill }
  }
  const endsAt = time('ends_at')
  const more =
    ends_at === null
      ? t`More requests are allowed as older ones leave the 24-hour window.`
      : t`More requests are allowed at ${endsAt}.`
  return { title: isDay ? t`Your daily limit is used up` : t`Your monthly limit is used up`, text: `${fill} ${more}` }
}

function tierName(tier: string): string {
  return tier.charAt(0).toUpperCase() + tier.slice(1)
}

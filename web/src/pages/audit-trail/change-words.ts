import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { TrailChange } from '@tapeline/contracts/audit/trail'
import { formatDateTime } from '../../format/date.ts'
import { formatCount } from '../../format/number.ts'
import { i18n } from '../../language/i18n.ts'

/** One changed field in words. An empty `field` means that the entry has a single value without a name. */
export type ChangeWords = { field: string; before: string; after: string }

/** By the last part of the field's path, in lower case without separators. */
const FIELDS: Readonly<Record<string, MessageDescriptor>> = {
  name: msg`Name`,
  description: msg`Description`,
  scopes: msg`Scopes`,
  allowedips: msg`Allowed networks`,
  expiresat: msg`Expires`,
  isactive: msg`Active`,
  kid: msg`Key prefix`,
  tier: msg`Plan`,
  role: msg`Role`,
  status: msg`Status`,
  email: msg`Email`,
  firstname: msg`First name`,
  lastname: msg`Last name`,
  timezone: msg`Time zone`,
  enabled: msg`Enabled`,
  requestspersecond: msg`Requests per second`,
  requestsperminute: msg`Requests per minute`,
  requestsperhour: msg`Requests per hour`,
  requestsperday: msg`Requests per day`,
  requestspermonth: msg`Requests per month`,
  burstlimit: msg`Requests in one second`,
  burst: msg`Requests in one second`,
  concurrentrequests: msg`Concurrent requests`,
  notbefore: msg`Sessions valid from`,
}
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** Old and new values in words; times are in `timeZone`. Fields of the same name are distinguished by their paths. */
export function changeWords(changes: readonly TrailChange[], timeZone: string): ChangeWords[] {
  const labels = changes.map(({ field }) => fieldWords(field))
  const label = (path: string, n: number): string =>
    labels.filter((one) => one === labels[n]).length === 1 ? (labels[n] ?? '') : `${labels[n]} (${path})`
  return changes.map(({ field, before, after }, n) => ({
    field: label(field, n),
    before: valueWords(before, timeZone),
    after: valueWords(after, timeZone),
  }))
}

function fieldWords(path: string): string {
  const last = path.split(/[./]/).findLast((part) => part !== '') ?? ''
  const label = FIELDS[last.replaceAll(/[_-]/g, '').toLowerCase()]
  if (label !== undefined) return i18n._(label)
  const words = last
    .replaceAll(/[_-]/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

function valueWords(value: unknown, timeZone: string): string {
  if (value === null || value === undefined) return t`none`
  if (typeof value === 'boolean') return value ? t`on` : t`off`
  if (typeof value === 'number') return formatCount(value)
  if (typeof value === 'string') return textWords(value, timeZone)
  if (!Array.isArray(value)) return JSON.stringify(value)
  return value.length === 0 ? t`none` : value.map((one) => valueWords(one, timeZone)).join(', ')
}

function textWords(text: string, timeZone: string): string {
  if (text === '') return t`empty`
  return TIME.test(text) ? formatDateTime(text, timeZone) : text
}

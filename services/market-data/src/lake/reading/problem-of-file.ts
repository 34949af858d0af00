import { AppError } from '@tapeline/service/app-error'
import { dayStart, formatRfc3339 } from '../../nanoseconds.ts'
import type { SealedFile } from '../manifest-queries.ts'
import { StoreError } from '@tapeline/objects/object-store'

const RETRY_AFTER_S = 5

/** Maps a file that cannot be read to the problem of the request: a page never omits its rows silently. */
export function problemOfFile({ day, ref }: SealedFile, cause: unknown): AppError {
  const date = formatRfc3339(String(dayStart(day))).slice(0, 10)
  const isUnavailable = cause instanceof StoreError && cause.failure === 'unavailable'
  if (isUnavailable) {
    const message = `The ${nameOf(ref.channel)} of ${date} cannot be read at the moment. Retry in ${RETRY_AFTER_S} s.`
    return new AppError('data.unavailable', message, { cause, retryAfterSeconds: RETRY_AFTER_S })
  }
  const message = `The ${nameOf(ref.channel)} of ${date} cannot be read: the stored file is damaged. Other days are not affected.`
  return new AppError('data.damaged', message, { cause })
}

function nameOf(channel: SealedFile['ref']['channel']): string {
  return channel === 'trade' ? 'trades' : 'level-2 events'
}

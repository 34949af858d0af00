import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { i18n } from '../../language/i18n.ts'

const MEANINGS: Readonly<Record<string, MessageDescriptor>> = {
  'request.invalid': msg`The body, a parameter or the path is not valid. The response listed each invalid field with the reason.`,
  'request.route_not_found': msg`There is no such path.`,
  'request.method_not_allowed': msg`The path exists, but not with this method.`,
  'request.timed_out': msg`The request did not arrive completely in time.`,
  'request.too_large': msg`The body or the headers are larger than the gateway accepts.`,
  'request.media_type_unsupported': msg`This call does not accept the content type of the body.`,
  'service.failed': msg`The service failed with an internal error, which was logged.`,
  'service.unavailable': msg`The service did not answer or was starting.`,
  'upstream.unavailable': msg`The service behind this call could not be reached.`,
  'upstream.timed_out': msg`The service behind this call did not answer in time.`,
  'filter.invalid': msg`The filter is not valid: a malformed time, an end before its start, or too many instruments. The response listed each invalid field with the reason.`,
  'symbol.unknown': msg`No instrument matches the venues and symbols.`,
  'tier.history_not_included': msg`The plan does not include data this old.`,
  'tier.environment_not_included': msg`A test key can read only the simulated venue sim.`,
  'cursor.invalid': msg`The cursor was altered, truncated, or made by another call.`,
  'cursor.filter_mismatch': msg`The request differs from the one that created the cursor.`,
  'cursor.expired': msg`The data after the cursor is no longer stored.`,
  'data.unavailable': msg`The stored file of a past day could not be read at that moment.`,
  'data.damaged': msg`The stored file of a past day is missing, truncated or altered.`,
}

/** Meaning of an error code; undefined for codes without a text here. */
export function answerWords(code: string | null): string | undefined {
  const meaning = MEANINGS[code ?? '']
  return meaning === undefined ? undefined : i18n._(meaning)
}

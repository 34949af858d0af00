import { isFieldRule } from '@tapeline/contracts/field-sentence'
import { RejectedField } from '@tapeline/contracts/usage/events'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { FieldError } from './app-error.ts'

/** Header that reports a request's rejected fields to the gateway, which removes it from the response. */
export const REJECTED_FIELDS_HEADER = 'x-error-fields'
const BYTES_MAX = 200
/** Names of fields and parameters, and list indexes. A longer name could be a value, such as a secret. */
const FIELD = /^\/?[A-Za-z][\w.-]{0,29}(?:\/[\w.-]{1,30}){0,5}$/
const WHOLE_BODY = '/'
const PRINTABLE = /^[\x20-\x7e]+$/
const RejectedFields = Type.Array(RejectedField, { minItems: 1 })

/**
 * The first fields that fit into the header, with their rules; messages are left out because they can repeat client
 * input.
 */
export function writeRejectedFields(errors: readonly FieldError[]): string | undefined {
  const fields: RejectedField[] = []
  for (const error of errors) {
    const rejected = rejectedField(error)
    const fitting = [rejected, { field: rejected.field }].find((one) => fitsHeader([...fields, one]))
    if (fitting === undefined) break
    fields.push(fitting)
  }
  return fields.length === 0 ? undefined : JSON.stringify(fields)
}

function fitsHeader(fields: readonly RejectedField[]): boolean {
  const text = JSON.stringify(fields)
  return text.length <= BYTES_MAX && PRINTABLE.test(text)
}

function rejectedField({ field, rule, limit }: FieldError): RejectedField {
  if (field !== WHOLE_BODY && !FIELD.test(field)) return { field: WHOLE_BODY }
  if (rule === undefined || !isFieldRule(rule)) return { field }
  return limit === undefined ? { field, rule } : { field, rule, limit }
}

/** The header's fields as JSON for an event; undefined when the header is malformed. */
export function readRejectedFields(header: string): string | undefined {
  if (header.length > BYTES_MAX || !PRINTABLE.test(header)) return undefined
  try {
    return JSON.stringify(Value.Parse(RejectedFields, JSON.parse(header)))
  } catch {
    return undefined
  }
}

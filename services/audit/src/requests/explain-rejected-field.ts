import type { Explanation } from '@tapeline/contracts/audit/requests'
import { fieldSentence } from '@tapeline/contracts/field-sentence'
import type { RejectedField } from '@tapeline/contracts/usage/events'

type ExplainedField = Explanation['rejected_fields'][number]

/** A rejected field with its message, as in the response's `errors`. */
export function explainRejectedField(rejected: RejectedField): ExplainedField {
  const { field, rule, limit } = rejected
  const name = field === '/' ? 'The body' : `\`${field.replace(/^\//, '')}\``
  return { ...rejected, message: `${name} ${rule === undefined ? 'was not accepted' : fieldSentence(rule, limit)}` }
}

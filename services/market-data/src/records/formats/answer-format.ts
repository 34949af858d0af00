import { fieldSentence } from '@tapeline/contracts/field-sentence'
import { ARROW_TYPE, CSV_TYPE, NDJSON_TYPE, PAGE_SIZE_MAX } from '@tapeline/contracts/market-data/http'
import { AppError } from '@tapeline/service/app-error'

export type StreamedFormat = 'ndjson' | 'csv' | 'arrow'
export type AnswerFormat = 'json' | StreamedFormat

const JSON_TYPE = 'application/json'

/** Media types by the format that answers them; the first type that a range such as `application/*` covers is used. */
const TYPES: Record<string, AnswerFormat> = {
  [JSON_TYPE]: 'json',
  'application/*': 'json',
  '*/*': 'json',
  [NDJSON_TYPE]: 'ndjson',
  [CSV_TYPE]: 'csv',
  'text/*': 'csv',
  [ARROW_TYPE]: 'arrow',
}

/**
 * The format of an answer, by RFC 9110, 12.5.1: the offered type with the highest weight; JSON without the header.
 * @throws `request.not_acceptable` when no type is offered, `request.invalid` when more than a page is requested as JSON
 */
export function answerFormat(accept: string | undefined, limit = 0): AnswerFormat {
  const format = acceptedFormat(accept)
  if (format !== 'json' || limit <= PAGE_SIZE_MAX) return format
  const most = String(PAGE_SIZE_MAX)
  const message = `limit ${fieldSentence('maximum', most)}`
  throw new AppError('request.invalid', message, {
    errors: [{ field: '/limit', message, rule: 'maximum', limit: most }],
  })
}

function acceptedFormat(accept: string | undefined): AnswerFormat {
  if (accept === undefined || accept.trim() === '') return 'json'
  const accepted = accept
    .split(',')
    .map((entry) => {
      const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { format: TYPES[type], weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ format, weight }) => format !== undefined && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
  const [best] = accepted
  if (best?.format !== undefined) return best.format
  const offered = Object.keys(TYPES).filter((type) => !type.includes('*'))
  throw new AppError('request.not_acceptable', `This call returns only ${offered.join(', ')}.`)
}

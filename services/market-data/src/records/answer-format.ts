import { fieldSentence } from '@tapeline/contracts/field-sentence'
import { NDJSON_TYPE, PAGE_SIZE_MAX } from '@tapeline/contracts/market-data/http'
import { AppError } from '@tapeline/service/app-error'

export type AnswerFormat = 'json' | 'ndjson'

const TYPES: Record<string, AnswerFormat> = {
  'application/json': 'json',
  'application/*': 'json',
  '*/*': 'json',
  [NDJSON_TYPE]: 'ndjson',
}

/** RFC 9110, 12.5.1: the most preferred type that is offered; JSON without the header, which has a smaller limit. */
export function answerFormat(accept: string | undefined, rows = 0): AnswerFormat {
  const format = acceptedFormat(accept)
  if (format === 'ndjson' || rows <= PAGE_SIZE_MAX) return format
  const limit = String(PAGE_SIZE_MAX)
  const message = `limit ${fieldSentence('maximum', limit)}`
  throw new AppError('request.invalid', message, { errors: [{ field: '/limit', message, rule: 'maximum', limit }] })
}

function acceptedFormat(accept: string | undefined): AnswerFormat {
  if (accept === undefined || accept.trim() === '') return 'json'
  const wanted = accept
    .split(',')
    .map((entry) => {
      const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { format: TYPES[type], weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ format, weight }) => format !== undefined && weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
  const [best] = wanted
  if (best?.format !== undefined) return best.format
  throw new AppError('request.not_acceptable', `This call answers application/json or ${NDJSON_TYPE}.`)
}

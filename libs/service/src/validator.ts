import { Ajv, type Schema } from 'ajv'
import addFormats from 'ajv-formats'

/**
 * Bodies are validated without coercion; only parameters, which are always text, are converted. All errors are
 * collected, so that one response names every invalid field; the body's size bounds their number.
 */
const strictAjv = new Ajv({
  allErrors: true,
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  strict: false,
})
const textAjv = new Ajv({
  allErrors: true,
  coerceTypes: true,
  useDefaults: false,
  removeAdditional: false,
  strict: false,
})
const rfc3339 = new Ajv()
addFormats.default(rfc3339, ['date-time'])
const isDateTime = rfc3339.compile({ type: 'string', format: 'date-time' })
/** Without the prefix `urn:uuid:`, which PostgreSQL does not read. */
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

for (const ajv of [strictAjv, textAjv]) {
  addFormats.default(ajv)
  ajv.addFormat('uuid', UUID)
  // RFC 3339 has leap seconds; `Date` does not.
  ajv.addFormat('date-time', (text) => isDateTime(text) && !Number.isNaN(Date.parse(text)))
}

type RouteSchema = { schema: Schema; httpPart?: string }

/** Bodies are validated without coercion; query, path and headers are coerced from text. */
export function compileValidator({ schema, httpPart }: RouteSchema) {
  return (httpPart === 'body' ? strictAjv : textAjv).compile(schema)
}

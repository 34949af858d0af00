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
addFormats.default(strictAjv)
addFormats.default(textAjv)

type RouteSchema = { schema: Schema; httpPart?: string }

/** Bodies are validated without coercion; query, path and headers are coerced from text. */
export function compileValidator({ schema, httpPart }: RouteSchema) {
  return (httpPart === 'body' ? strictAjv : textAjv).compile(schema)
}

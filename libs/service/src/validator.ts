import { Ajv, type Schema } from 'ajv'
import addFormats from 'ajv-formats'

/** Bodies are taken as they are sent; only addresses and parameters, which are always text, are converted. */
const strictAjv = new Ajv({
  allErrors: false,
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  strict: false,
})
const textAjv = new Ajv({
  allErrors: false,
  coerceTypes: true,
  useDefaults: false,
  removeAdditional: false,
  strict: false,
})
addFormats.default(strictAjv)
addFormats.default(textAjv)

type RouteSchema = { schema: Schema; httpPart?: string }

export function compileValidator({ schema, httpPart }: RouteSchema) {
  return (httpPart === 'body' ? strictAjv : textAjv).compile(schema)
}

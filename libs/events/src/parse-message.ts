import { type Event, EventEnvelope } from '@tapeline/contracts/event'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

const envelopeCheck = Compile(EventEnvelope)

export type Parsed = { event: Event<unknown> } | { poison: string } | { ignored: true }

export type Parser = (value: Buffer | string | null) => Parsed

/**
 * Creates a parser for these event types.
 * @param isStrict other types are errors instead of being ignored
 */
export function createParser(definitions: readonly { type: string; data: TSchema }[], isStrict: boolean): Parser {
  const checks = new Map(definitions.map(({ type, data }) => [type, Compile(data)]))
  return (value) => {
    const envelope = readEnvelope(value)
    if (typeof envelope === 'string') return { poison: envelope }
    const check = checks.get(envelope.type)
    if (check === undefined) return isStrict ? { poison: `unknown type ${envelope.type}` } : { ignored: true }
    if (check.Check(envelope.data)) return { event: envelope }
    const [problem] = check.Errors(envelope.data)
    return { poison: `data${problem?.instancePath ?? ''} ${problem?.message ?? 'is not valid'}` }
  }
}

function readEnvelope(value: Buffer | string | null): EventEnvelope | string {
  if (value === null) return 'no payload'
  try {
    const parsed: unknown = JSON.parse(value.toString())
    return envelopeCheck.Check(parsed) ? parsed : 'not a CloudEvents envelope'
  } catch {
    return 'not JSON'
  }
}

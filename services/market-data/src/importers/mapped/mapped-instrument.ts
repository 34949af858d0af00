import type { InstrumentKind, InstrumentSpec } from '../../instruments/instrument.ts'
import type { Mapping } from './mapping.ts'

const PRECISIONS = { s: 'ms', ms: 'ms', us: 'us', ns: 'ns', rfc3339: 'ns' } as const

/** The terms of the mapping apply to every symbol in it. */
export function mappedInstrument(mapping: Mapping, symbol: string, venueSymbol: string): InstrumentSpec {
  const { venue, ts_event } = mapping
  const [base = '', quote = '', ending] = symbol.split('-')
  const { size_unit = 'base', valid_from, valid_to, ...terms } = mapping.instrument ?? {}
  return {
    venue,
    symbol,
    venueSymbol,
    base,
    quote,
    sizeUnit: size_unit,
    tsEventPrecision: PRECISIONS[ts_event.unit],
    kind: kindOf(ending),
    ...terms,
    validFrom: dateOf(valid_from),
    validTo: dateOf(valid_to),
  }
}

function kindOf(ending: string | undefined): InstrumentKind {
  if (ending === undefined) return 'spot'
  return ending === 'PERP' ? 'perpetual' : 'dated'
}

function dateOf(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text)
}

import { msg } from '@lingui/core/macro'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import { i18n } from '../../../language/i18n.ts'

const KINDS = { spot: msg`spot`, perpetual: msg`perpetual`, dated: msg`dated future` } as const

export function kindName(kind: Instrument['kind']): string {
  return i18n._(KINDS[kind])
}

import { binanceKinds } from './binance/binance-kinds.ts'
import type { Kind } from './kind.ts'
import { leanKinds } from './lean/read-lean.ts'
import { tardisKinds } from './tardis/read-tardis.ts'

/** Every kind of file that can be imported. */
export const kinds: readonly Kind[] = [...binanceKinds, ...leanKinds, ...tardisKinds]

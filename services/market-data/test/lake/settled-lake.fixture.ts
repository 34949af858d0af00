import { dayStart } from '../../src/nanoseconds.ts'
import { openTestLake, type TestLake } from './lake.fixture.ts'

/** A day that can be sealed. */
export const DAY = 20_532
/** Two days and 30 minutes after DAY began. */
export const NOW = new Date(Number(dayStart(DAY + 2) / 1_000_000n) + 1_800_000)
/** The instrument BTC-USDT. */
export const BTC = 1

/** A lake at the time NOW. */
export function openSettledLake(): Promise<TestLake> {
  return openTestLake(() => NOW)
}

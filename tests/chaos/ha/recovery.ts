import type { ClientRequest } from '../history.ts'
import { AREAS, type Visit } from '../visits.ts'

/** Parts killed or cut off together, until everything had recovered. */
export type Loss = { names: string[]; kinds: readonly string[]; killedMs: number; restartedMs: number; endMs: number }
/** The effect of a kind of loss on clients. */
export type Recovery = {
  /** One kind, or two, joined with `and`. */
  lost: string
  kills: number
  /** Failed data requests of the load, and all those sent in the meantime. */
  failed: number
  sent: number
  /** From the kill to the end of the last request that failed: of the load, and of any part of the API. */
  dataMs: number
  anyMs: number
  /** Areas of the API with a failed request (the field is part of committed results). */
  doors: string[]
}

/** Per kind of part the longest recovery, in the order of the losses. */
export function recoveriesOf(
  losses: readonly Loss[],
  requests: readonly ClientRequest[],
  visits: readonly Visit[],
): Recovery[] {
  const kinds = Map.groupBy(losses, ({ kinds: lost }) => lost.join(' and '))
  return [...kinds].map(([lost, list]) => {
    const each = list.map((loss) => recoveryOf(loss, requests, visits))
    return {
      lost,
      kills: list.length,
      failed: sum(each.map(({ failed }) => failed)),
      sent: sum(each.map(({ sent }) => sent)),
      dataMs: Math.max(...each.map(({ dataMs }) => dataMs)),
      anyMs: Math.max(...each.map(({ anyMs }) => anyMs)),
      doors: AREAS.filter((area) => each.some(({ doors }) => doors.includes(area))),
    }
  })
}

function recoveryOf({ killedMs, endMs }: Loss, requests: readonly ClientRequest[], visits: readonly Visit[]) {
  const isDuring = (one: { startMs: number; endMs: number }) => one.endMs >= killedMs && one.startMs < endMs
  const data = requests.filter(isDuring)
  const failed = data.filter(({ status }) => status !== 200)
  const shut = visits.filter((one) => isDuring(one) && one.status !== 200)
  const after = (list: readonly { endMs: number }[]) => Math.max(0, ...list.map((one) => one.endMs - killedMs))
  return {
    failed: failed.length,
    sent: data.length,
    dataMs: after(failed),
    anyMs: Math.max(after(failed), after(shut)),
    doors: shut.map(({ area }) => area),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

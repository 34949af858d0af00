import { setTimeout as wait } from 'node:timers/promises'
import type { TimedAnswer } from '../bench/timed-request.ts'

/** Number of responses by status and error code. */
export type Statuses = Record<string, number>

/** Sends requests on schedule, whether or not earlier ones have been answered. */
export async function atRate(
  perSecond: number,
  forMs: number,
  send: () => Promise<TimedAnswer>,
): Promise<TimedAnswer[]> {
  const startMs = performance.now()
  const answers: Promise<TimedAnswer>[] = []
  for (let n = 0; n < (perSecond * forMs) / 1_000; n += 1) {
    const dueMs = startMs + (n * 1_000) / perSecond - performance.now()
    if (dueMs > 0) await wait(dueMs)
    answers.push(send())
  }
  return Promise.all(answers)
}

export function statusesOf(answers: TimedAnswer[]): Statuses {
  const groups = Map.groupBy(answers, ({ status, text }) => [status, codeOf(text)].filter(Boolean).join(' '))
  return Object.fromEntries(groups.entries().map(([status, all]) => [status, all.length]))
}

function codeOf(text: string): string | undefined {
  return /"code":"([^"]+)"/.exec(text)?.[1]
}

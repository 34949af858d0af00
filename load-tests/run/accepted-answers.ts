import { type Accepted, type Overshoot, overshootsOf, type RollingLimit } from '../lib/overshoot.ts'

export type AnswersOfAccount = { account: number; accepted: number; overshoots: Overshoot[] }

const LINE = /accepted (\d+) (\d+) (\d+) ((?:\w+=\d+\/\d+ ?)+)/

/**
 * Accepted answers of each account as seen by its clients, compared with the limits reported in the answers.
 * The script prints a line per response: the account's number, the times of request and response, and the limits.
 */
export function readAcceptedAnswers(output: readonly string[]): AnswersOfAccount[] {
  const byAccount = new Map<number, { accepted: Accepted[]; limits: RollingLimit[] }>()
  for (const line of output) {
    const [, account, from, to, limits = ''] = LINE.exec(line) ?? []
    if (account === undefined) continue
    const entry = byAccount.get(Number(account)) ?? { accepted: [], limits: limitsOf(limits) }
    entry.accepted.push({ fromMs: Number(from), toMs: Number(to) })
    byAccount.set(Number(account), entry)
  }
  return [...byAccount]
    .toSorted(([one], [other]) => one - other)
    .map(([account, { accepted, limits }]) => ({
      account,
      accepted: accepted.length,
      overshoots: overshootsOf(accepted, limits),
    }))
}

function limitsOf(text: string): RollingLimit[] {
  return text
    .trim()
    .split(' ')
    .map((one) => {
      const [policy = '', limit, windowMs] = one.split(/[=/]/)
      return { policy, limit: Number(limit), windowMs: Number(windowMs) }
    })
}

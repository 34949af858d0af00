import type { Worker } from 'node:cluster'

/** The tier documents in use; version 0: none are loaded yet. */
export type TiersReport = { version: number; origin: string; refused: number }
/** Readiness and metrics of one gateway process. */
export type ProcessReport = { pid: number; isReady: boolean; tiers: TiersReport; metrics: string }

type Question = { question: 'report'; number: number }
type Answer = { number: number; report: ProcessReport }

const ANSWER_WITHIN_MS = 1_000
let questions = 0

/** Runs in a worker: answers the requests of the primary until the primary ends. */
export function answerReports(report: () => ProcessReport): void {
  process.on('message', (message: unknown) => {
    if (!isQuestion(message)) return
    process.send?.({ number: message.number, report: report() } satisfies Answer)
  })
}

/** In the primary: undefined from a worker that is busy, starting or dead. */
export async function requestReport(worker: Worker): Promise<ProcessReport | undefined> {
  if (!worker.isConnected()) return undefined
  const number = (questions += 1)
  const { promise, resolve } = Promise.withResolvers<ProcessReport | undefined>()
  const onMessage = (message: unknown): void => {
    if (isAnswer(message) && message.number === number) resolve(message.report)
  }
  const timer = setTimeout(() => resolve(undefined), ANSWER_WITHIN_MS)
  worker.on('message', onMessage)
  worker.send({ question: 'report', number } satisfies Question, () => {})
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    worker.off('message', onMessage)
  }
}

function isQuestion(message: unknown): message is Question {
  return typeof message === 'object' && message !== null && 'question' in message && message.question === 'report'
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 'number' in message && 'report' in message
}

import { checkEnough } from '../checks/check-answers.ts'
import { checkCounting } from '../checks/check-counting.ts'
import { type Drill, type Field, type Outcome, pause } from '../drill.ts'
import { gatherCounting } from '../checks/gather-counting.ts'
import { newAccount, startLoad } from '../load.ts'
import { checkRevocation, revokeDuringLoad } from './revoke-during-load.ts'

export const KILLED_PROCESSES = ['gateway-2', 'audit', 'kafka'] as const

const LOAD = { clients: 8, pauseMs: 10 }
const ANSWERS_MIN = 100
const UP_MS = [400, 1_100] as const
const DOWN_MS = [100, 600] as const
const AFTERWARDS_MS = 1_000

/** kill -9 of one after the other under load, each started again; at the end the key is revoked. */
export async function killDuringLoad(field: Field, victims: readonly string[]): Promise<Outcome> {
  const { platform, history, random } = field
  const account = await newAccount(field)
  const load = startLoad(field, account, LOAD)
  for (const name of victims) {
    await pause(random.between(...UP_MS))
    await history.during('kill', name, () => platform.kill(name))
    await pause(random.between(...DOWN_MS))
    await history.during('restart', name, () => platform.restart(name))
  }
  await pause(AFTERWARDS_MS)
  await revokeDuringLoad(field, account)
  await load.stop()
  const evidence = await gatherCounting(field, account)
  const requests = history.requests.filter(({ account: id }) => id === account.accountId)
  return {
    checks: [checkEnough(requests, ANSWERS_MIN), ...checkCounting(evidence), ...checkRevocation(field, account)],
    figures: {
      kills: victims.length,
      answered: evidence.answered.length,
      unanswered: evidence.unanswered,
      inFlightAtKills: evidence.inFlight,
      rows: evidence.rows.length,
      cells: evidence.cells ?? 0,
    },
  }
}

/** The same number of kills for each process, in a seeded order. */
export const kills: Drill = {
  name: 'kills',
  what: 'gateway, audit and broker are killed in turn under load',
  run(field) {
    const victims = Array.from(
      { length: field.size.kills },
      (_, n) => KILLED_PROCESSES[n % KILLED_PROCESSES.length] ?? 'audit',
    )
    return killDuringLoad(field, field.random.shuffled(victims))
  },
}

const ALONE = ['gateway-2', 'audit'] as const
const NAMES = { 'gateway-2': 'gateway-kills', audit: 'consumer-kills' }

/** The same with all kills for one process, to find restart loops. */
export const killLoops: readonly Drill[] = ALONE.map((name) => ({
  name: NAMES[name],
  what: `${name === 'audit' ? 'audit' : 'a gateway'} killed again and again under load`,
  run: (field) =>
    killDuringLoad(
      field,
      Array.from({ length: field.size.kills }, () => name),
    ),
}))

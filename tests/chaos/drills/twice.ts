import { isUsageTopicApplied, readUsageTopic, sendToUsageTopic } from '@tapeline/testing/kafka/usage-topic'
import { waitUntil } from '@tapeline/testing/wait-until'
import { checkEnough, checkStatuses, servedStatuses } from '../checks/check-answers.ts'
import { checkCounting } from '../checks/check-counting.ts'
import { type Drill, pause } from '../drill.ts'
import { gatherCounting } from '../checks/gather-counting.ts'
import { newAccount, startLoad } from '../load.ts'

const LOAD = { clients: 4, pauseMs: 20 }
const REQUESTS_MS = [1_500, 2_500] as const
const TIMES = 2
const ANSWERS_MIN = 30

/** Simulates for every event a gateway killed between the broker's acknowledgement and recording it. */
export const twice: Drill = {
  name: 'twice',
  what: 'every usage event is delivered several times',
  async run(field) {
    const { platform, history, random, size } = field
    const topic = { kafkaBrokers: platform.addresses.kafkaBrokers, topicPrefix: platform.topicPrefix }
    const account = await newAccount(field)
    const load = startLoad(field, account, LOAD)
    await pause(random.between(...REQUESTS_MS))
    await load.stop()
    await gatherCounting(field, account)
    const messages = await readUsageTopic(topic)
    for (let n = 0; n < TIMES; n += 1) {
      await history.during('deliver again', 'usage', () => sendToUsageTopic(topic, random.shuffled(messages)))
    }
    const isApplied = () => isUsageTopicApplied(topic, platform.databaseUrls.audit)
    await waitUntil('audit has read them', isApplied, size.settledWithinMs)
    const evidence = await gatherCounting(field, account)
    return {
      checks: [
        checkEnough(history.requests, ANSWERS_MIN),
        checkStatuses('every answer is a 200', history.requests, servedStatuses(size)),
        ...checkCounting(evidence),
      ],
      figures: { answered: evidence.answered.length, rows: evidence.rows.length, again: TIMES * messages.length },
    }
  },
}

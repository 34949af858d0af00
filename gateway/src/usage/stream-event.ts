import { randomUUIDv7 } from 'node:crypto'
import type { Tier } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { SESSION_KEY_ID, type UsageStreamDelivered, usageStreamDelivered } from '@tapeline/contracts/usage/events'

export type StreamFacts = {
  accountId: string
  keyId: string
  kid: string | null
  tier: Tier
  transport: UsageStreamDelivered['transport']
  connectionId: string
  network: string
  /** When the reported time begins. */
  fromMs: number
  toMs: number
  isOpened: boolean
  isEnded: boolean
  messages: number
  bytesIn: number
  bytesOut: number
}

/** Writes journal lines, `<account> <event>`. The id is part of the line: a line that is shipped twice counts once. */
export function streamLines(gatewayId: string): (facts: StreamFacts) => string {
  return (facts) => {
    const { accountId, kid, network, fromMs, toMs } = facts
    const event = newEvent(usageStreamDelivered, {
      id: randomUUIDv7(),
      time: new Date(fromMs),
      subject: accountId,
      account: accountId,
      actor: { kind: 'service', service: 'gateway' },
      network,
      data: {
        account_id: accountId,
        key_id: kid === null ? SESSION_KEY_ID : facts.keyId,
        kid,
        tier: facts.tier,
        transport: facts.transport,
        connection_id: facts.connectionId,
        opened: facts.isOpened,
        ended: facts.isEnded,
        open_ms: Math.max(0, Math.round(toMs - fromMs)),
        messages: facts.messages,
        bytes_in: facts.bytesIn,
        bytes_out: facts.bytesOut,
        gateway_id: gatewayId,
        network,
      },
    })
    return `${accountId} ${JSON.stringify(event)}\n`
  }
}

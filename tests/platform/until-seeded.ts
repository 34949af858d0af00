import { send } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'

const WITHIN_MS = 60_000

/**
 * Resolves when every gateway's limits of a new key's account come from Redis. Before audit has answered what the
 * account has used, each gateway admits its share. Reading the limits is not counted.
 */
export async function untilSeeded(gatewayUrls: readonly string[], key: string): Promise<void> {
  for (const url of gatewayUrls) {
    const isSeeded = async () => {
      const { status, headers } = await send(`${url}/api/v1/limits`, { token: key })
      return status === 200 && !headers.has('x-ratelimit-policy')
    }
    await waitUntil('the counters of the account are loaded', isSeeded, WITHIN_MS)
  }
}

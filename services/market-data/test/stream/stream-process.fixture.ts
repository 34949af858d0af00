import { someUser } from '@tapeline/testing/actors'
import { callAs } from '@tapeline/testing/call-as'
import { openStreamPlatform } from './stream.fixture.ts'

/** A platform with one stream process and a user of the tier pro; `stop` the platform in afterAll. */
export async function openStreamProcess() {
  const platform = await openStreamPlatform()
  const process = await platform.startProcess()
  const actor = someUser({ tier: 'pro' })
  return {
    platform,
    process,
    actor,
    /** @throws Error with the answer for any status but 200 */
    post: async <Answer>(path: string, body: object): Promise<Answer> => {
      const call = { method: 'POST', url: `/api/v1/${path}`, body } as const
      const response = await callAs(process.app, 'market-data', actor, call)
      if (response.statusCode !== 200) throw new Error(response.body)
      return response.json<Answer>()
    },
  }
}

import { Tapeline } from '@tapeline/client'

const NO_CREDENTIAL = 'none'

/** A call without a credential. */
export type PublicCall = { path: string; body: object; headers?: Record<string, string> }

/** Calls a public path with the time limits and errors of the client, and returns the data. @throws TapelineError */
export async function postPublic<Data>(baseUrl: string, call: PublicCall): Promise<Data> {
  const send: typeof fetch = async (address, { headers, ...rest } = {}) => {
    const without = new Headers(headers)
    without.delete('authorization')
    return fetch(address, { ...rest, headers: without })
  }
  const client = new Tapeline({ baseUrl, apiKey: NO_CREDENTIAL, fetch: send })
  return (await client.call<{ data: Data }>({ method: 'POST', ...call })).data
}

import { request } from 'node:http'

export const DETAILS = '/api/v1/internal/user/details'

export type DetailsResponse = {
  status: number
  headers: Record<string, unknown>
  data: { user: { id: string; role: string } }
}

/**
 * Reads the account details of a caller. Unlike fetch, which forbids some headers and joins others, it sends names and
 * values unchanged.
 */
export function fetchDetails(
  gatewayUrl: string,
  token: string | undefined,
  headers: readonly string[],
): Promise<DetailsResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<DetailsResponse>()
  const credential = token === undefined ? [] : ['authorization', `Bearer ${token}`]
  const sent = request(
    gatewayUrl + DETAILS,
    { headers: ['host', 'localhost', ...credential, ...headers], agent: false },
    (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { data } = JSON.parse(Buffer.concat(chunks).toString()) as Pick<DetailsResponse, 'data'>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, data })
      })
    },
  )
  sent.on('error', reject)
  sent.end()
  return promise
}

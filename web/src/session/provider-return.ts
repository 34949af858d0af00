import { paths } from '../paths.ts'

/** Parameters of the identity provider's redirect to the dashboard. */
export type ProviderReturn = { state: string; iss: string | undefined } & ({ code: string } | { error: string })

type Page = {
  location: Pick<Location, 'pathname' | 'search'>
  history: Pick<History, 'state' | 'replaceState'>
}

/** Read once, when the page loads; code and state are removed from the URL before other code can read it. */
export function takeProviderReturn({ location, history }: Page): ProviderReturn | undefined {
  if (location.pathname !== paths.profile) return undefined
  const query = new URLSearchParams(location.search)
  const [state, code, error] = [query.get('state'), query.get('code'), query.get('error')]
  if (state === null || (code === null && error === null)) return undefined
  history.replaceState(history.state, '', paths.profile)
  const iss = query.get('iss') ?? undefined
  return error === null ? { state, iss, code: code ?? '' } : { state, iss, error }
}

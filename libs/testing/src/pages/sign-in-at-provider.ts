export type ProviderChoice = 'cancel' | { email: string; verified?: boolean; given_name?: string; family_name?: string }

const STEPS_MAX = 10

/**
 * Follows the provider's redirects like a browser, submits its form, and stops at the redirect back.
 * @returns the last URL
 */
export async function signInAtProvider(authUrl: string, choice: ProviderChoice): Promise<URL> {
  const { origin } = new URL(authUrl)
  const cookies = new Map<string, string>()
  let at = new URL(authUrl)
  let form: URLSearchParams | undefined
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    form = undefined
    const location = response.headers.get('location')
    if (location !== null) at = new URL(location, at)
    else if (at.pathname.startsWith('/interaction/')) [at, form] = answerTo(at, choice)
    else throw new Error(`the provider returned ${response.status} ${await response.text()}`)
    if (at.origin !== origin) return at
  }
  throw new Error(`the provider does not lead back: ${at.href}`)
}

function answerTo(page: URL, choice: ProviderChoice): [URL, URLSearchParams] {
  if (choice === 'cancel') return [new URL(`${page.href}/cancel`), new URLSearchParams()]
  const { verified = true, given_name = 'Olga', family_name = 'Auth', email } = choice
  const fields = { email, given_name, family_name, ...(verified ? { verified: 'yes' } : {}) }
  return [page, new URLSearchParams(fields)]
}

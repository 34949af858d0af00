/** An account at the local provider. */
export type ProviderAccount = { email: string; givenName: string; familyName: string; isVerified: boolean }

/** Accounts that can be chosen with one click; the form accepts any other. */
export const PROVIDER_ACCOUNTS: readonly ProviderAccount[] = [
  { email: 'nina.new@provider.local', givenName: 'Nina', familyName: 'New', isVerified: true },
  // Has the address of the demo account, verified on both sides, so the two are linked.
  { email: 'pro@tapeline.local', givenName: 'Paula', familyName: 'Pro', isVerified: true },
  { email: 'ursula@provider.local', givenName: 'Ursula', familyName: 'Unverified', isVerified: false },
]

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** The page to choose a demo account, enter another one, or cancel. */
export function accountsPage(action: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in at the local provider</title>
<style>
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 3rem auto; padding: 0 1rem }
  button { font: inherit; padding: .5rem 1rem; width: 100%; text-align: start; margin-bottom: .5rem }
  label { display: block; margin-bottom: .75rem }
  input:not([type=checkbox]) { font: inherit; width: 100%; box-sizing: border-box; padding: .4rem }
  small { display: block; opacity: .75 }
</style>
</head>
<body>
<h1>Local identity provider</h1>
<p>It replaces Google on this machine. Accounts here have no passwords.</p>
<h2>Continue as</h2>
${PROVIDER_ACCOUNTS.map((account) => accountForm(action, account)).join('\n')}
<h2>Or use another account</h2>
<form method="post" action="${escapeHtml(action)}">
<label>E-mail <input name="email" type="email" required maxlength="254"></label>
<label>First name <input name="given_name" maxlength="80"></label>
<label>Last name <input name="family_name" maxlength="80"></label>
<label><input name="verified" type="checkbox" value="yes" checked> The address is verified</label>
<button>Continue</button>
</form>
<form method="post" action="${escapeHtml(action)}/cancel"><button>Cancel</button></form>
</body>
</html>
`
}

function accountForm(action: string, { email, givenName, familyName, isVerified }: ProviderAccount): string {
  const fields = { email, given_name: givenName, family_name: familyName, ...(isVerified ? { verified: 'yes' } : {}) }
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  )
  const note = isVerified ? email : `${email}, not verified`
  return `<form method="post" action="${escapeHtml(action)}">${inputs.join('')}<button>${escapeHtml(`${givenName} ${familyName}`)}<small>${escapeHtml(note)}</small></button></form>`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

export type FoundSecret = { line: number; kind: string; shown: string }

/** Text of this form is a secret in any file. */
const KINDS: Record<string, RegExp> = {
  'a private key': /-----BEGIN (?:[A-Z]{1,12} ){0,3}PRIVATE KEY-----/,
  'an AWS key': /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  'a GitHub token': /\b(?:gh[pousr]_\w{36}|github_pat_\w{40})/,
  'a Slack token': /\bxox[abprs]-[\w-]{10}/,
  'a Google key': /\b(?:AIza[\w-]{35}|GOCSPX-[\w-]{20})/,
  'a Stripe key': /\b[rs]k_live_\w{16}/,
  'an npm token': /\bnpm_[0-9A-Za-z]{36}/,
  'a signed token': /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{20}/,
  'an API key of ours': /\btl_(?:live|test|svc)_[0-9A-Za-z]{12}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}\b/,
}
/** Reported only if the text has high entropy, because examples consist of words. */
const RANDOM: Record<string, { pattern: RegExp; entropyMin: number }> = {
  'a password in an address': {
    pattern: /\b[a-z][a-z0-9+]{1,20}:\/\/[^\s:/@'"`<>{}$]{1,60}:([^\s:/@'"`<>{}$]{8,120})@/g,
    entropyMin: 3.3,
  },
  'something random under a telling name': {
    pattern: /(?:secret|password|passwd|token|api_?key|private_?key)["']?\s{0,3}[:=]\s{0,3}["'`]?([\w+/=-]{24,200})/gi,
    entropyMin: 4.2,
  },
}
const SHOWN = 12

/** Reports only the beginning of each, so that the report does not contain the secret. */
export function findSecrets(text: string): FoundSecret[] {
  return text.split('\n').flatMap((content, n) => {
    const found = Object.entries(KINDS).flatMap(([kind, pattern]) => {
      const [match] = pattern.exec(content) ?? []
      return match === undefined ? [] : [{ line: n + 1, kind, shown: match.slice(0, SHOWN) }]
    })
    const random = Object.entries(RANDOM).flatMap(([kind, { pattern, entropyMin }]) =>
      [...content.matchAll(pattern)].flatMap(([, value = '']) =>
        entropyOf(value) < entropyMin ? [] : [{ line: n + 1, kind, shown: value.slice(0, SHOWN) }],
      ),
    )
    return [...found, ...random]
  })
}

/** Bits per character: words and repeated letters have few. */
function entropyOf(value: string): number {
  const counts = Map.groupBy(value, (letter) => letter).values()
  return [...counts].reduce((sum, { length }) => sum - (length / value.length) * Math.log2(length / value.length), 0)
}

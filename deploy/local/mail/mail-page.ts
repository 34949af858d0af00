import type { StoredMail } from './mail-store.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Page with every mail sent by the local platform. */
export function mailPage(mails: StoredMail[]): string {
  const list = mails.map(mailArticle).join('\n')
  const empty = '<p>No mail yet. Sign up with a known address or ask for a new password, and it appears here.</p>'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Mails sent on this machine</title>
<style>
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
  article { border-top: 1px solid #8886; padding: 1rem 0 }
  h2 { font-size: 1rem; margin: 0 }
  p.facts { margin: 0 0 .5rem; opacity: .75; font-size: .875rem; overflow-wrap: anywhere }
  iframe { width: 100%; height: 26rem; border: 1px solid #8886; border-radius: 6px; background: #fff }
  pre { white-space: pre-wrap; overflow-wrap: anywhere }
</style>
</head>
<body>
<h1>Mails sent on this machine</h1>
<p>They left the platform by SMTP and went no further.</p>
${mails.length === 0 ? empty : list}
</body>
</html>
`
}

function mailArticle({ subject, to, at, text, html }: StoredMail): string {
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<p class="facts">to ${escapeHtml(to.join(', '))} · ${escapeHtml(at)}</p>
<details><summary>Text</summary><pre>${escapeHtml(text)}</pre></details>
<iframe sandbox="allow-popups allow-top-navigation-by-user-activation" title="${escapeHtml(subject)}" srcdoc="${escapeHtml(withTopTarget(html))}"></iframe>
</article>`
}

/** Links open in the window, not in the frame. */
function withTopTarget(html: string): string {
  return html.replace('<head>', '<head><base target="_top">')
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

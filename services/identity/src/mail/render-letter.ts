import type { Language } from './language.ts'
import type { Letter } from './templates.ts'

export type RenderedMail = { subject: string; text: string; html: string }

const FOOTERS: Record<Language, string> = {
  en: 'You are receiving this mail because of activity in your Tapeline account.',
  es: 'Recibes este mensaje por una actividad en tu cuenta de Tapeline.',
  fr: 'Vous recevez ce message en raison d’une activité sur votre compte Tapeline.',
}

/** Renders plain text, and HTML without external resources. */
export function renderLetter(letter: Letter, language: Language): RenderedMail {
  const { subject, paragraphs, facts = [], action, footer = FOOTERS[language] } = letter
  const list = facts.map((fact) => `- ${fact}`).join('\n')
  const text = [
    ...paragraphs,
    ...(list === '' ? [] : [list]),
    ...(action === undefined ? [] : [`${action.label}:\n${action.url}`]),
    `-- \n${footer}`,
  ]
  return {
    subject,
    text: `${text.join('\n\n')}\n`,
    html: htmlOf({ subject, paragraphs, facts, action }, { language, footer }),
  }
}

type Frame = { language: Language; footer: string }

function htmlOf({ subject, paragraphs, facts = [], action }: Letter, { language, footer }: Frame): string {
  const body = paragraphs.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`).join('\n')
  const items = facts.map((fact) => `<li style="margin:0 0 8px">${escapeHtml(fact)}</li>`).join('\n')
  const list = items === '' ? '' : `<ul style="margin:0 0 16px;padding:0 0 0 20px">\n${items}\n</ul>`
  const link =
    action === undefined
      ? ''
      : `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="background:#0b6bcb;color:#ffffff;padding:12px 20px;border-radius:6px;text-decoration:none;display:inline-block">${escapeHtml(action.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#57606a;word-break:break-all">${escapeHtml(action.url)}</p>`
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f6f8fa;font:16px/1.5 system-ui,sans-serif;color:#1f2328">
<div style="max-width:560px;margin:0 auto;background:#ffffff;padding:32px;border-radius:8px">
<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(subject)}</h1>
${body}
${list}
${link}
<p style="margin:32px 0 0;font-size:13px;color:#57606a">${escapeHtml(footer)}</p>
</div>
</body>
</html>
`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

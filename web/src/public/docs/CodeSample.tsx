import { t } from '@lingui/core/macro'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from '../../ui/button-class.ts'
import { type CodeLanguage, highlight } from './highlight.tsx'
import type { SampleCode } from './read-sample.ts'

const LABELS: Record<CodeLanguage, string> = {
  curl: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  cli: 'CLI',
  json: 'JSON',
}

type CodeSampleProps = {
  codes: readonly SampleCode[]
  /** Accessible name of the sample. */
  label: string
  children?: ReactNode
}

/** The same request in every language; without JavaScript, one below the other. */
export function CodeSample({ codes, label, children }: CodeSampleProps) {
  const isChoice = codes.length > 1
  const first = codes[0]?.language ?? 'curl'
  const languages = codes.map(({ language }) => language).join(' ')
  return (
    <div className="panel sample" {...(isChoice ? { 'data-languages': languages } : {})}>
      <div className="bar">
        {isChoice ? <LanguageTabs codes={codes} /> : <span className="small muted">{LABELS[first]}</span>}
        <CopyButton label={t`Copy the request`} />
      </div>
      {codes.map(({ language, code }) => (
        <pre
          key={language}
          className="code"
          tabIndex={0}
          role="group"
          aria-label={`${label}: ${LABELS[language]}`}
          data-code={language}
        >
          <code>{highlight(code, language)}</code>
        </pre>
      ))}
      {children}
    </div>
  )
}

function LanguageTabs({ codes }: Pick<CodeSampleProps, 'codes'>) {
  return (
    <div className="code-tabs needs-script" role="group" aria-label={t`Language of the samples`}>
      {codes.map(({ language }, index) => (
        <button key={language} type="button" data-choose={language} aria-pressed={index === 0}>
          {LABELS[language]}
        </button>
      ))}
    </div>
  )
}

export function CopyButton({ label }: { label: string }) {
  return (
    <button
      type="button"
      className={buttonClass({ variant: 'quiet', size: 'small', isIconOnly: true }, 'end needs-script')}
      data-copy=""
      aria-label={label}
    >
      <Copy className="icon" aria-hidden="true" />
    </button>
  )
}

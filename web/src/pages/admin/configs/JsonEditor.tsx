import { t } from '@lingui/core/macro'
import { type CSSProperties, useId } from 'react'
import { FieldError } from '../../../ui/Field.tsx'
import { type CheckedJson, linesIn } from './check-json.ts'

type JsonEditorProps = { text: string; label: string; checked: CheckedJson; onChange: (text: string) => void }

/** JSON that is checked as it is typed; the wrong line is marked, and named below. */
export function JsonEditor({ text, label, checked, onChange }: JsonEditorProps) {
  const noteId = useId()
  const lines = linesIn(text)
  const wrong = checked.ok ? undefined : checked.line
  return (
    <div className="json">
      <Numbers lines={lines} wrong={wrong} />
      <div className="json-text">
        {wrong !== undefined && <i className="wrong" style={{ '--line-at': wrong - 1 } as CSSProperties} />}
        <textarea
          aria-label={t`JSON of ${label}`}
          aria-invalid={checked.ok ? undefined : true}
          aria-describedby={noteId}
          value={text}
          rows={lines}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
      <div id={noteId} className="json-note" aria-live="polite">
        {!checked.ok && <FieldError>{checked.message}</FieldError>}
      </div>
    </div>
  )
}

export function JsonView({ text, label }: { text: string; label: string }) {
  return (
    <div className="json">
      <Numbers lines={linesIn(text)} />
      <div className="json-text" role="group" aria-label={t`JSON of ${label}`} tabIndex={0}>
        <pre>{text}</pre>
      </div>
    </div>
  )
}

function Numbers({ lines, wrong }: { lines: number; wrong?: number | undefined }) {
  return (
    <div className="json-lines" aria-hidden="true">
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} className={at + 1 === wrong ? 'wrong' : undefined}>
          {at + 1}
        </span>
      ))}
    </div>
  )
}

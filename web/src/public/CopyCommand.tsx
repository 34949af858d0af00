import { t } from '@lingui/core/macro'
import { Check, Copy } from 'lucide-react'
import { Fragment } from 'react'
import { buttonClass } from '../ui/button-class.ts'

/** One line to paste into a shell. Where it is too long, it breaks before a slash. */
export function CopyCommand({ id, children }: { id: string; children: string }) {
  return (
    <div className="command">
      <code id={id}>
        {children.split(/(?=\/)/).map((part, index) => (
          <Fragment key={index}>
            {index > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </code>
      <button
        type="button"
        className={buttonClass({ variant: 'quiet', isIconOnly: true }, 'copy needs-script')}
        aria-label={t`Copy command`}
        data-island="copy"
        data-copy-from={id}
        data-copied={t`Copied`}
      >
        <Copy className="icon" aria-hidden="true" />
        <Check className="icon" aria-hidden="true" />
      </button>
      <span className="sr-only" role="status" />
    </div>
  )
}

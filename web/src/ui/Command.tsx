import { t } from '@lingui/core/macro'
import { Fragment } from 'react'
import { CopyButton } from './CopyButton.tsx'

/** One line to paste into a shell. Where it is too long, it breaks before a slash. */
export function Command({ children, label = t`Copy command` }: { children: string; label?: string }) {
  return (
    <div className="command">
      <code>
        {children.split(/(?=\/)/).map((part, index) => (
          <Fragment key={index}>
            {index > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </code>
      <CopyButton text={children} label={label} />
    </div>
  )
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../Button.tsx'

type PagingProps = {
  /** Of the pages that were turned to, the open one last. */
  cursors: readonly string[]
  /** Of the page after this one. */
  next: string | null
  onTurn: (cursors: readonly string[]) => void
  /** Beside the number of the page. */
  children?: ReactNode
}

/** The foot of a list that is read page by page, the newest first. */
export function Paging({ cursors, next, onTurn, children }: PagingProps) {
  return (
    <div className="panel-foot row">
      <span>
        <Trans>
          Page <span className="mono">{cursors.length + 1}</span>
        </Trans>
        {children}
      </span>
      <nav className="end row" aria-label={t`Pages`}>
        <Button size="small" isDisabled={cursors.length === 0} onClick={() => onTurn(cursors.slice(0, -1))}>
          {t`Newer`}
        </Button>
        <Button
          size="small"
          isDisabled={next === null}
          onClick={() => {
            if (next !== null) onTurn([...cursors, next])
          }}
        >
          {t`Older`}
        </Button>
      </nav>
    </div>
  )
}

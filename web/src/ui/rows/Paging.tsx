import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../Button.tsx'

type PagingProps = {
  /** Cursors of the visited pages; the current page is the last one. */
  cursors: readonly string[]
  /** Cursor of the next page; null on the last one. */
  next: string | null
  /** The shown page is the previous one, until the current one is loaded: its cursor would repeat a page. */
  isBusy: boolean
  onTurn: (cursors: readonly string[]) => void
  /** Shown next to the page number. */
  children?: ReactNode
}

/** Page controls below a list. */
export function Paging({ cursors, next, isBusy, onTurn, children }: PagingProps) {
  return (
    <div className="panel-foot row">
      <span>
        <Trans>
          Page <span className="mono">{cursors.length + 1}</span>
        </Trans>
        {children}
      </span>
      <nav className="end row" aria-label={t`Pages`}>
        <Button size="small" isDisabled={isBusy || cursors.length === 0} onClick={() => onTurn(cursors.slice(0, -1))}>
          {t`Newer`}
        </Button>
        <Button
          size="small"
          isDisabled={isBusy || next === null}
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

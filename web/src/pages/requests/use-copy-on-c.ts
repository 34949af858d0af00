import { t } from '@lingui/core/macro'
import type { LoggedRequest } from '@tapeline/contracts/audit/requests'
import { type RefObject, useEffect } from 'react'
import { keyOf } from '../../commands/commands.ts'
import { areSingleKeysOn } from '../../commands/single-keys.ts'
import { publicApiUrl } from '../../platform.ts'
import { copyText } from '../../ui/copy-text.ts'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { curlOf } from './curl-of.ts'

const COPY_KEY = keyOf('copy-as-curl')

/** "c" copies the chosen request while the focus is in the log: a key alone must do nothing elsewhere on the page. */
export function useCopyOnC(log: RefObject<HTMLElement | null>, row: LoggedRequest | undefined): void {
  useEffect(() => {
    const element = log.current
    if (element === null || row === undefined) return
    const copy = (event: KeyboardEvent): void => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
      if (event.key === COPY_KEY && isPlain && areSingleKeysOn()) void copyAndAnnounce(row)
    }
    element.addEventListener('keydown', copy)
    return () => element.removeEventListener('keydown', copy)
  }, [log, row])
}

async function copyAndAnnounce(row: LoggedRequest): Promise<void> {
  const isCopied = await copyText(curlOf(row, publicApiUrl))
  showToast(isCopied ? { type: 'success', title: t`Copied as curl` } : { type: 'error', title: t`Copying failed` })
}

import { t } from '@lingui/core/macro'
import { focusMain } from '../ui/focus-main.ts'

/** Moves the focus itself, because the router would treat "#main" as a page. */
export function SkipLink() {
  return (
    <a
      className="skip"
      href="#main"
      onClick={(event) => {
        event.preventDefault()
        focusMain()
      }}
    >
      {t`Skip to content`}
    </a>
  )
}

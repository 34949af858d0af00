import { t } from '@lingui/core/macro'

/** Moves the focus itself, because the router would treat "#main" as a page. */
export function SkipLink() {
  return (
    <a
      className="skip"
      href="#main"
      onClick={(event) => {
        event.preventDefault()
        const main = document.getElementById('main')
        main?.setAttribute('tabindex', '-1')
        main?.focus()
      }}
    >
      {t`Skip to content`}
    </a>
  )
}

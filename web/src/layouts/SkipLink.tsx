import { t } from '@lingui/core/macro'

/** By hand: the router would take "#main" for a page. */
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

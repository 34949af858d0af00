import { i18n } from '@lingui/core'

// English needs no catalog, because the messages contain it.
i18n.load('en', {})
i18n.activate('en')

/** Language used by every `t`; always set, also in tests and on the server. */
export { i18n }

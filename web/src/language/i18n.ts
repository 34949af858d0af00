import { i18n } from '@lingui/core'

// English needs no catalog: the messages carry it.
i18n.load('en', {})
i18n.activate('en')

/** What every `t` asks: never without a language, in a test and on the server too. */
export { i18n }

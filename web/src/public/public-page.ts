import type { MessageDescriptor } from '@lingui/core'
import type { ComponentType } from 'react'

/** A message, or a text that a page brings in every language itself. */
export type Words = MessageDescriptor | (() => string)

/** A page that is rendered when the site is built: no state, no effects, no router, links are plain. */
export type PublicPage = {
  path: string
  title: Words
  /** Description for search results and previews of links. */
  description: Words
  Page: ComponentType
  /** The whole title of the document, where it is not "title · Tapeline". */
  documentTitle?: MessageDescriptor
  /** Page-specific style sheets, relative to web: src/public/…css. */
  styles?: readonly string[]
  /** Signed-in users are redirected to the dashboard. */
  isForVisitors?: true
}

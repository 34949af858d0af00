import { useLingui } from '@lingui/react'
import type { ComponentType } from 'react'
import { language } from '../platform.ts'
import type { Area } from './catalogs.ts'

/** A page with its messages, rendered again when the language changes. */
export function inLanguage(area: Area, load: () => Promise<ComponentType>) {
  return async (): Promise<{ Component: ComponentType }> => {
    const [Page] = await Promise.all([load(), language.need(area)])
    return { Component: () => <InLanguage Page={Page} /> }
  }
}

function InLanguage({ Page }: { Page: ComponentType }) {
  useLingui()
  return <Page />
}

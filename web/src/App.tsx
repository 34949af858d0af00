import { I18nProvider } from '@lingui/react'
import { type ComponentProps, StrictMode, useEffect } from 'react'
import { i18n } from './language/i18n.ts'
import { RouterProvider } from './router.ts'

/** The same tree in the browser and in prerendered sign-in pages (public/prerender-app-page.tsx). */
export function App({ router }: Pick<ComponentProps<typeof RouterProvider>, 'router'>) {
  useEffect(() => document.querySelector('[data-prerendered]')?.removeAttribute('data-prerendered'), [])
  return (
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <RouterProvider router={router} />
      </I18nProvider>
    </StrictMode>
  )
}

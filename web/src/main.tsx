import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/ui.css'
import './styles/layouts.css'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { i18n } from './language/i18n.ts'
import { watchChunks } from './layouts/chunk-failures.ts'
import { language, providerSignIn, queryClient, session } from './platform.ts'
import { createBrowserRouter, RouterProvider } from './router.ts'
import { routes } from './routes.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root.')

watchChunks()
// One after the other: what was restored must not come after who has just signed in.
void session.restore().then(providerSignIn.finish)
await language.start()
createRoot(root).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={createBrowserRouter(routes)} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
)

import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/ui.css'
import './styles/layouts.css'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { watchChunks } from './layouts/chunk-failures.ts'
import { language, providerSignIn, session, targetPage } from './platform.ts'
import { createBrowserRouter, whenReady } from './router.ts'
import { routes } from './routes.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root.')

watchChunks()
// In this order: restoring the stored session must not overwrite a new sign-in.
void session.restore().then(providerSignIn.finish)
// The server rendered from the same client hints; if the browser sends fewer hints than it exposes to scripts, the results differ.
const prerenderedIn = document.documentElement.lang
await language.start()
const router = createBrowserRouter(routes)
openTarget()
targetPage.subscribe(openTarget)
const app = <App router={router} />
if (root.dataset['prerendered'] === undefined || prerenderedIn !== language.get()) {
  createRoot(root).render(app)
} else {
  // Hydration keeps the existing elements and their input.
  await whenReady(router)
  hydrateRoot(root, app)
}

function openTarget(): void {
  const path = targetPage.get()
  if (path !== undefined) void router.navigate(path, { replace: true })
}

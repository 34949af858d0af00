import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/ui.css'
import './styles/layouts.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient, session } from './platform.ts'
import { createBrowserRouter, RouterProvider } from './router.ts'
import { routes } from './routes.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root.')

void session.restore()
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createBrowserRouter(routes)} />
    </QueryClientProvider>
  </StrictMode>,
)

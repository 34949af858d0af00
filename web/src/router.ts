import type { createBrowserRouter } from 'react-router-dom'

/** The only file that imports the router's package, so that it can be replaced. */
export {
  createBrowserRouter,
  createMemoryRouter,
  Link,
  matchRoutes,
  Navigate,
  Outlet,
  RouterProvider,
  ScrollRestoration,
  useBlocker,
  useLocation,
  useMatches,
  useNavigate,
  useRouteError,
  useSearchParams,
} from 'react-router-dom'
export type { Location, RouteObject } from 'react-router-dom'

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'state' | 'subscribe'>

/** Resolves once the page of the first URL has been fetched. */
export function whenReady({ state, subscribe }: Router): Promise<void> {
  if (state.initialized) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = subscribe(({ initialized }) => {
      if (!initialized) return
      stop()
      resolve()
    })
  })
}

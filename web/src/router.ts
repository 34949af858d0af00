/** The only file that names the router's package: its successor has another one. */
export {
  createBrowserRouter,
  Link,
  Navigate,
  NavLink,
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

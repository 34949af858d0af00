/** The only file that names the router's package: its successor has another one. */
export {
  createBrowserRouter,
  isRouteErrorResponse,
  Link,
  Navigate,
  NavLink,
  Outlet,
  redirect,
  RouterProvider,
  ScrollRestoration,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
  useRouteError,
  useSearchParams,
} from 'react-router-dom'
export type { RouteObject } from 'react-router-dom'

import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from '../../router.ts'

/** The token of the opened link; it is removed from the address bar at once and kept only in this page. */
export function useLinkToken(): string {
  const { search, pathname } = useLocation()
  const navigate = useNavigate()
  const [token] = useState(() => new URLSearchParams(search).get('token') ?? '')
  useEffect(() => {
    if (search !== '') void navigate(pathname, { replace: true })
  }, [search, pathname, navigate])
  return token
}

// Runs before the first paint: signed-in users see the link to the dashboard, and are redirected there from pages that are
// for visitors. Only a whole session counts (src/session/stored-session.ts); the dashboard looks closer.
try {
  const root = document.documentElement
  const mark = location.port === '' ? 'tapeline-session' : `tapeline-session-${location.port}`
  const isWhole =
    document.cookie.split('; ').some((cookie) => cookie.startsWith(`${mark}=`)) &&
    localStorage.getItem('isAuthenticated') === 'true' &&
    localStorage.getItem('jwtToken') !== null &&
    localStorage.getItem('user') !== null
  if (isWhole) {
    root.dataset.signedIn = ''
    if (root.dataset.signedInTo !== undefined) location.replace(root.dataset.signedInTo)
  }
} catch {
  // Storage is blocked: no user is signed in.
}

/** Browser globals that the dashboard's modules access on load, for environments without them. */
export function stubBrowserGlobals(): void {
  Object.assign(globalThis, {
    document: { cookie: '', documentElement: { dataset: {} }, querySelector: () => null },
    window: { addEventListener: () => undefined },
    location: { protocol: 'https:', pathname: '/', search: '', port: '' },
    history: {},
  })
  // Node's own storage prints a warning when it is accessed; without one, nothing is stored.
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(globalThis, name, { value: undefined })
}

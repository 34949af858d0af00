type Closing = { server: { closeAllConnections: () => void }; close: () => PromiseLike<unknown> }

/**
 * Closes a server: new connections are rejected and open requests may end; those still open after the timeout, in ms,
 * are cut.
 */
export async function closeWithin(app: Closing, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), timeoutMs)
  await app.close()
  clearTimeout(timer)
}

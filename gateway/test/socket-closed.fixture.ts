import type { Socket } from 'node:net'

/**
 * Resolves when the socket is closed, also by an error: a gateway that closes while the client is still writing resets
 * the connection, and `once` of node:events would reject.
 */
export function socketClosed(socket: Socket): Promise<void> {
  socket.on('error', () => {})
  return new Promise((resolve) => {
    if (socket.closed) resolve()
    else socket.once('close', () => resolve())
  })
}

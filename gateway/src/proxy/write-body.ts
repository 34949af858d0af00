import type { Socket } from 'node:net'

export type Pieces = {
  body: AsyncIterable<Buffer>
  /** Undefined: sent in chunks. */
  contentLength: number | undefined
  /** The request has ended: the rest is not sent. */
  isObsolete: () => boolean
}

/** Streams a body, no faster than the service reads it; throws when it does not have `contentLength` bytes. */
export async function writeBody(socket: Socket, { body, contentLength, isObsolete }: Pieces): Promise<void> {
  let sent = 0
  for await (const piece of body) {
    if (isObsolete()) return
    sent += piece.length
    if (contentLength === undefined) sendChunk(socket, piece)
    else if (sent <= contentLength) socket.write(piece)
    if (socket.writableNeedDrain) await untilDrained(socket)
  }
  if (isObsolete()) return
  if (contentLength === undefined) socket.write('0\r\n\r\n', 'latin1')
  else if (sent !== contentLength) throw new Error('the request body does not have the announced length')
}

/** An empty chunk would be the last one. */
function sendChunk(socket: Socket, piece: Buffer): void {
  if (piece.length === 0) return
  socket.cork()
  socket.write(`${piece.length.toString(16)}\r\n`, 'latin1')
  socket.write(piece)
  socket.write('\r\n', 'latin1')
  socket.uncork()
}

/** Also resolves when the socket closes: the caller checks whether the request has ended. */
async function untilDrained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done)
      socket.off('close', done)
      resolve()
    }
    socket.on('drain', done)
    socket.on('close', done)
  })
}

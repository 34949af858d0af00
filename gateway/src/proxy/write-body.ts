import type { Socket } from 'node:net'

export type Pieces = {
  body: AsyncIterable<Buffer>
  /** undefined: in chunks. */
  contentLength: number | undefined
  /** The request is over, however it ended: nobody wants the rest. */
  isOver: () => boolean
}

/** Sends a body as it comes, no faster than the service takes it; throws when it is not as long as it was contentLength. */
export async function writeBody(socket: Socket, { body, contentLength, isOver }: Pieces): Promise<void> {
  let sent = 0
  for await (const piece of body) {
    if (isOver()) return
    sent += piece.length
    if (contentLength === undefined) sendChunk(socket, piece)
    else if (sent <= contentLength) socket.write(piece)
    if (socket.writableNeedDrain) await untilDrained(socket)
  }
  if (isOver()) return
  if (contentLength === undefined) socket.write('0\r\n\r\n', 'latin1')
  else if (sent !== contentLength) throw new Error('the request body is not as long as was contentLength')
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

/** Or closed: whoever waits looks whether it is over. */
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

import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'

/** A mail, once per acceptance. */
export type ReceivedMail = { messageId: string; to: string; raw: string }

/** A real SMTP server on this machine that records mails. */
export async function startSmtpServer() {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(stream, { envelope }, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        const [, messageId = ''] = /^Message-ID: <([^>]+)>/im.exec(raw) ?? []
        received.push({ messageId, to: envelope.rcptTo.map(({ address }) => address).join(), raw })
        callback(null)
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  if (typeof address !== 'object' || address === null) throw new Error('the mail server does not listen')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    receivedFor: (recipient: string) => received.filter(({ to }) => to === recipient),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

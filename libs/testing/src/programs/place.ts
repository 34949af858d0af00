/** Where a server runs: the IP address on which it listens, and the command line that starts a program there. */
export type Place = {
  address: string
  wrap: (command: string, args: string[]) => { command: string; args: string[] }
}

/** The loopback interface of this machine. */
export const LOOPBACK: Place = { address: '127.0.0.1', wrap: (command, args) => ({ command, args }) }

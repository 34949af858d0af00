import { runWithAddresses } from './run-with-addresses.ts'

// npm run connect -- ccxt:<venue>:<SYMBOL,…>: trades of a venue without a connector of its own, into the platform that runs.
await runWithAddresses('connect-ccxt.ts')

import { runWithAddresses } from './run-with-addresses.ts'

// npm run connect -- ccxt:<venue>:<SYMBOL,…>: records trades of a venue without a connector into the running platform.
await runWithAddresses('connect-ccxt.ts')

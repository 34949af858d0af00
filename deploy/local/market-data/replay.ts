import { runWithAddresses } from './run-with-addresses.ts'

// npm run replay -- <venue:SYMBOL,…> <files…> [--speed 1|<n>|max]: raw frames into the platform that runs.
await runWithAddresses('replay.ts')

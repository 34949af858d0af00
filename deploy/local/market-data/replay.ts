import { runWithAddresses } from './run-with-addresses.ts'

// npm run replay -- <venue:SYMBOL,…> <files…> [--speed 1|<n>|max]: replays raw frames into the running platform.
await runWithAddresses('replay.ts')

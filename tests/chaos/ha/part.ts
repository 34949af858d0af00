export const PART_KINDS = [
  'broker',
  'PostgreSQL primary',
  'PostgreSQL standby',
  'etcd',
  'Redis master',
  'Redis replica',
  'Sentinel',
  'gateway',
  'service',
] as const
/** What a row of the result is about; parts of one kind recover in the same way. */
export type PartKind = (typeof PART_KINDS)[number]

/** Something that is killed with SIGKILL and started again on its ports and data. */
export type Part = { name: string; kind: PartKind; kill: () => Promise<void>; restart: () => Promise<void> }
/** Servers whose kind depends on the moment: which one is the primary is asked when it is to be killed. */
export type PartFinder = () => Promise<Part>

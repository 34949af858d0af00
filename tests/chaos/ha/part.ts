export const PART_KINDS = [
  'broker',
  'PostgreSQL primary',
  'PostgreSQL standby',
  'etcd',
  'Redis master',
  'Redis replica',
  'Sentinel',
  'Cluster master',
  'Cluster replica',
  'gateway',
  'service',
] as const
/** The subject of a row of the result; parts of one kind recover in the same way. */
export type PartKind = (typeof PART_KINDS)[number]

/** A part to kill with SIGKILL and to start again with the same ports and data. */
export type Part = { name: string; kind: PartKind; kill: () => Promise<void>; restart: () => Promise<void> }
/** Servers whose kind is determined at the time of the kill, such as the current primary. */
export type PartFinder = () => Promise<Part>

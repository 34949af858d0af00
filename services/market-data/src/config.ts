import { readConfig, secret, serviceFields } from '@tapeline/service/read-config'
import { type Static, Type } from 'typebox'

export const Config = Type.Object({
  ...serviceFields,
  CONFIG_URL: Type.String({ default: 'http://127.0.0.1:3014', pattern: '^https?://' }),
  PORT: Type.Integer({ default: 3015, minimum: 0, maximum: 65_535 }),
  /** Signs cursors; the same in every process of the service. */
  CURSOR_SECRET: secret(Type.String({ minLength: 32 })),
  /**
   * Store of sealed days; empty: they stay in PostgreSQL. `file:<folder>` or
   * `s3://<bucket>[/<prefix>][?endpoint=<url>&region=<name>]`.
   */
  LAKE_URL: Type.String({ default: '', pattern: '^(file:.+|s3://.+)?$' }),
  LAKE_ACCESS_KEY_ID: secret(Type.String({ default: '' })),
  LAKE_SECRET_ACCESS_KEY: secret(Type.String({ default: '' })),
  /** Memory for the cache of sealed files. */
  LAKE_MEMORY_MB: Type.Integer({ default: 96, minimum: 8, maximum: 16_384 }),
  /**
   * The days of a finished month share one file if their files are smaller than this in total; 0: each day keeps its
   * own.
   */
  LAKE_MONTH_MB: Type.Integer({ default: 16, minimum: 0, maximum: 1_024 }),
  /** Superseded files stay this long; longer than the oldest database backup that may be restored. */
  LAKE_KEEP_DAYS: Type.Integer({ default: 30, minimum: 1, maximum: 3_650 }),
  /** Venues to connect to, `binance:BTC-USDT,ETH-USDT kraken:BTC-USD`; empty: none. */
  CONNECT: Type.String({ default: '', maxLength: 10_000 }),
  /** Other addresses of feeds, `binance-spot=wss://host|https://host …`. */
  CONNECT_ADDRESSES: Type.String({ default: '', maxLength: 10_000 }),
  /** Folder of the raw frames that venues sent, a subfolder per feed. */
  RAW_DIR: Type.String({ default: '.tapeline/raw', minLength: 1 }),
  /** Raw frames kept per feed; 0: none. */
  RAW_MAX_MB: Type.Integer({ default: 2_048, minimum: 0, maximum: 1_048_576 }),
  SIMULATOR_SEED: Type.String({ default: 'tapeline', minLength: 1, maxLength: 100 }),
  SIMULATOR_HISTORY_HOURS: Type.Integer({ default: 48, minimum: 0, maximum: 720 }),
  /** Simulated records older than this are dropped by day; imported ones stay. */
  SIMULATOR_RETENTION_DAYS: Type.Integer({ default: 7, minimum: 1, maximum: 3_650 }),
})
export type Config = Readonly<Static<typeof Config>>

export function loadConfig(env: NodeJS.ProcessEnv): Config {
  return readConfig(Config, env)
}

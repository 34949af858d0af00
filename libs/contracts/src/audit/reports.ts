import { type Static, Type } from 'typebox'
import { Tier } from '../actor.ts'

/** Maximum number of reports of an account. */
export const REPORTS_MAX = 20
/** A row per hour or day of the last seven days, or one per endpoint, key, status, outcome or network. */
export const REPORT_BREAKDOWNS = ['hour', 'day', 'endpoint', 'key', 'status', 'outcome', 'network'] as const
export type ReportBreakdown = (typeof REPORT_BREAKDOWNS)[number]
export const REPORT_FORMATS = ['csv', 'parquet', 'pdf'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]
export const REPORT_FORMAT_DEFAULT: ReportFormat = 'csv'
export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const

const Moment = Type.Union([Type.String(), Type.Null()])

const Fields = {
  name: Type.String({ minLength: 1, maxLength: 80, pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]*$' }),
  /** Null: all keys and the dashboard's own requests. */
  api_key_id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
  /** Null: every status. */
  status: Type.Union([Type.Enum(STATUS_CLASSES), Type.Null()]),
  breakdown: Type.Enum(REPORT_BREAKDOWNS),
  /** ISO 8601: 1 is Monday, 7 is Sunday. */
  weekday: Type.Integer({ minimum: 1, maximum: 7 }),
  /** Hour of the day in the account's time zone. */
  hour: Type.Integer({ minimum: 0, maximum: 23 }),
  active: Type.Boolean(),
}

const Route = Type.Union([Type.String({ minLength: 1, maxLength: 200, pattern: '^/[\\x21-\\x7e]*$' }), Type.Null()])
const Format = Type.Enum(REPORT_FORMATS)

/** A saved view of the metrics, mailed weekly as a file: the body of a new report, and of a changed one. */
export const SaveReport = Type.Object(
  {
    ...Fields,
    /** Route pattern, such as `/api/v1/trades/list`. Null or absent: every route. */
    route: Type.Optional(Route),
    /** Absent: `csv`. */
    format: Type.Optional(Format),
  },
  { additionalProperties: false },
)
export type SaveReport = Static<typeof SaveReport>

export const CustomReport = Type.Object({
  id: Type.String(),
  ...Fields,
  route: Route,
  format: Format,
  /** When it is made next; null while it is not active. */
  next_at: Moment,
  last_made_at: Moment,
  created_at: Type.String(),
})
export type CustomReport = Static<typeof CustomReport>

/** `locked` names the first tier with custom reports when the caller's tier does not include them. */
export const ReportList = Type.Object({
  reports: Type.Array(CustomReport),
  max: Type.Integer(),
  locked: Type.Union([Type.Object({ feature: Type.String(), tier: Tier }), Type.Null()]),
})
export type ReportList = Static<typeof ReportList>

export const DeletedReport = Type.Object({ id: Type.String() })
export type DeletedReport = Static<typeof DeletedReport>

import type { ReactNode } from 'react'

export type Column<Row> = {
  key: string
  head: ReactNode
  cell: (row: Row) => ReactNode
  isNumber?: boolean
  className?: string
}

type TableProps<Row> = {
  /** Says what the table holds; not shown. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  isHere?: (row: Row) => boolean
  className?: string
}

export function Table<Row>({ caption, columns, rows, rowKey, isHere, className = '' }: TableProps<Row>) {
  return (
    <table className={`table ${className}`}>
      <caption className="sr">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.key} scope="col" className={classOf(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} className={isHere?.(row) === true ? 'is-here' : undefined}>
            {columns.map((column) => (
              <td key={column.key} className={classOf(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function classOf<Row>(column: Column<Row>): string | undefined {
  return [column.isNumber === true ? 'num' : '', column.className ?? ''].filter(Boolean).join(' ') || undefined
}

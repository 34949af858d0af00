import type { ReactNode } from 'react'
import { LongRows } from './LongRows.tsx'

export type Column<Row> = {
  key: string
  head: ReactNode
  cell: (row: Row) => ReactNode
  isNumber?: boolean
  className?: string
}

type TableProps<Row> = {
  /** Describes the table for screen readers; not visible. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  isSelected?: (row: Row) => boolean
  /** A click anywhere on the row outside its controls; the keyboard has the control inside it. */
  onOpen?: (row: Row) => void
  className?: string
}

/** Larger than any page size. */
const WHOLE_ROWS_MAX = 100

/** A long table renders only the rows near the viewport. */
export function Table<Row>({ caption, columns, rows, rowKey, isSelected, onOpen, className = '' }: TableProps<Row>) {
  const isLong = rows.length > WHOLE_ROWS_MAX
  const drawn = { columns, rowKey, isSelected, onOpen }
  return (
    <table className={`table ${className}`} aria-rowcount={isLong ? rows.length + 1 : undefined}>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.key} scope="col" className={classOf(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      {isLong ? (
        <LongRows count={rows.length} columns={columns.length}>
          {(first, end) => <Rows {...drawn} rows={rows.slice(first, end)} first={first} />}
        </LongRows>
      ) : (
        <tbody>
          <Rows {...drawn} rows={rows} />
        </tbody>
      )}
    </table>
  )
}

type RowsProps<Row> = Pick<TableProps<Row>, 'columns' | 'rows' | 'rowKey'> & {
  isSelected: TableProps<Row>['isSelected'] | undefined
  onOpen: TableProps<Row>['onOpen'] | undefined
  /** In a long table, the number of rows before these. */
  first?: number
}

function Rows<Row>({ columns, rows, rowKey, isSelected, onOpen, first }: RowsProps<Row>) {
  return rows.map((row, n) => (
    <tr
      key={rowKey(row)}
      className={
        [isSelected?.(row) === true ? 'is-selected' : '', onOpen ? 'opens' : ''].filter(Boolean).join(' ') || undefined
      }
      onClick={onOpen === undefined ? undefined : (event) => !isOnControl(event.target) && onOpen(row)}
      aria-rowindex={first === undefined ? undefined : first + n + HEAD_AND_ONE}
    >
      {columns.map((column) => (
        <td key={column.key} className={classOf(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  ))
}

/** Clicks on buttons, switches and links in a row are not clicks on the row, and text can be selected. */
function isOnControl(target: EventTarget): boolean {
  const isControl = target instanceof Element && target.closest('button, a, input, label, [role="menu"]') !== null
  return isControl || getSelection()?.isCollapsed === false
}

/** Rows are counted from 1; the first is the header. */
const HEAD_AND_ONE = 2

function classOf<Row>(column: Column<Row>): string | undefined {
  return [column.isNumber === true ? 'numeric' : '', column.className ?? ''].filter(Boolean).join(' ') || undefined
}

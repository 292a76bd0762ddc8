/** Formats an import as lines for a person. */
import { printable } from './printable.ts'

/** REST answers null where there is nothing. */
export interface ImportSeen {
  import_id: string
  state: string
  kind?: 'contacts' | 'suppressions' | null
  upload_url?: string | null
  errors_url?: string | null
  undo_until?: string | null
  same_file?: { import_id: string } | null
  fault?: { code: string; field: string; message: string } | null
  progress?: {
    percent: number
    rows: number
    rows_per_second?: number | null
    seconds_left?: number | null
  } | null
  text?: { encoding: string; is_guess: boolean; exported_by?: string | null } | null
  choices?: { reason?: string | null } | null
  found?: {
    rows: number
    valid: number
    doubled: number
    known: number
    unsubscribed: number
    suppressed: number
    erased: number
    without_evidence: number
    refusals: { field: string; message: string; count: number }[]
    left_out: { field: string; message: string; count: number }[]
  } | null
  result?: Partial<Record<'created' | 'updated' | 'unchanged' | 'refused', number | null>> | null
  columns?: { column: string; becomes: string | null; examples: string[] }[] | null
  doubtful?: string[] | null
}

const barWidth = 24

export function progressLine(doing: string, { progress }: ImportSeen): string {
  const { percent = 0, rows = 0, rows_per_second: rate, seconds_left: left } = progress ?? {}
  const full = Math.round((barWidth * percent) / 100)
  const bar = '█'.repeat(full).padEnd(barWidth, '░')
  const speed = rate ? ` · ${rate.toLocaleString('en')} rows/s` : ''
  const time = typeof left === 'number' ? ` · about ${left} s left` : ''
  return `${doing} ${bar} ${percent}% · ${rows.toLocaleString('en')} rows${speed}${time}`
}

export function mappingLines({ text, ...seen }: ImportSeen): string[] {
  const columns = seen.columns ?? []
  const doubtful = seen.doubtful ?? []
  const width = Math.min(30, Math.max(0, ...columns.map(({ column }) => column.length)))
  const lines = columns.map(({ column, becomes, examples }) => {
    const name = printable(column).slice(0, width).padEnd(width)
    const target = (becomes ?? '(left out)').padEnd(24)
    return `  ${name}  ${target}  ${printable(examples[0] ?? '')}`
  })
  const letters = text?.is_guess
    ? [
        `Read as ${text.encoding}, which is a guess. Do these look right? ${doubtful.map(printable).join(' | ')}`,
        `If so, add --encoding ${text.encoding}; else name another, such as windows-1250, or export the file as UTF-8.`,
      ]
    : []
  return ['Columns:', ...lines, ...letters]
}

export function summaryLines({ found, kind, choices }: ImportSeen): string[] {
  if (!found) return []
  const n = (count: number) => count.toLocaleString('en')
  const ofSuppressions: [number, string][] = [
    [found.doubled, 'rows repeat an address of a row before'],
    [found.known, 'rows are of people who are contacts'],
    [found.suppressed, 'addresses are suppressed already'],
  ]
  const ofContacts: [number, string][] = [
    [found.doubled, 'rows repeat an address of a row before'],
    [found.known, 'rows are of people who are contacts already'],
    [found.unsubscribed, 'people have unsubscribed and stay so'],
    [found.suppressed, 'addresses are suppressed and stay so'],
    [found.erased, 'people were erased and are refused'],
    [found.without_evidence, 'rows say subscribed and not where: add --agreed and --words'],
  ]
  const more = kind === 'suppressions' ? ofSuppressions : ofContacts
  const { reason } = choices ?? {}
  return [
    `${n(found.rows)} rows, of which ${n(found.valid)} would be taken.`,
    ...(reason ? [`Reason, where a row says none: ${reason}. --reason sets another.`] : []),
    ...more.filter(([count]) => count > 0).map(([count, words]) => `${n(count)} ${words}.`),
    ...found.refusals.map(
      ({ count, field, message }) => `${n(count)} refused (${field}): ${message}`,
    ),
    ...found.left_out.map(
      ({ count, field, message }) => `${n(count)} cells left out (${field}): ${message}`,
    ),
  ]
}

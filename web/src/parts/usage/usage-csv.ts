/** The use of several businesses as a file for a spreadsheet. */
import type { api } from '../../api/client.ts'

type Report = Awaited<ReturnType<typeof api.meta.usage>>

export interface UsageRow {
  name: string
  report: Report
}

export function usageCsv(rows: readonly UsageRow[]): string {
  const lines = rows.flatMap(({ name, report }) =>
    report.counters.map(({ metric, used, limit, per }) => [
      report.month.slice(0, 7),
      report.business_id,
      name,
      report.tier,
      metric,
      per,
      String(used),
      limit === null ? '' : String(limit),
    ]),
  )
  const head = ['month', 'business_id', 'business', 'tier', 'metric', 'per', 'used', 'limit']
  return [head, ...lines].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

/** A spreadsheet would calculate what begins like a formula, and names are typed by people. */
function cellOf(text: string): string {
  const isFormula = ['=', '+', '-', '@', '\t', '\r'].includes(text.charAt(0))
  return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`
}

/** Has the browser save the text as a file. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

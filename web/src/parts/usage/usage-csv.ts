/** The use of several businesses as a file for a spreadsheet. */

export interface UsageRow {
  /** The name of the business. */
  name: string
  report: {
    month: string
    business_id: string
    tier: string
    counters: { metric: string; per: string; used: number; limit: number | null }[]
  }
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

/**
 * A spreadsheet would calculate what begins like a formula, and names are typed by people. The rule
 * is that of the server's exports (`server/src/imports/cells.ts`), and a test compares the two.
 */
function cellOf(text: string): string {
  const cell = text
    .split(/([;\t\n\v\f\r\u0085\u2028\u2029])/)
    .map((part, i) => (i % 2 === 0 && isFormula(part) ? `'${part}` : part))
    .join('')
  return `"${(/^[\t\r\n]/.test(text) ? `'${cell}` : cell).replaceAll('"', '""')}"`
}

function isFormula(part: string): boolean {
  if (part.startsWith("'")) return true
  if (/^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(part)) return false
  const first = part.search(/[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800"]/u)
  return first >= 0 && '=+-@＝＋－＠﹦﹢﹣﹫'.includes(part.charAt(first))
}

/** Has the browser save the text as a file, with the mark by which Excel knows UTF-8. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([`\ufeff${text}`], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

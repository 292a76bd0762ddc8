/** The usage of all businesses in a month, as a file for a spreadsheet. */
import { useMutation, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Business } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { MonthSelect, monthNow } from '../../parts/usage/month-select.tsx'
import { saveFile, type UsageRow, usageCsv } from '../../parts/usage/usage-csv.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { problemOf } from '../../ui/states.tsx'
import { tellFailure } from '../../ui/tell.ts'
import { businessesWords as texts } from '../../words/businesses.ts'
import { usageNow } from './usage-now.ts'

interface UsageFileProps {
  businesses: readonly Business[]
  /** Those whose usage the page shows, and so has asked for. */
  shown: number
}

export function UsageFile({ businesses, shown }: UsageFileProps) {
  const [month, setMonth] = useState(monthNow)
  const oldest = useOldestMonth(businesses, shown)
  const make = useMutation({
    mutationFn: async () => {
      const rows: UsageRow[] = []
      // One after the other, because a person may have hundreds.
      for (const { business_id, name } of businesses) {
        rows.push({ name, report: await api.meta.usage({ business_id, month }) })
      }
      return rows
    },
    onSuccess: (rows) => saveFile(`usage-${month}.csv`, usageCsv(rows)),
    onError: (error) => tellFailure(texts.failed, problemOf(error).message),
  })
  return (
    <Card title={texts.file}>
      <p className="pb-3 text-muted">{texts.csvText}</p>
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-52">
          <MonthSelect label={texts.month} month={month} oldest={oldest} onChange={setMonth} />
        </div>
        <Button
          className="max-sm:h-10"
          icon="download"
          busy={make.isPending}
          onClick={() => make.mutate()}
        >
          {texts.csv}
        </Button>
      </div>
    </Card>
  )
}

/** The first month of any of them; every month that can be chosen, where not all are known. */
function useOldestMonth(businesses: readonly Business[], shown: number): string {
  const reports = useQueries({
    queries: businesses.slice(0, shown).map(({ business_id }) => usageNow(business_id)),
  })
  if (businesses.length > shown) return ''
  return reports.map(({ data }) => data?.first_month ?? monthNow()).sort()[0] ?? monthNow()
}

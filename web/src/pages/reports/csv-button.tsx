/** Saves what the page shows as a file: the text comes with the figures, so they agree to the digit. */
import { saveFile } from '../../parts/usage/usage-csv.ts'
import { Button } from '../../ui/button.tsx'
import { reportWords } from '../../words/reports.ts'

export function CsvButton({ name, text }: { name: string; text: string | null | undefined }) {
  return (
    <Button icon="download" disabled={!text} onClick={() => text && saveFile(name, text)}>
      <span className="max-sm:sr-only">{reportWords.csv}</span>
    </Button>
  )
}

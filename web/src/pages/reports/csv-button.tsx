/** Saves what the page shows as a file: the text comes with the figures, so they agree to the digit. */
import { saveFile } from '../../parts/usage/usage-csv.ts'
import { Button } from '../../ui/button.tsx'
import { reportWords } from '../../words/reports.ts'
import { colon } from '../../words/words.ts'

interface CsvButtonProps {
  name: string
  text: string | null | undefined
  /** The report, in the button's name: a page has several. */
  report: string
}

export function CsvButton({ name, text, report }: CsvButtonProps) {
  return (
    <Button
      icon="download"
      disabled={!text}
      aria-label={`${reportWords.csv}${colon}${report}`}
      onClick={() => text && saveFile(name, text)}
    >
      <span className="max-sm:sr-only">{reportWords.csv}</span>
    </Button>
  )
}

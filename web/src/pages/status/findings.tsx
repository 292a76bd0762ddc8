/** What is wrong, and how to mend it; what was checked and is fine stands below. */
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/page.tsx'
import { statusWords } from '../../words/status.ts'
import { language } from '../../words/texts.ts'
import type { Report } from './status.tsx'

type Finding = Report['findings'][number]

export function Findings({ findings }: { findings: Report['findings'] }) {
  const status = statusWords
  const wrong = findings.filter(({ outcome }) => outcome !== 'ok')
  const fine = findings.filter(({ outcome }) => outcome === 'ok')
  return (
    <Card title={wrong.length > 0 ? status.wrong(wrong.length) : status.nothingWrong} flush>
      {wrong.length > 0 && (
        <ul className="divide-y divide-line border-b border-line">
          {wrong.map((entry) => (
            <Wrong key={`${entry.check} ${entry.text}`} finding={entry} />
          ))}
        </ul>
      )}
      <details className="px-4 py-2.5">
        <summary className="cursor-pointer max-sm:min-h-6 text-muted">
          {status.checked(fine.length)}
        </summary>
        <ul className="grid gap-1 pt-2 text-sm">
          {fine.map(({ check, text }) => (
            <li key={check} className="grid gap-x-3 sm:grid-cols-[10rem_1fr]">
              <span className="text-muted">{status.checks[check]?.name ?? check}</span>
              <span lang="en" className="min-w-0 break-words">
                {text}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </Card>
  )
}

/** In another language than English our own words come first, and the service's are the detail. */
function Wrong({ finding: { check, outcome, text, mend } }: { finding: Finding }) {
  const own = statusWords.checks[check]
  const isEnglish = language === 'en' || own === undefined
  return (
    <li className="grid gap-1 px-4 py-3">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        <Badge tone={outcome === 'fail' ? 'bad' : 'warn'}>{own?.name ?? check}</Badge>
        <span lang="en" className="min-w-0 break-words">
          {text}
        </span>
      </h3>
      <p className="text-muted" {...(isEnglish && { lang: 'en' })}>
        {own?.mend ?? mend}
      </p>
    </li>
  )
}

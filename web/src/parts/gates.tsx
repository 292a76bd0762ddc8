/** What was checked before a start, and how to mend what was found. */
import { Link, useParams } from '@tanstack/react-router'
import { sentencesOf } from 'crier-server/campaigns/preflight/words/sentences.ts'
import { useBusinessId } from '../api/businesses.ts'
import type { api } from '../api/client.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { campaignWords } from '../words/campaigns.ts'
import { gateWords } from '../words/gates.ts'
import { refusalWords } from '../words/refusals.ts'

type Gate = Awaited<ReturnType<typeof api.campaign.preview>>['gates'][number]
type Finding = NonNullable<Gate['findings']>[number] & Record<string, unknown>

const tones: Record<Gate['result'], Tone> = {
  pass: 'good',
  warn: 'warn',
  block: 'bad',
}
const order = ['block', 'warn']

/** What needs attention comes first; what passed is one line that opens. */
export function Gates({ gates }: { gates: readonly Gate[] }) {
  const { check } = campaignWords
  const business = useBusinessId()
  const { automation } = useParams({ strict: false })
  const passing = gates.filter(({ result }) => result === 'pass')
  const sorted = gates
    .filter(({ result }) => result !== 'pass')
    .toSorted((a, b) => order.indexOf(a.result) - order.indexOf(b.result))
  return (
    <ul className="divide-y divide-line">
      {sorted.map(({ gate, result, evidence, findings, remedy, fix }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a gate may speak more than once.
        <li key={`${gate} ${place}`} className="flex items-start gap-3 px-4 py-2">
          <span className="w-24 shrink-0">
            <Badge tone={tones[result]}>{check.results[result]}</Badge>
          </span>
          <div className="min-w-0">
            <Found {...{ gate, evidence }} findings={findings ?? []} />
            {remedy !== null && <Advice {...{ gate, remedy }} finding={findings?.[0]?.finding} />}
            {typeof fix?.arguments?.['contact_id'] === 'string' && (
              <Link
                to="/$business/contacts"
                params={{ business }}
                search={{ open: fix.arguments['contact_id'] }}
                className="text-link hover:underline"
              >
                {campaignWords.recipientList.contact}
              </Link>
            )}
            {typeof fix?.arguments?.['template_id'] === 'string' && (
              <Link
                to="/$business/templates/$template"
                params={{ business, template: fix.arguments['template_id'] }}
                search={automation === undefined ? {} : { automation }}
                className="text-link hover:underline"
              >
                {check.toMail}
              </Link>
            )}
          </div>
        </li>
      ))}
      {passing.length > 0 && (
        <li>
          <details>
            <summary className="flex min-h-11 cursor-pointer items-center gap-3 px-4 py-2">
              <Badge tone="good">{gateWords.passed(passing.length)}</Badge>
            </summary>
            <dl className="grid gap-2 px-4 pb-3">
              {passing.map(({ gate, evidence }, place) => {
                const { name, fine } = gateWords.checks[gate] ?? { name: gate, fine: evidence }
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a gate may speak more than once.
                  <div key={`${gate} ${place}`} className="sm:flex sm:gap-3">
                    <dt className="shrink-0 font-medium sm:w-40">{name}</dt>
                    <dd className="text-muted">{fine}</dd>
                  </div>
                )
              })}
            </dl>
          </details>
        </li>
      )}
    </ul>
  )
}

interface FoundProps extends Pick<Gate, 'gate' | 'evidence'> {
  findings: readonly Finding[]
}

/** In the reader's language where there are words for all of it, else the server's English sentences. */
function Found({ gate, evidence, findings }: FoundProps) {
  const sentences = sentencesOf(findings, gateWords, (refusal) =>
    refusalWords.reasons[String(refusal['reason'])]?.(refusal),
  )
  return (
    <>
      <p className="font-medium">{gateWords.checks[gate]?.name ?? gate}</p>
      {sentences ? (
        sentences.map((sentence) => <p key={sentence}>{sentence}</p>)
      ) : (
        <p lang="en">{evidence}</p>
      )}
    </>
  )
}

interface AdviceProps {
  gate: string
  remedy: string
  /** What was found first, which may have advice of its own. */
  finding: string | undefined
}

/** The server's own remedy speaks to programs: it names operations. */
function Advice({ gate, remedy, finding = '' }: AdviceProps) {
  const advice = gateWords.advice[finding] ?? gateWords.advice[gate]
  return advice === undefined ? (
    <p lang="en" className="text-muted">
      {remedy}
    </p>
  ) : (
    <p className="text-muted">{advice}</p>
  )
}

/** What was checked before a start, and how to mend what was found. */
import { Link } from '@tanstack/react-router'
import { useBusinessId } from '../api/businesses.ts'
import type { api } from '../api/client.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { campaignWords } from '../words/campaigns.ts'

type Gate = Awaited<ReturnType<typeof api.campaign.preview>>['gates'][number]

const tones: Record<Gate['result'], Tone> = {
  pass: 'good',
  warn: 'warn',
  block: 'bad',
}
const order = ['block', 'warn', 'pass']

/** Gates that need attention come first. */
export function Gates({ gates }: { gates: readonly Gate[] }) {
  const { check } = campaignWords
  const business = useBusinessId()
  const sorted = gates.toSorted((a, b) => order.indexOf(a.result) - order.indexOf(b.result))
  return (
    <ul className="divide-y divide-line">
      {sorted.map(({ gate, result, evidence, remedy, fix }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a gate may speak more than once.
        <li key={`${gate} ${place}`} className="flex items-start gap-3 px-4 py-2">
          <span className="w-24 shrink-0">
            <Badge tone={tones[result]}>{check.results[result]}</Badge>
          </span>
          <div className="min-w-0">
            <Found result={result} evidence={evidence} words={check.found[gate]} />
            {result !== 'pass' && remedy !== undefined && <Advice gate={gate} remedy={remedy} />}
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
          </div>
        </li>
      ))}
    </ul>
  )
}

interface FoundProps extends Pick<Gate, 'result' | 'evidence'> {
  words: { name: string; fine: string } | undefined
}

/** The server says in English what it found; other languages name at least what it is about. */
function Found({ result, evidence, words: own }: FoundProps) {
  if (own === undefined) return <p>{evidence}</p>
  if (result === 'pass') return <p title={evidence}>{own.fine}</p>
  return (
    <>
      <p className="font-medium">{own.name}</p>
      <p lang="en">{evidence}</p>
    </>
  )
}

/** The server's own remedy speaks to programs: it names operations. */
function Advice({ gate, remedy }: { gate: string; remedy: string }) {
  const advice = campaignWords.check.advice[gate]
  return advice === undefined ? (
    <p lang="en" className="text-muted">
      {remedy}
    </p>
  ) : (
    <p className="text-muted">{advice}</p>
  )
}

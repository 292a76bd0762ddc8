/** What was checked before a start, and how to mend what was found. */
import { Link } from '@tanstack/react-router'
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
const order = ['block', 'warn', 'pass']

/** Gates that need attention come first. */
export function Gates({ gates }: { gates: readonly Gate[] }) {
  const { check } = campaignWords
  const business = useBusinessId()
  const sorted = gates.toSorted((a, b) => order.indexOf(a.result) - order.indexOf(b.result))
  return (
    <ul className="divide-y divide-line">
      {sorted.map(({ gate, result, evidence, findings, remedy, fix }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a gate may speak more than once.
        <li key={`${gate} ${place}`} className="flex items-start gap-3 px-4 py-2">
          <span className="w-24 shrink-0">
            <Badge tone={tones[result]}>{check.results[result]}</Badge>
          </span>
          <div className="min-w-0">
            <Found {...{ result, evidence }} findings={findings ?? []} words={check.found[gate]} />
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
  findings: readonly Finding[]
  words: { name: string; fine: string } | undefined
}

/** In the reader's language where there are words for all of it, else the server's English sentences. */
function Found({ result, evidence, findings, words: own }: FoundProps) {
  if (own === undefined) return <p>{evidence}</p>
  const sentences = sentencesOf(findings)
  if (result === 'pass') return <p title={sentences?.join(' ') ?? evidence}>{own.fine}</p>
  return (
    <>
      <p className="font-medium">{own.name}</p>
      {sentences ? (
        sentences.map((sentence) => <p key={sentence}>{sentence}</p>)
      ) : (
        <p lang="en">{evidence}</p>
      )}
    </>
  )
}

/** Undefined where one of them has no words, as all have none in English. */
function sentencesOf(findings: readonly Finding[]): string[] | undefined {
  if (findings.length === 0) return undefined
  const sentences = findings.flatMap((finding) => sentenceOf(finding) ?? [])
  return sentences.length === findings.length ? [...new Set(sentences)] : undefined
}

function sentenceOf({ finding, ...values }: Finding): string | undefined {
  if (finding !== 'refused') return gateWords.findings[finding]?.(values)
  const refusal = values['refusal'] as Record<string, unknown>
  return refusalWords.reasons[String(refusal['reason'])]?.(refusal)
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

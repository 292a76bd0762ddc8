/** A gate: a check before a campaign is sent, with what it found and how to fix it. */

import { type Fix, type Refusal, refuse } from '../../../core/errors.ts'
import { untrusted } from '../../../core/untrusted.ts'
import { Type } from '../../../lib/schema/schema.ts'

export const gateNames = [
  'audience',
  'sender',
  'unsubscribe_link',
  'postal_address',
  'consent',
  'permission',
  'quota',
  'content',
  'blocks',
  'subject',
  'variables',
  'size',
  'accessibility',
  'mail_programs',
  'links',
  'segments',
  'stop_word',
] as const

/** What a gate can find: `../words` has a sentence for each in English, German and French, the app those of a feed. */
export const findingNames = [
  'audience_gone',
  'audience_wish',
  'refused',
  'leads_nowhere',
  'unsubscribe_hidden',
  'no_postal_address',
  'nobody_agreed',
  'agreed',
  'permission_is_advertising',
  'no_answer_link',
  'asked_recently',
  'no_room',
  'empty_slots',
  'empty_slots_of_template',
  'foreign_fields',
  'starter_words',
  'bare_greeting',
  'comes_out_empty',
  'block_seen',
  'sees_nothing',
  'block_unseen',
  'no_action',
  'subject_open',
  'empty_for_all',
  'empty_for_some',
  'not_provided',
  'too_large',
  'images_without_alt',
  'several_titles',
  'level_skipped',
  'dropped_parts',
  'comment_open',
  'vml_open',
  'tables_deep',
  'too_wide',
  'hard_to_read',
  'ignored',
  'incomplete_links',
  'incomplete_images',
  'dead_link',
  'links_checked',
  'links_unchecked',
  'foreign_links',
  'personal_hosts',
  'parts',
  'no_stop',
  'no_room_in_month',
  'no_room_in_warm_up',
  'no_room_under_cap',
  'feed_unreadable',
  'feed_away',
  'feed_empty',
] as const
type FindingName = (typeof findingNames)[number]

/** One thing that a gate found, with its values, for a reader in another language. */
export interface Finding {
  finding: FindingName
  [value: string]: unknown
}

export interface Gate {
  gate: (typeof gateNames)[number]
  /** A warning does not stop the campaign. */
  result: 'pass' | 'warn' | 'block'
  evidence: string
  /** The same as `evidence`, one entry for each sentence. Most gates that pass have none. */
  findings?: Finding[]
  remedy?: string
  fix?: Fix
}

export const gateView = Type.Object({
  gate: Type.Enum(gateNames),
  result: Type.Enum(['pass', 'warn', 'block']),
  evidence: Type.String(),
  findings: Type.Optional(
    Type.Array(Type.Object({ finding: Type.Enum(findingNames) }, { additionalProperties: true })),
  ),
  remedy: Type.Optional(Type.String()),
  fix: Type.Optional(
    Type.Object({
      tool: Type.Optional(Type.String()),
      arguments: Type.Optional(Type.Object({}, { additionalProperties: true })),
      url: Type.Optional(Type.String()),
    }),
  ),
})

const { evidence, findings } = gateView.properties

/** A gate of a campaign, of which what was found stands under `untrusted` where a feed filled it in. */
export const gateOfWordsView = Type.Object({
  ...gateView.properties,
  evidence: Type.Optional(evidence),
  untrusted: Type.Optional(untrusted({ evidence, findings })),
})

/** Gates whose evidence quotes a mail. */
const quoting: ReadonlySet<string> = new Set<Gate['gate']>([
  'content',
  'blocks',
  'subject',
  'variables',
  'accessibility',
  'mail_programs',
  'links',
])

const quotes = ({ gate, result }: Gate) => quoting.has(gate) && result !== 'pass'

export function viewOfGate(whole: Gate, ofFeed: boolean) {
  const { fix, evidence, findings, ...gate } = whole
  const words = { evidence, ...(findings && { findings }) }
  const evidenceFields = ofFeed && quotes(whole) ? { untrusted: words } : words
  return { ...gate, ...evidenceFields, ...(fix && { fix: { ...fix } }) }
}

/**
 * The refusal of a blocked campaign, with the first remedy as the fix. It quotes nothing of what a feed
 * filled in.
 */
export function refuseBlocked(everyGate: readonly Gate[], ofFeed = false): Refusal | undefined {
  const gates = everyGate.map((gate) =>
    ofFeed && quotes(gate)
      ? { ...gate, evidence: `The gate ${gate.gate} is closed: campaign.preview shows why.` }
      : gate,
  )
  const closed = gates.filter(({ result }) => result === 'block')
  if (closed.length === 0) return undefined
  const sentences = closed.map(({ evidence, remedy }) =>
    [evidence, remedy].filter(Boolean).join(' '),
  )
  const fix = closed.find((entry) => entry.fix)?.fix
  return refuse('conflict', `Nothing was sent. ${sentences.join(' ')}`, {
    data: {
      reason: 'gates_closed',
      gates: closed.map(({ gate, evidence }) => ({ gate, evidence })),
    },
    ...(fix && { fix }),
  })
}

/** The caller's choices of how to import a file. */

import { channels, contactLimits } from '../../contacts/model/contact.ts'
import { type ImportedReason, importedReasons } from '../../contacts/suppression/imported.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { truncateKey } from '../../core/field-path.ts'
import { Type } from '../../lib/schema/schema.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { isSingleLine, singleLine } from '../../lib/text/single-line.ts'
import type { Encoding } from '../format/encoding.ts'
import { type Choices, modes } from '../mapping/plan.ts'
import { isSuppressionTarget, suppressionTargets } from '../mapping/suppression-columns.ts'
import { readTarget, targetWords } from '../mapping/target.ts'
import type { Import } from './import.ts'

const agreement = Type.Optional(
  Type.Object(
    {
      source: Type.String({
        minLength: 1,
        maxLength: contactLimits.consentSourceLength,
        description: 'Where they said so.',
      }),
      text: Type.String({
        minLength: 1,
        maxLength: contactLimits.consentTextLength,
        description: 'What they agreed to, word for word.',
      }),
    },
    { additionalProperties: false },
  ),
)

const confirmable = ['windows-1252'] as const

export const choicesInput = {
  mapping: Type.Optional(
    Type.Unsafe<Record<string, string | null>>({
      type: 'object',
      description:
        'By column, what it becomes: email, attributes.KEY:number, …; null leaves it out.',
      maxProperties: 500,
      additionalProperties: { anyOf: [{ type: 'string', maxLength: 100 }, { type: 'null' }] },
    }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: contactLimits.tagLength }), {
      maxItems: contactLimits.tags,
      description: 'For everybody.',
    }),
  ),
  mode: Type.Optional(Type.Enum(modes)),
  blanks_erase: Type.Optional(Type.Boolean({ description: 'A blank cell takes the value away.' })),
  consent: Type.Optional(
    Type.Object(
      { email: agreement, sms: agreement },
      { additionalProperties: false, description: 'That the people of the file agreed.' },
    ),
  ),
  // Of suppressions whose rows do not say it.
  reason: Type.Optional(Type.Enum(importedReasons)),
  encoding: Type.Optional(Type.Enum(confirmable, { description: 'Confirms a guess.' })),
}

interface ChoicesRequest {
  mapping?: Record<string, string | null>
  tags?: string[]
  mode?: Choices['mode']
  blanks_erase?: boolean
  consent?: Choices['consent']
  reason?: ImportedReason
  encoding?: Encoding
}

/** Returns the import's choices, overridden with the requested choices. */
export function readChoices(
  one: Import,
  asked: ChoicesRequest,
  { isDry }: { isDry: boolean },
): Pick<Import, 'choices'> | Refusal {
  const { layout, choices, text, kind } = one
  if (!layout || !choices || !text) throw new Error('an import is ready without a plan')
  if (text.isGuess && asked.encoding === undefined && !isDry) {
    const why =
      'The file is no UTF-8, and was read as windows-1252. Look at the letters of untrusted.doubtful in import.get: where they are right, confirm with encoding; else export the file as UTF-8.'
    return refuse('conflict', why, { field: 'encoding' })
  }
  const strange = (['tags', 'mode', 'blanks_erase', 'consent', 'reason'] as const).find(
    (field) => asked[field] !== undefined && (field === 'reason') !== (kind === 'suppressions'),
  )
  if (strange !== undefined) {
    const what = kind === 'suppressions' ? 'people who must not be written to' : 'contacts'
    const why = `This file holds ${what}, and ${strange} is not taken with them.`
    return refuse('invalid_request', why, { field: strange })
  }
  const targets = mapped(one, choices.targets, asked.mapping ?? {})
  if (!Array.isArray(targets)) return targets
  const tags = (asked.tags ?? choices.tags).map(singleLine)
  const wrong = tags.findIndex((tag) => !isSingleLine(tag))
  if (wrong >= 0) {
    const field = `tags[${wrong}]`
    return refuse('invalid_request', `${field} takes one line of text.`, { field })
  }
  const consent = asked.consent ?? choices.consent
  for (const channel of channels) {
    const source = consent[channel]?.source
    if (source === undefined || isSingleLine(source)) continue
    const field = `consent.${channel}.source`
    return refuse('invalid_request', `${field} takes one line of text.`, { field })
  }
  const mode = asked.mode ?? choices.mode
  const blanksErase = asked.blanks_erase ?? choices.blanksErase
  const reason = asked.reason ?? choices.reason
  return { choices: { targets, tags, mode, blanksErase, consent, ...(reason && { reason }) } }
}

/** What columns of a file can become, and which of it says who a person is. */
const rulesOf = {
  contacts: {
    isTarget: (text: string) => readTarget(text) !== undefined,
    words: targetWords,
    identify: ['email', 'phone'],
  },
  suppressions: {
    isTarget: isSuppressionTarget,
    words: suppressionTargets.join(', '),
    identify: ['email', 'phone', 'sha256'],
  },
} as const

function mapped(
  { layout, kind }: Pick<Import, 'layout' | 'kind'>,
  before: readonly (string | null)[],
  mapping: Record<string, string | null>,
): (string | null)[] | Refusal {
  const columns = layout?.columns ?? []
  const { isTarget, words, identify } = rulesOf[kind]
  const targets = [...before]
  for (const [column, target] of Object.entries(mapping)) {
    const field = `mapping.${truncateKey(column)}`
    const place = columns.indexOf(column)
    if (place === -1) {
      const meant = nearest(column, columns)
      const guess = meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`
      return refuse('invalid_request', `The file has no column of this name.${guess}`, { field })
    }
    if (target !== null && !isTarget(target)) {
      return refuse('invalid_request', `${field} takes ${words}, or null.`, { field })
    }
    targets[place] = target
  }
  const doubled = targets.find((entry, i) => entry !== null && targets.indexOf(entry) !== i)
  if (doubled !== undefined) {
    const text = `Two columns become ${doubled}: map one of them to something else, or to null.`
    return refuse('invalid_request', text, { field: 'mapping' })
  }
  if (identify.some((word) => targets.includes(word))) return targets
  const text = `No column becomes ${identify.join(' or ')}, and one of them says who a person is: name it in mapping, such as {"Column 1": "email"}.`
  return refuse('invalid_request', text, { field: 'mapping' })
}

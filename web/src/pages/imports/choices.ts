/** A person's choices for importing a file, and their form as arguments. */
import type { Import } from './import.tsx'

export interface Choices {
  /** By column, its target; an empty one is left out. */
  mapping: Record<string, string>
  tags: string
  mode: 'update' | 'only_new' | 'fill_blanks'
  blanksErase: boolean
  agreed: { email: boolean; sms: boolean }
  source: string
  text: string
  /** Of suppressions, why, where a row does not say it. */
  reason: Reason
}

export const reasons = ['unsubscribed', 'complaint', 'bounce', 'manual'] as const
export type Reason = (typeof reasons)[number]

export const channels = ['email', 'sms'] as const

export function choicesOf({ choices, columns }: Import): Choices {
  const consent = choices?.consent ?? {}
  const first = consent['email'] ?? consent['sms']
  return {
    mapping: Object.fromEntries(
      (columns ?? []).map(({ column, becomes }) => [column, becomes ?? '']),
    ),
    tags: choices?.tags.join(', ') ?? '',
    mode: choices?.mode ?? 'update',
    blanksErase: choices?.blanks_erase ?? false,
    agreed: { email: 'email' in consent, sms: 'sms' in consent },
    source: first?.source ?? '',
    text: first?.text ?? '',
    reason: choices?.reason ?? 'unsubscribed',
  }
}

/** The arguments of `import.confirm`. */
export function argumentsOf(
  choices: Choices,
  { kind, encoding }: { kind: Import['kind']; encoding: string | undefined },
) {
  const common = {
    mapping: Object.fromEntries(
      Object.entries(choices.mapping).map(([column, becomes]) => [
        column,
        becomes === '' ? null : becomes,
      ]),
    ),
    ...(encoding !== undefined && { encoding }),
  }
  if (kind === 'suppressions') return { ...common, reason: choices.reason }
  const { tags, mode, blanksErase, agreed, source, text } = choices
  const agreement = { source: source.trim(), text: text.trim() }
  return {
    ...common,
    tags: tags
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    mode,
    blanks_erase: blanksErase,
    consent: {
      ...(agreed.email && { email: agreement }),
      ...(agreed.sms && { sms: agreement }),
    },
  }
}

/** The targets of a column of suppressions. */
export const suppressionTargets = ['email', 'phone', 'sha256', 'reason', 'at'] as const

/** The targets of a column that need no name of one's own. */
export const plainTargets = [
  'email',
  'phone',
  'name',
  'first_name',
  'last_name',
  'language',
  'tags',
  'consent.email',
  'consent.email.source',
  'consent.email.text',
  'consent.email.at',
  'consent.email.left_at',
  'consent.sms',
  'consent.sms.source',
  'consent.sms.text',
  'consent.sms.at',
  'consent.sms.left_at',
] as const

const types = ['text', 'number', 'boolean'] as const
export type FieldType = (typeof types)[number] | ''

/** `{key: 'plan', type: 'text'}` for `attributes.plan:text`; undefined for other targets. */
export function ownField(target: string): { key: string; type: FieldType } | undefined {
  if (!target.startsWith('attributes.')) return undefined
  const whole = target.slice('attributes.'.length)
  const type = types.find((word) => whole.endsWith(`:${word}`))
  return type === undefined
    ? { key: whole, type: '' }
    : { key: whole.slice(0, -type.length - 1), type }
}

export const ownFieldTarget = ({ key, type }: { key: string; type: FieldType }) =>
  `attributes.${key}${type === '' ? '' : `:${type}`}`

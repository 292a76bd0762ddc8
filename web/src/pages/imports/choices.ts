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
  /** Of phone numbers without a country code; empty if they are not read. */
  country: string
  /** By column, what stands for a text; an empty one is taken as it is. */
  values: Record<string, Record<string, string>>
  /** Custom fields that everybody in the file gets who has none. */
  fields: { key: string; value: string }[]
  /** Keys of the topics of those who agreed. */
  topics: string[]
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
    country: choices?.country ?? '',
    values: choices?.values ?? {},
    fields: Object.entries(choices?.defaults ?? {}).flatMap(([target, value]) => {
      const own = ownField(target)
      return own ? [{ key: own.key, value }] : []
    }),
    topics: (choices?.defaults?.['consent.email.topics'] ?? '')
      .split(',')
      .filter((topic) => topic !== ''),
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
    country: choices.country === '' ? null : choices.country,
  }
  if (kind === 'suppressions') return { ...common, reason: choices.reason }
  const { tags, mode, blanksErase, agreed, source, text, fields, topics } = choices
  const named = fields.filter(({ key, value }) => key.trim() !== '' && value.trim() !== '')
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
    values: valuesOf(choices),
    defaults: {
      ...Object.fromEntries(
        named.map(({ key, value }) => [
          ownFieldTarget({ key: key.trim(), type: '' }),
          value.trim(),
        ]),
      ),
      ...(topics.length > 0 && { 'consent.email.topics': topics.join(',') }),
    },
  }
}

/** What stands for another text, of columns that are imported. */
function valuesOf({ values, mapping }: Choices): Choices['values'] {
  return Object.fromEntries(
    Object.entries(values).flatMap(([column, texts]) => {
      const changed = Object.entries(texts).filter(([, text]) => text !== '')
      const isImported = (mapping[column] ?? '') !== ''
      return isImported && changed.length > 0 ? [[column, Object.fromEntries(changed)]] : []
    }),
  )
}

/** The countries that have phone numbers. */
export const countries = (
  'AC AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO ' +
  'BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK ' +
  'DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ ' +
  'GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM ' +
  'KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
  'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH ' +
  'PK PL PM PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR ' +
  'SS ST SV SX SY SZ TA TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC ' +
  'VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
).split(' ')

/** The targets of a column of suppressions. */
export const suppressionTargets = ['email', 'phone', 'sha256', 'reason', 'at'] as const

/** The targets of a column that need no name of one's own. */
export const plainTargets = [
  'email',
  'phone',
  'external_id',
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

import { channels, contactLimits } from '../contacts/contact.ts'
import { type ImportedReason, importedReasons } from '../contacts/suppressions/import.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { truncateKey } from '../core/field-path.ts'
import { formatId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import type { Tx } from '../lib/db/types.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { countryOf } from '../lib/phone/numbering-plans.ts'
import { Type } from '../lib/schema/schema.ts'
import { nearest } from '../lib/text/nearest.ts'
import { isSingleLine, singleLine } from '../lib/text/single-line.ts'
import { readAttributeCell, readTarget, targetWords } from './cells.ts'
import { isOlderEncoding, olderEncodings } from './csv.ts'
import {
  byImport,
  callIdOf,
  type Import,
  importJob,
  importOf,
  lockImport,
  noCounts,
  noSuchImport,
  saveImport,
} from './import.ts'
import { type Choices, modes } from './plan.ts'
import { isSuppressionTarget, suppressionTargets } from './suppression-rows.ts'
import { fieldsOf, importFields, importIdInput } from './view.ts'

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

/** The most columns whose texts are translated, texts of each, and characters; and defaults. */
const valueLimits = { columns: 50, texts: 200, length: 500, defaults: 20 } as const

const choicesInput = {
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
  // The reason of suppressions whose rows do not say it.
  reason: Type.Optional(Type.Enum(importedReasons)),
  country: Type.Optional(
    Type.Union([Type.String({ minLength: 2, maxLength: 2 }), Type.Null()], {
      description: 'Of phone numbers without a country code: DE. A column with countries wins.',
    }),
  ),
  values: Type.Optional(
    Type.Unsafe<Record<string, Record<string, string>>>({
      type: 'object',
      description: 'By column, what stands for a cell: {"Status":{"Kunde":"subscribed"}}.',
      maxProperties: valueLimits.columns,
      additionalProperties: {
        type: 'object',
        maxProperties: valueLimits.texts,
        additionalProperties: { type: 'string', maxLength: valueLimits.length },
      },
    }),
  ),
  defaults: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      description:
        'For rows without one: {"attributes.fair":"2026","consent.email.topics":"news"}.',
      maxProperties: valueLimits.defaults,
      additionalProperties: { type: 'string', minLength: 1, maxLength: valueLimits.length },
    }),
  ),
  encoding: Type.Optional(Type.String({ maxLength: 20, description: 'If it is not UTF-8.' })),
}

export const importConfirm = operation({
  name: 'import.confirm',
  title: 'Start an import',
  area: 'contacts',
  summary:
    'Start an import after its dry run (import.get), or resume a paused one. Nobody is subscribed without consent; unsubscribed people stay so. Sends nothing.',
  reach: 'business',
  scope: 'audience:write',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/imports/:import_id/confirm',
  status: 202,
  locate: { import_id: byImport },
  input: {
    import_id: importIdInput,
    ...choicesInput,
    dry_run: Type.Optional(Type.Boolean({ description: 'Only check the file anew.' })),
  },
  output: Type.Object(importFields),

  async run(context, { import_id, dry_run: isDry = false, ...request }) {
    const { id } = await importOf(context, import_id)
    return context.write(async (tx) => {
      const importRow = await lockImport(tx, context.business.id, id)
      if (!importRow) throw noSuchImport(import_id)
      // The call was repeated, as after a lost response.
      const isUnderWay = importRow.state === 'running' || importRow.state === 'done'
      if (isUnderWay && !isDry) return fieldsOf(importRow, { whole: false })
      if (importRow.state === 'paused' && !isDry) return start(tx, context, importRow)
      if (importRow.state !== 'ready') throw notReady(importRow)
      const choices = readChoices(importRow, request, { isDry })
      return isDry
        ? check(tx, context, { ...importRow, ...choices })
        : start(tx, context, { ...importRow, ...choices, nextByte: importRow.layout?.start ?? 0 })
    })
  },
})

async function start(tx: Tx, { business, now, origin }: BusinessContext, importRow: Import) {
  const running: Import = {
    ...importRow,
    state: 'running',
    counts: importRow.state === 'paused' ? importRow.counts : noCounts,
    userId: origin.userId ?? null,
    connectionId: origin.connectionId,
    callId: callIdOf(origin),
    startedAt: importRow.state === 'paused' ? importRow.startedAt : now,
  }
  await saveImport(tx, business.id, running)
  await enqueue(tx, [importJob('run', { businessId: business.id, id: importRow.id })], now)
  const subject = formatId('import', importRow.id)
  const { mode, consent, reason } = importRow.choices ?? { mode: 'update', consent: {} }
  const details =
    importRow.kind === 'suppressions'
      ? { kind: importRow.kind, ...(reason && { reason }) }
      : { mode, agreed: Object.keys(consent).join(' ') }
  const entry = { businessId: business.id, action: 'import.confirm', subject, details, origin }
  await recordAudit(tx, [entry], now)
  return fieldsOf(running, { whole: false })
}

async function check(tx: Tx, { business, now }: BusinessContext, importRow: Import) {
  const checking: Import = { ...importRow, state: 'checking', found: null, workedMs: 0 }
  await saveImport(tx, business.id, checking)
  await enqueue(tx, [importJob('check', { businessId: business.id, id: importRow.id })], now)
  return fieldsOf(checking, { whole: false })
}

function notReady({ id, state, fault }: Import): Refusal {
  const why =
    state === 'awaiting_file'
      ? 'No file has been uploaded yet: send it to the upload_url of import.create.'
      : state === 'checking'
        ? 'The file is being checked: import.get tells when it is done.'
        : `It is ${state}${fault ? `: ${fault.message}` : '.'} Begin another with import.create.`
  const tool = state === 'awaiting_file' || state === 'checking' ? 'import.get' : 'import.create'
  const args = tool === 'import.get' ? { import_id: formatId('import', id) } : {}
  return refuse('conflict', `This import cannot be confirmed. ${why}`, {
    fix: { tool, arguments: args },
    data: { reason: 'import_not_ready' },
  })
}

interface ChoicesRequest {
  mapping?: Record<string, string | null>
  tags?: string[]
  mode?: Choices['mode']
  blanks_erase?: boolean
  consent?: Choices['consent']
  reason?: ImportedReason
  country?: string | null
  values?: Record<string, Record<string, string>>
  defaults?: Record<string, string>
  encoding?: string
}

/** Returns the import's choices, overridden with the requested choices. */
function readChoices(
  importRow: Import,
  request: ChoicesRequest,
  { isDry }: { isDry: boolean },
): Pick<Import, 'choices' | 'text'> {
  const { layout, choices, kind } = importRow
  if (!layout || !choices) throw new Error('an import is ready without a plan')
  const text = readText(importRow, request.encoding, { isDry })
  const strange = ownFields.find(
    (field) => request[field] !== undefined && (field === 'reason') !== (kind === 'suppressions'),
  )
  if (strange !== undefined) {
    const people = kind === 'suppressions' ? 'people who must not be written to' : 'contacts'
    const why = `This file holds ${people}, and ${strange} is not taken with them.`
    throw refuse('invalid_request', why, { field: strange, data: { reason: 'unknown_field' } })
  }
  const targets = mapped(importRow, choices.targets, request.mapping ?? {})
  if (!Array.isArray(targets)) return targets
  const tags = (request.tags ?? choices.tags).map(singleLine)
  const invalidTag = tags.findIndex((tag) => !isSingleLine(tag))
  if (invalidTag >= 0) {
    const field = `tags[${invalidTag}]`
    throw refuse('invalid_request', `${field} must be one line of text.`, {
      field,
      data: { reason: 'one_line' },
    })
  }
  const consent = request.consent ?? choices.consent
  for (const channel of channels) {
    const source = consent[channel]?.source
    if (source === undefined || isSingleLine(source)) continue
    const field = `consent.${channel}.source`
    throw refuse('invalid_request', `${field} must be one line of text.`, {
      field,
      data: { reason: 'one_line' },
    })
  }
  const mode = request.mode ?? choices.mode
  const blanksErase = request.blanks_erase ?? choices.blanksErase
  const reason = request.reason ?? choices.reason
  const country = request.country === undefined ? choices.country : readCountry(request.country)
  const values = request.values ? readValues(layout.columns, request.values) : choices.values
  const defaults = request.defaults ? readDefaults(request.defaults) : choices.defaults
  return {
    text,
    choices: {
      targets,
      tags,
      mode,
      blanksErase,
      consent,
      ...(reason && { reason }),
      ...(country !== undefined && { country }),
      ...(values && { values }),
      ...(defaults && { defaults }),
      ...(choices.isRemembered && { isRemembered: true }),
    },
  }
}

/** What only one of the two kinds of files takes. */
const ownFields = [
  'tags',
  'mode',
  'blanks_erase',
  'consent',
  'values',
  'defaults',
  'reason',
] as const

function readCountry(text: string | null): string | undefined {
  if (text === null) return undefined
  const country = countryOf(text)
  if (country !== undefined) return country
  throw refuse('invalid_request', 'country must be a two-letter country code, such as DE or FR.', {
    field: 'country',
    data: { reason: 'wrong_form' },
  })
}

function readValues(
  columns: readonly string[],
  values: Record<string, Record<string, string>>,
): Record<string, Record<string, string>> {
  for (const column of Object.keys(values)) {
    if (!columns.includes(column)) throw noSuchColumn(column, columns, 'values')
  }
  return values
}

function readDefaults(defaults: Record<string, string>): Record<string, string> {
  for (const [text, value] of Object.entries(defaults)) {
    const field = `defaults.${truncateKey(text)}`
    const target = readTarget(text)
    const isTopics = target?.kind === 'evidence' && target.part === 'topics'
    if (target?.kind === 'attribute') {
      const read = readAttributeCell(value, target)
      if (!isRefusal(read)) continue
      throw refuse(read.code, read.message, { field, data: { reason: 'wrong_type' } })
    }
    if (target?.kind === 'language' || isTopics) continue
    const words = 'attributes.KEY, language, consent.email.topics and consent.sms.topics'
    throw refuse('invalid_request', `defaults accepts ${words}.`, {
      field,
      data: { reason: 'no_target' },
    })
  }
  return defaults
}

function noSuchColumn(column: string, columns: readonly string[], part: string) {
  const meant = nearest(column, columns)
  const guess = meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`
  return refuse('invalid_request', `The file has no column of this name.${guess}`, {
    field: `${part}.${truncateKey(column)}`,
    data: { reason: 'no_such_column' },
  })
}

/** The encoding of the file. Another than the one that was checked must be checked first. */
function readText(
  { id, text }: Import,
  encoding: string | undefined,
  { isDry }: { isDry: boolean },
): NonNullable<Import['text']> {
  if (!text) throw new Error('an import is ready without an encoding')
  const field = 'encoding'
  if (encoding !== undefined && !isOlderEncoding(encoding)) {
    const why = `encoding must be one of ${olderEncodings.join(', ')}. UTF-8, and UTF-16 with a byte order mark, are recognised.`
    throw refuse('invalid_request', why, {
      field,
      data: { reason: 'not_a_choice', allowed: olderEncodings.join(', ') },
    })
  }
  if (!text.isGuess) {
    // It was the only word that could be said, and was said of any file.
    if (encoding === undefined || encoding === 'windows-1252') return text
    const why = `The bytes of the file show that it is ${text.encoding}. Leave encoding out.`
    throw refuse('invalid_request', why, {
      field,
      data: { reason: 'encoding_is_known', encoding: text.encoding },
    })
  }
  if (encoding === undefined && !isDry) {
    const why = `The file is not UTF-8, and was read as ${text.encoding}. Look at the letters of untrusted.doubtful in import.get: where they are right, confirm with encoding ${text.encoding}; else check another one with dry_run, such as windows-1250 for Central Europe.`
    throw refuse('conflict', why, {
      field,
      data: { reason: 'encoding_to_confirm', encoding: text.encoding },
    })
  }
  if (encoding === undefined || encoding === text.encoding) return text
  if (isDry) return { ...text, encoding }
  const why = `The file was checked as ${text.encoding}. Check it as ${encoding} with dry_run first, and look at the letters of untrusted.doubtful.`
  throw refuse('conflict', why, {
    field,
    data: { reason: 'encoding_to_confirm', encoding },
    fix: {
      tool: 'import.confirm',
      arguments: { import_id: formatId('import', id), encoding, dry_run: true },
    },
  })
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
): (string | null)[] {
  const columns = layout?.columns ?? []
  const { isTarget, words, identify } = rulesOf[kind]
  const targets = [...before]
  for (const [column, target] of Object.entries(mapping)) {
    const field = `mapping.${truncateKey(column)}`
    const index = columns.indexOf(column)
    if (index === -1) throw noSuchColumn(column, columns, 'mapping')
    if (target !== null && !isTarget(target)) {
      throw refuse('invalid_request', `${field} must be ${words}, or null.`, {
        field,
        data: { reason: 'no_target' },
      })
    }
    targets[index] = target
  }
  const doubled = targets.find((entry, i) => entry !== null && targets.indexOf(entry) !== i)
  if (doubled !== undefined) {
    const text = `Two columns become ${doubled}: map one of them to something else, or to null.`
    throw refuse('invalid_request', text, {
      field: 'mapping',
      data: { reason: 'column_twice', target: doubled },
    })
  }
  if (identify.some((word) => targets.includes(word))) return targets
  const text = `No column becomes ${identify.join(' or ')}, and one of them says who a person is: name it in mapping, such as {"Column 1": "email"}.`
  throw refuse('invalid_request', text, {
    field: 'mapping',
    data: { reason: 'no_identifying_column' },
  })
}

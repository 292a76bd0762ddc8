import { recordSave } from '../accounts/saves/last-save.ts'
import { ifVersionInput, refuseStale, versionOfNothing } from '../accounts/saves/stale-save.ts'
import type { Channel } from '../contacts/contact.ts'
import type { Filter } from '../contacts/filters/filter.ts'
import { expandSegments } from '../contacts/segments/expand-segments.ts'
import { readTopic } from '../contacts/topics/topic.ts'
import { orThrow, refuse } from '../core/errors.ts'
import { formatId, type Id, newId, newPublicId, parseId } from '../core/ids.ts'
import { type BusinessContext, operation, type Role, roles } from '../core/operation.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { isObject } from '../lib/text/i-json.ts'
import { isSingleLine, singleLine } from '../lib/text/single-line.ts'
import type { Templates } from '../templates/compile.ts'
import { readEntry, slotsInput } from '../templates/gallery/choice.ts'
import { isMarketing } from '../templates/gallery/entries.ts'
import { checkContent, saveOwned } from '../templates/owned.ts'
import type { PreviewDeps } from '../templates/previews.ts'
import { type GalleryTemplate, templateOfGallery } from '../templates/save.ts'
import { findTemplateVersion, type TemplateVersion } from '../templates/version.ts'
import {
  type Definition,
  definitionKeys,
  readDefinition,
  type WrittenDefinition,
} from './definition.ts'
import { sequenceLimits } from './limits.ts'
import { usersOf } from './notify.ts'
import {
  channelOf,
  instructionsOf,
  isNotify,
  isSend,
  isSplit,
  isStop,
  isUnsubscribe,
} from './program.ts'
import {
  bySequence,
  checkPossible,
  fieldsOf,
  lockSequence,
  readSequence,
  type Sequence,
  sequenceFields,
  sequenceIdInput,
  wholeSequence,
} from './sequence.ts'
import { resolveSince } from './since.ts'
import { type NotifyStep, type Step, type StepContent, withTemplates } from './steps.ts'

export const nameInput = Type.String({ minLength: 1, maxLength: sequenceLimits.nameLength })
const anObject = (description?: string) =>
  Type.Unsafe<object>({ type: 'object', ...(description !== undefined && { description }) })
const orNull = <T extends ReturnType<typeof anObject>>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

/** A step's content becomes a template of its own, in the same write. */
export function sequenceSave({ templates }: { templates: Templates }) {
  return operation({
    name: 'sequence.save',
    title: 'Save an automation',
    area: 'campaigns',
    summary:
      'Save a sequence in one call, or change one: what you leave out stays. enter: {on: consent.given | form.submitted {form_id} | tag.added {tag} | own_event {event, where} | message.clicked {link} | segment.entered {segment_id} | date {field, offset, yearly}, filter, again}. steps: [{wait: "3 days", until: "09:00", "days":["tue"]}, {send: {template_id | content: {subject, html | blocks} | gallery: a mail of template.gallery, with slots}, channel: "sms" for a text, if}, {wait_for: {clicked: true, up_to: "2 days"}}, {split: [{if: {"did_not":"message.clicked","since":"entry"}, steps}, {steps}]}, {tag}, {set}, {unsubscribe}, {notify: {members: ["owner"] | webhook_id, note}}, {stop_if}]. Sends nothing: sequence.preview, then sequence.start.',
    reach: 'business',
    scope: 'audience:write',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest: ['POST /v1/sequences', 'PATCH /v1/sequences/:sequence_id'],
    status: 201,
    locate: { sequence_id: bySequence },
    input: {
      sequence_id: Type.Optional(sequenceIdInput),
      name: Type.Optional(nameInput),
      kind: Type.Optional(Type.Enum(['marketing', 'transactional'])),
      enter: Type.Optional(
        anObject(
          'Who enters, and when: {"on":"consent.given","filter":{"field":"language","op":"is","value":"de"},"again":"after 90 days"}, or {"on":"date","field":"birthday","offset":"-3 days","yearly":true}.',
        ),
      ),
      exit: orNull(
        anObject(
          'A filter: whoever matches it leaves before the next step, such as {"did":"order_placed","since":"entry"}.',
        ),
      ),
      goal: orNull(anObject('A filter: whoever matches it has reached the goal, and leaves.')),
      goal_within: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      holdout: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: sequenceLimits.holdout,
          description: 'How many percent get nothing, to compare with.',
        }),
      ),
      hours: orNull(
        anObject(
          'When mails may go out: {"from":"09:00","to":"19:00","clock":"recipient","days":["mon"]}.',
        ),
      ),
      wait_at_most: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      steps: Type.Optional(Type.Array(anObject(), { maxItems: sequenceLimits.steps })),
      slots: slotsInput,
      if_version: ifVersionInput,
    },
    output: Type.Object({ ...sequenceFields, warnings: Type.Optional(Type.Array(Type.String())) }),

    async run(context, { sequence_id, name, slots, if_version, ...input }) {
      const mails = await mailsOf(context, { templates }, { steps: input.steps ?? [], slots })
      const changes = writtenIn({ ...input, ...(input.steps && { steps: mails.steps }) })
      const { db, business, principal, origin, now } = context
      const line = name === undefined ? undefined : singleLine(name)
      if (line !== undefined && !isSingleLine(line)) {
        throw refuse('invalid_request', 'name must be one line of text.', {
          field: 'name',
          data: { reason: 'one_line' },
        })
      }
      if (sequence_id === undefined && if_version !== undefined) throw versionOfNothing('sequence')
      const existing =
        sequence_id === undefined ? undefined : await readSequence(db, business.id, sequence_id)
      const whole = readDefinition(merged(existing?.definition, changes))
      const { steps, contents } = withTemplates(whole.steps, () => newPublicId('template'))
      const definition = { ...whole, steps }
      const checkedContents = await checkContents({ db, templates }, business.id, {
        contents,
        name: line ?? existing?.name ?? '',
      })
      checkMails(definition, mails.made)
      const fresh = [
        ...contents.map(({ id }) => id),
        ...mails.made.map(({ id }) => formatId('template', id)),
      ]
      await checkReferences(context, definition, new Set(fresh))
      const warnings = warningsOf(definition)
      const saved = await context.write(async (tx) => {
        for (const mail of mails.made) await mail.insert(tx)
        for (const entry of checkedContents)
          await saveOwned(tx, business.id, { ...entry, origin, now })
        if (!existing) {
          if (line === undefined) throw missingField('name')
          return fieldsOf(await addSequence(tx, context, { name: line, definition }))
        }
        const locked = await lockSequence(tx, business.id, formatId('sequence', existing.id))
        checkPossible('save', locked)
        const object = { businessId: business.id, objectId: locked.id }
        const stale = await refuseStale(tx, principal, {
          noun: 'sequence',
          object,
          ifVersion: if_version,
          version: locked.version,
          yours: { ...(line !== undefined && { name: line }), ...changes },
          theirs: { name: locked.name, ...locked.definition },
          fix: {
            tool: 'sequence.get',
            arguments: { sequence_id: formatId('sequence', locked.id) },
          },
        })
        if (stale) throw stale
        const after = { ...locked, name: line ?? locked.name, definition }
        await refuseNamesake(tx, business.id, after)
        const isSame =
          after.name === locked.name &&
          JSON.stringify(after.definition) === JSON.stringify(locked.definition)
        if (isSame) return fieldsOf(locked)
        const changed = { ...after, version: locked.version + 1, updatedAt: now }
        await updateSequence(tx, business.id, changed)
        await recordSave(tx, object, { origin, now })
        return fieldsOf(changed)
      })
      return { ...saved, ...(warnings.length > 0 && { warnings }) }
    },
  })
}

interface WrittenMails {
  steps: readonly unknown[]
  slots: Record<string, string> | undefined
}

/** Makes a template of each mail of the gallery that a step names, and names that in its place. */
async function mailsOf(
  context: BusinessContext,
  parts: { templates: Templates },
  { steps, slots = {} }: WrittenMails,
): Promise<{ steps: unknown[]; made: GalleryTemplate[] }> {
  const keys = galleryKeysIn(steps)
  const slotNames = new Set(
    keys.flatMap((key) => readEntry(key, 'steps').slots.map(({ name }) => name)),
  )
  const unknown = Object.keys(slots).find((name) => !slotNames.has(name))
  if (unknown !== undefined) {
    const field = `slots.${unknown.slice(0, 40)}`
    const takes = slotNames.size === 0 ? 'no step names one' : [...slotNames].join(', ')
    const text = `${field} is none of the slots of the gallery’s mails that the steps name: ${takes}.`
    throw refuse('invalid_request', text, { field, data: { reason: 'unknown_field' } })
  }
  const galleryTemplates: GalleryTemplate[] = []
  for (const gallery of keys) {
    const own = readEntry(gallery, 'steps').slots.map(({ name }) => name)
    const facts = Object.fromEntries(Object.entries(slots).filter(([name]) => own.includes(name)))
    galleryTemplates.push(await templateOfGallery(context, parts, { gallery, slots: facts }))
  }
  const ids = galleryTemplates.map(({ id }) => formatId('template', id))
  return { steps: withGallery(steps, ids.values()) as unknown[], made: galleryTemplates }
}

const hasGallery = (send: unknown): send is { gallery: string } =>
  isObject(send) && typeof send['gallery'] === 'string' && Object.keys(send).length === 1

/** The keys in the order of the steps, as far as what was written can be read. */
function galleryKeysIn(steps: unknown, depth = 0): string[] {
  if (!Array.isArray(steps) || depth > sequenceLimits.nesting) return []
  return steps.flatMap((step: unknown): string[] => {
    if (!isObject(step)) return []
    if (hasGallery(step['send'])) return [step['send'].gallery]
    const { split } = step
    if (!Array.isArray(split)) return []
    return split.flatMap((branch: unknown) =>
      isObject(branch) ? galleryKeysIn(branch['steps'], depth + 1) : [],
    )
  })
}

/** The same steps, each mail of the gallery replaced by the next of the ids. */
function withGallery(steps: unknown, ids: Iterator<string>, depth = 0): unknown {
  if (!Array.isArray(steps) || depth > sequenceLimits.nesting) return steps
  return steps.map((step: unknown) => {
    if (!isObject(step)) return step
    if (hasGallery(step['send'])) return { ...step, send: { template_id: ids.next().value } }
    const { split } = step
    if (!Array.isArray(split)) return step
    const branches = split.map((branch: unknown) =>
      isObject(branch)
        ? { ...branch, steps: withGallery(branch['steps'], ids, depth + 1) }
        : branch,
    )
    return { ...step, split: branches }
  })
}

function checkMails(
  { kind, steps }: Definition,
  galleryTemplates: readonly GalleryTemplate[],
): void {
  const sends = instructionsOf(steps).flatMap(({ step }) => (isSend(step) ? [step] : []))
  for (const { id, gallery, channel } of galleryTemplates) {
    const name = formatId('template', id)
    const step = sends.find(({ send }) => send.template_id === name)
    if (step && channelOf(step) !== channel) throw wrongChannel(gallery, channel)
    if (kind !== 'marketing' && isMarketing(gallery)) {
      const text = `The gallery’s ${gallery} is marketing: it cannot be sent as transactional.`
      throw refuse('invalid_request', text, { field: 'kind', data: { reason: 'marketing_mail' } })
    }
  }
}

const writtenIn = (input: WrittenDefinition): WrittenDefinition =>
  Object.fromEntries(
    definitionKeys.flatMap((key) => (input[key] === undefined ? [] : [[key, input[key]]])),
  )

/** What a save leaves out stays, and null takes a part away. */
function merged(before: Definition | undefined, changes: WrittenDefinition): WrittenDefinition {
  const both: Record<string, unknown> = { ...before, ...changes }
  return Object.fromEntries(
    definitionKeys.flatMap((key) => (both[key] == null ? [] : [[key, both[key]]])),
  )
}

interface Contents {
  contents: readonly StepContent[]
  /** The sequence's, from which the templates have their names. */
  name: string
}

/** Compiles the mails of steps, so that what cannot be sent is not saved. */
async function checkContents(
  deps: PreviewDeps,
  businessId: Id<'business'>,
  { contents, name }: Contents,
) {
  return Promise.all(
    contents.map(async ({ n, id, channel, content }) => {
      const suffix = ` · ${n}`
      const namedContent = {
        ...content,
        channel,
        name: `${name.slice(0, 100 - suffix.length)}${suffix}`,
      }
      const newTemplateId = parseId('template', id)
      if (!newTemplateId) throw new Error('a new id that is none')
      const checked = await checkContent(deps, namedContent, { businessId })
      return { campaignId: null, newTemplateId, content: checked }
    }),
  )
}

/** Refuses a template, topic or segment that the business does not have. */
async function checkReferences(
  context: BusinessContext,
  definition: Definition,
  newTemplates: ReadonlySet<string>,
): Promise<void> {
  const { db, business } = context
  await templateVersionsOf(db, business.id, definition, newTemplates)
  const { enter, exit, goal, steps } = definition
  const topics = [
    ...(enter.topic === undefined ? [] : [{ topic: enter.topic, at: 'enter.topic' }]),
    ...instructionsOf(steps).flatMap(({ step, n }) => {
      const topic = isSend(step)
        ? step.topic
        : isUnsubscribe(step)
          ? step.unsubscribe.topic
          : undefined
      return topic === undefined ? [] : [{ topic, at: `step ${n}` }]
    }),
  ]
  for (const { step } of instructionsOf(steps)) {
    if (isNotify(step)) await checkNotified(context, step.notify)
    if (isSend(step) && step.channel === 'sms' && business.tier === 'free') {
      const text = 'The tier free has no text messages: growth has them.'
      throw refuse('tier_required', text, {
        field: 'steps',
        data: { tier: 'growth', reason: 'tier_without_texts' },
      })
    }
  }
  for (const { topic } of topics) orThrow(await readTopic(db, business.id, topic))
  const day = '2020-01-01'
  if (enter.segment_id !== undefined) await segmentFilterOf(db, business.id, definition)
  for (const [at, filter] of [
    ['enter.filter', enter.filter],
    ['exit', exit],
    ['goal', goal],
    ...filtersOf(steps).map((filter) => ['steps', filter] as const),
  ] as const) {
    if (filter === undefined) continue
    await expandSegments(db, business.id, resolveSince(filter, { entry: day, step: day }), { at })
  }
}

/** The filter of the segment by which people enter, as it is now; null where none lets them in. */
export async function segmentFilterOf(
  db: Db,
  businessId: Id<'business'>,
  { enter }: Definition,
): Promise<Filter | null> {
  if (enter.segment_id === undefined) return null
  const at = { at: 'enter.segment_id', isOwn: false }
  return expandSegments(db, businessId, { segment: enter.segment_id }, at)
}

/** The current version of each template that the definition sends, by the template's public id. */
export async function templateVersionsOf(
  db: Db,
  businessId: Id<'business'>,
  { kind, steps }: Definition,
  /** Templates that the save is about to make. */
  newTemplates: ReadonlySet<string> = new Set(),
): Promise<Map<string, TemplateVersion>> {
  const versions = new Map<string, TemplateVersion>()
  for (const { step } of instructionsOf(steps)) {
    if (!isSend(step) || versions.has(step.send.template_id)) continue
    const { template_id: name } = step.send
    if (newTemplates.has(name)) continue
    const id = parseId('template', name)
    const version = id && (await findTemplateVersion(db, businessId, id))
    if (!version) {
      const text = `This business has no template ${name}: template.list shows them.`
      throw refuse('not_found', text, {
        field: 'steps',
        fix: { tool: 'template.list', arguments: {} },
      })
    }
    if (version.channel !== channelOf(step)) throw wrongChannel(name, version.channel)
    if (version.isMarketing && kind !== 'marketing') {
      const text = `The template ${name} was made of a mail that is marketing: it cannot be sent as transactional.`
      throw refuse('invalid_request', text, { field: 'kind', data: { reason: 'marketing_mail' } })
    }
    versions.set(name, version)
  }
  return versions
}

function wrongChannel(name: string, channel: Channel) {
  const text =
    channel === 'sms'
      ? `${name} is a text message: the step that sends it needs channel: sms.`
      : `${name} is a mail: the step that sends it cannot have channel: sms.`
  const reason = channel === 'sms' ? 'text_in_step' : 'mail_in_step'
  return refuse('invalid_request', text, { field: 'steps', data: { reason } })
}

/** Refuses whom a step cannot tell. */
async function checkNotified(
  { db, business }: BusinessContext,
  { members = [], webhook_id: webhookId }: NotifyStep['notify'],
): Promise<void> {
  const ids = members.filter((member) => !roles.includes(member as Role))
  const users = await usersOf(db, business.id, ids)
  const unknown = ids.find((name) => !users.some((id) => formatId('user', id) === name))
  if (unknown !== undefined) {
    throw refuse('not_found', `This business has no member ${unknown}.`, {
      field: 'steps',
      data: { reason: 'member_missing' },
    })
  }
  if (webhookId === undefined) return
  const webhook = await db.maybe<{ events: string[] }>(sql`
    select events from webhooks
    where business_id = ${business.id} and id = ${parseId('webhook', webhookId) ?? null}
      and deleted_at is null
  `)
  if (!webhook) {
    const text = `This business has no webhook ${webhookId}: webhook.list shows them.`
    const fix = { tool: 'webhook.list', arguments: {} }
    throw refuse('not_found', text, { field: 'steps', fix, data: { reason: 'webhook_missing' } })
  }
  const { events } = webhook
  if (events.includes('sequence.notified') || events.includes('sequence.*')) return
  const text = `The webhook ${webhookId} does not name sequence.notified among its events.`
  const webhookChange = { webhook_id: webhookId, events: [...events, 'sequence.notified'] }
  throw refuse('conflict', text, {
    field: 'steps',
    data: { reason: 'event_not_named' },
    fix: { tool: 'webhook.save', arguments: webhookChange },
  })
}

const filtersOf = (steps: readonly Step[]) =>
  instructionsOf(steps).flatMap(({ step }) => {
    if (isSend(step)) return step.if ? [step.if] : []
    if (isSplit(step)) return step.split.flatMap((branch) => (branch.if ? [branch.if] : []))
    return isStop(step) ? [step.stop_if] : []
  })

/** What is allowed and seldom meant. */
function warningsOf({ steps }: Definition): string[] {
  const sends = instructionsOf(steps).flatMap(({ step }) =>
    isSend(step) ? [step.send.template_id] : [],
  )
  const repeated = sends.find((id, n) => sends.indexOf(id) < n)
  return [
    ...(sends.length === 0 ? ['No step sends a mail.'] : []),
    ...(repeated === undefined ? [] : [`The template ${repeated} is sent by more than one step.`]),
  ]
}

interface NewSequence {
  name: string
  definition: Definition
}

export async function addSequence(
  tx: Tx,
  { business, origin, now }: BusinessContext,
  { name, definition }: NewSequence,
): Promise<Sequence> {
  const { n } = await tx.one<{ n: number }>(sql`
    select count(*) as n from sequences where business_id = ${business.id} and deleted_at is null
  `)
  if (n >= sequenceLimits.sequences) {
    const text = `A business can have ${sequenceLimits.sequences} sequences: delete one first.`
    throw refuse('conflict', text, {
      fix: { tool: 'sequence.list', arguments: {} },
      data: { reason: 'too_many_automations', limit: sequenceLimits.sequences },
    })
  }
  const id = newId('sequence')
  await refuseNamesake(tx, business.id, { id, name })
  const inserted = await tx.maybe<Sequence>(sqlWithin`
    insert into sequences (business_id, id, name, status, definition, version, created_at, updated_at)
    values (${business.id}, ${id}, ${name}, 'draft', ${JSON.stringify(definition)}, 1, ${now}, ${now})
    on conflict do nothing
    returning ${wholeSequence}
  `)
  if (!inserted) throw nameIsTaken()
  await tx.run(sql`
    insert into sequence_wakes (business_id, sequence_id) values (${business.id}, ${id})
  `)
  await recordSave(tx, { businessId: business.id, objectId: id }, { origin, now })
  return inserted
}

function updateSequence(tx: Tx, businessId: Id<'business'>, sequence: Sequence): Promise<number> {
  const { id, name, definition, version, updatedAt } = sequence
  return tx.run(sql`
    update sequences set name = ${name}, definition = ${JSON.stringify(definition)},
      version = ${version}, updated_at = ${updatedAt}
    where business_id = ${businessId} and id = ${id}
  `)
}

async function refuseNamesake(
  tx: Tx,
  businessId: Id<'business'>,
  { id, name }: Pick<Sequence, 'id' | 'name'>,
): Promise<void> {
  const other = await tx.maybe<{ id: Id<'sequence'> }>(sql`
    select id from sequences
    where business_id = ${businessId} and lower(name) = lower(${name}) and id <> ${id}
      and deleted_at is null
  `)
  if (other) throw nameIsTaken(other.id)
}

function nameIsTaken(id?: Id<'sequence'>) {
  const text =
    'Another sequence of this business has this name. Choose another, or change that one.'
  const fix = id && { tool: 'sequence.get', arguments: { sequence_id: formatId('sequence', id) } }
  return refuse('conflict', text, {
    field: 'name',
    ...(fix && { fix }),
    data: { reason: 'name_taken' },
  })
}

function missingField(field: string) {
  const text = `${field} is missing: a new sequence needs it. To change one, give its sequence_id.`
  return refuse('invalid_request', text, { field, data: { reason: 'missing' } })
}

import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { recordSave } from '../accounts/saves/last-save.ts'
import { ifVersionInput, refuseStale, versionOfNothing } from '../accounts/saves/stale-save.ts'
import { limits } from '../config.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { checkDesign, checkPageShape, warningsOf } from './design.ts'
import {
  channelOf,
  type FormAddresses,
  type FormDesign,
  type FormField,
  formField,
  formIdInput,
  formLimits,
  formStatuses,
  formsBase,
  noSuchForm,
  offeredTopicsOf,
  unknownTopic,
  urlOf,
} from './form.ts'
import { changePage, type FormPage } from './form-page.ts'
import { shareOf, shareView } from './share.ts'

/** The fields of the call. An existing form keeps the fields that the call leaves out. */
type Changes = Partial<FormDesign>

/**
 * Saving a form never changes its submissions. Each keeps its answers, and the version of the
 * fields that the answers were checked against.
 */
export const formSave = (addresses: FormAddresses) =>
  operation({
    name: 'form.save',
    title: 'Save a form',
    area: 'forms',
    everyday: true,
    summary:
      'Create a form (without form_id), or change one: what you leave out stays. A published form needs a required email or phone field; a text field with the key name gives the name, other fields become attributes. form.gallery has six to begin with.',
    reach: 'business',
    scope: 'forms:write',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest: ['POST /v1/forms', 'PATCH /v1/forms/:form_id'],
    bodyBytes: limits.recordBytes,
    status: 201,
    input: {
      form_id: Type.Optional(formIdInput),
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: formLimits.nameLength,
          description: 'For the business; needed for a new form.',
        }),
      ),
      status: Type.Optional(
        Type.Enum(formStatuses, {
          description: 'Only a published form takes submissions. A new one is a draft.',
        }),
      ),
      fields: Type.Optional(
        Type.Array(formField, {
          maxItems: formLimits.fields,
          description: 'All, in order; needed for a new form.',
        }),
      ),
      double_opt_in: Type.Optional(
        Type.Boolean({
          description: 'Email consent waits for a mailed confirmation; true for a new form.',
        }),
      ),
      page: Type.Optional(
        Type.Unsafe<FormPage>({
          type: 'object',
          description:
            'Hosted page: title, intro, submit, thanks, redirect_url, allowed_sites (origins that may frame it), colour, embed; texts by language: {"de": {title, …, labels: {key}, options: {key: {option}}}}. "" removes.',
        }),
      ),
      tags: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: formLimits.tagLength }), {
          maxItems: formLimits.tags,
          uniqueItems: true,
          description: 'For whoever submits it.',
        }),
      ),
      if_version: ifVersionInput,
    },
    output: Type.Object({
      form_id: Type.String(),
      url: Type.String(),
      share: shareView,
      warnings: Type.Array(Type.String()),
    }),

    async run(context, input) {
      const { form_id, name, status, fields, tags, page, double_opt_in: doubleOptIn } = input
      const refusal = page && checkPageShape(page, 'page')
      if (refusal) throw refusal
      const changes: Changes = {
        ...(name !== undefined && { name }),
        ...(status !== undefined && { status }),
        ...(fields !== undefined && { fields: complete(fields) }),
        ...(tags !== undefined && { tags }),
        ...(page !== undefined && { page }),
        ...(doubleOptIn !== undefined && { doubleOptIn }),
      }
      const { write } = context
      const { if_version: ifVersion } = input
      if (form_id === undefined) {
        if (ifVersion !== undefined) throw versionOfNothing('form')
        const saved = await write((tx) => addForm(tx, context, changes))
        return savedView(context, addresses, saved)
      }
      const id = parseId('form', form_id)
      if (!id) throw noSuchForm(form_id)
      const saved = await write((tx) => changeForm(tx, context, { id, changes, ifVersion }))
      return savedView(context, addresses, saved)
    },
  })

/** The form after the call. */
type Saved = FormDesign & { id: Id<'form'> }

async function savedView({ db, business }: BusinessContext, addresses: FormAddresses, form: Saved) {
  const [base, offeredTopics, profile] = await Promise.all([
    formsBase(addresses, business.id),
    offeredTopicsOf(db, business.id, form.fields),
    senderProfileOf(db, business.id),
  ])
  return {
    form_id: formatId('form', form.id),
    url: urlOf(form.id, base),
    share: shareOf(form, { base, offeredTopics }),
    warnings: warningsOf(form, profile?.privacyUrl ?? null),
  }
}

async function addForm(
  tx: Tx,
  { business, origin, now }: BusinessContext,
  changes: Changes,
): Promise<Saved> {
  const businessId = business.id
  const { name, fields, status = 'draft', tags = [], page = {}, doubleOptIn = true } = changes
  if (name === undefined) throw missingFieldOfForm('name')
  if (fields === undefined) throw missingFieldOfForm('fields')
  const design = { name, fields, status, tags, page: changePage({}, page), doubleOptIn }
  const refusal = checkDesign(design) ?? (await unknownTopic(tx, businessId, fields))
  if (refusal) throw refusal
  const id = newId('form')
  await insertForm(tx, businessId, { ...design, id, now })
  await recordSave(tx, { businessId, objectId: id }, { origin, now })
  return { ...design, id }
}

interface Change {
  id: Id<'form'>
  changes: Changes
  ifVersion: number | undefined
}

async function changeForm(
  tx: Tx,
  { business, principal, origin, now }: BusinessContext,
  { id, changes, ifVersion }: Change,
): Promise<Saved> {
  const businessId = business.id
  const formId = formatId('form', id)
  const before = await lockForm(tx, businessId, id)
  if (!before) throw noSuchForm(formId)
  const page = changePage(before.page, changes.page ?? {})
  const after = { ...before, ...changes, page }
  const object = { businessId, objectId: id }
  const stale = await refuseStale(tx, principal, {
    noun: 'form',
    object,
    ifVersion,
    version: before.version,
    yours: shownOf(after, changes),
    theirs: shownOf(before, changes),
    fix: { tool: 'form.get', arguments: { form_id: formId } },
  })
  if (stale) throw stale
  const refusal =
    checkDesign(after) ?? (changes.fields && (await unknownTopic(tx, businessId, changes.fields)))
  if (refusal) throw refusal
  if (isSame(before, after)) return { ...after, id }
  const isOnlyStatus = isSame({ ...before, status: after.status }, after)
  const version = before.version + (isOnlyStatus ? 0 : 1)
  await updateForm(tx, businessId, { ...after, id, version, now })
  await recordSave(tx, object, { origin, now })
  return { ...after, id }
}

/** Adds all defaults to the fields, so that a field keeps its meaning when others change. */
function complete(fields: FormField[]): FormField[] {
  return fields.map((field) => ({
    key: field.key,
    label: field.label,
    type: field.type,
    required: field.required ?? false,
    ...(field.options && { options: field.options }),
    ...(field.type === 'consent'
      ? { channel: channelOf(field, fields) }
      : field.channel && { channel: field.channel }),
  }))
}

// Comparing JSON works because `complete` gave both values the same key order.
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The fields of the call, as callers name them, with the values that this form has. */
function shownOf({ doubleOptIn, ...form }: FormDesign, changes: Changes): Record<string, unknown> {
  const whole: Record<string, unknown> = { ...form, double_opt_in: doubleOptIn }
  const { doubleOptIn: newDoubleOptIn, ...others } = changes
  const fields = {
    ...others,
    ...(newDoubleOptIn !== undefined && { double_opt_in: newDoubleOptIn }),
  }
  return Object.fromEntries(Object.keys(fields).map((key) => [key, whole[key]]))
}

function missingFieldOfForm(field: string): Refusal {
  const text = `${field} is missing: a new form needs it. To change a form, give its form_id.`
  return refuse('invalid_request', text, { field, data: { reason: 'missing' } })
}

function insertForm(
  tx: Tx,
  businessId: Id<'business'>,
  form: FormDesign & { id: Id<'form'>; now: Date },
): Promise<number> {
  return tx.run(sql`
    insert into forms (business_id, id, name, status, fields, tags, page, double_opt_in,
      version, submission_count, created_at, updated_at)
    values (${businessId}, ${form.id}, ${form.name}, ${form.status},
      ${JSON.stringify(form.fields)}, ${form.tags}, ${JSON.stringify(form.page)},
      ${form.doubleOptIn}, 1, 0, ${form.now}, ${form.now})
  `)
}

/** Leaves the submission count alone, because submissions go on at the same time. */
function updateForm(
  tx: Tx,
  businessId: Id<'business'>,
  form: FormDesign & { id: Id<'form'>; version: number; now: Date },
): Promise<number> {
  return tx.run(sql`
    update forms set name = ${form.name}, status = ${form.status},
      fields = ${JSON.stringify(form.fields)}, tags = ${form.tags},
      page = ${JSON.stringify(form.page)}, double_opt_in = ${form.doubleOptIn},
      version = ${form.version}, updated_at = ${form.now}
    where business_id = ${businessId} and id = ${form.id}
  `)
}

/** Returns the form and locks it until the transaction ends. */
function lockForm(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'form'>,
): Promise<(FormDesign & { version: number }) | undefined> {
  return tx.maybe(sql`
    select name, status, fields, tags, page, double_opt_in as "doubleOptIn", version from forms
    where business_id = ${businessId} and id = ${id} for no key update
  `)
}

import { byCampaign } from '../campaigns/campaign.ts'
import { campaignNamed } from '../campaigns/results/recipients.ts'
import { campaignIdInput } from '../campaigns/view.ts'
import { type Filter, sameFilterInput } from '../contacts/filters/filter.ts'
import { readFilter } from '../contacts/filters/read.ts'
import { searchInput } from '../contacts/search.ts'
import { segmentOf } from '../contacts/segments/find.ts'
import { bySegment } from '../contacts/segments/find-business.ts'
import { segmentIdInput } from '../contacts/segments/segment.ts'
import { compileCondition } from '../contacts/segments/where.ts'
import { refuse } from '../core/errors.ts'
import { linkMaker } from '../core/link-maker.ts'
import { isMasked } from '../core/masking.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { createSealedLinks } from '../core/sealed-link.ts'
import { checkTakesDataOut } from '../core/taking-out.ts'
import { untrusted } from '../core/untrusted.ts'
import { recordAudit } from '../events/audit.ts'
import { formIdInput } from '../forms/form.ts'
import { formKeysOf } from '../forms/submission.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import { Type } from '../lib/schema/schema.ts'
import { hours, later } from '../lib/time/clock.ts'
import { sequenceNamed } from '../sequences/export-people.ts'
import { bySequence, sequenceIdInput } from '../sequences/sequence.ts'
import {
  type ExportedThing,
  type ExportLink,
  exportFormats,
  exportKinds,
  exportLinkPurpose,
} from './link.ts'
import { exportText, isColumn } from './stream.ts'

export interface ExportFacility {
  vault: Pick<Vault, 'seal' | 'open'>
  gatewayUrl: string
}

/** Long enough for a person who is sent the link to open it. */
export const linkHours = 1

const rights = { scope: 'audience:read', role: 'admin' } as const

export function exportCreate({ vault, gatewayUrl }: ExportFacility) {
  const links = createSealedLinks<ExportLink>(vault, exportLinkPurpose)
  return operation({
    name: 'export.create',
    title: 'Export contacts or results',
    area: 'contacts',
    summary:
      "A link to a file of contacts (all, or those of a search, filter or segment), suppressions, a form's submissions, a campaign's recipients or an automation's people with what became of each. Good for an hour without a token: for the person alone.",
    reach: 'business',
    ...rights,
    tier: 'free',
    freshSignIn: 'Data is exported',
    freshFactor: 'exports',
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'POST /v1/exports',
    status: 201,
    locate: { segment_id: bySegment, campaign_id: byCampaign, sequence_id: bySequence },
    input: {
      kind: Type.Optional(Type.Enum(exportKinds)),
      q: searchInput,
      filter: sameFilterInput,
      segment_id: Type.Optional(segmentIdInput),
      form_id: Type.Optional(formIdInput),
      campaign_id: Type.Optional(campaignIdInput),
      sequence_id: Type.Optional(sequenceIdInput),
      format: Type.Optional(Type.Enum(exportFormats)),
      as_text: Type.Optional(
        Type.Boolean({ description: 'The CSV in the answer too, where it has at most 15 kB.' }),
      ),
      columns: Type.Optional(
        Type.Array(Type.String({ maxLength: 200 }), {
          minItems: 1,
          maxItems: 30,
          description:
            'Of contacts as_text: email, phone, external_id, name, first_name, last_name, language, tags, attributes.KEY.',
        }),
      ),
    },
    output: Type.Object({
      url: Type.String({ description: 'GET it; no token is needed.' }),
      url_until: Type.String({ description: 'ISO 8601, UTC.' }),
      file_name: Type.String(),
      untrusted: Type.Optional(
        untrusted({
          text: Type.String({ description: 'CSV with a header row; absent where it is longer.' }),
        }),
      ),
    }),

    async run(context, { format = 'csv', as_text = false, columns, ...selection }) {
      const { db, hmac, business, now, origin } = context
      checkColumns(columns, as_text)
      if (as_text && selection.q !== undefined) checkMayFindByPart(context)
      const thing = await thingOf(context, selection)
      checkTakesDataOut(context, { action: 'An export', page: '/contacts' })
      const file_name = `${thing.of}-${now.toISOString().slice(0, 10)}.${format}`
      const entry = { businessId: business.id, action: 'export.create', origin }
      const details = { of: thing.of, format }
      const maker = linkMaker(context.principal, rights)
      const until = later(now, hours(linkHours))
      const token = links.make({ business_id: business.id, format, thing, file_name, maker }, until)
      const url = `${gatewayUrl}/v1/exports/${token}`
      const source = { business_id: business.id, thing, columns }
      const text = as_text ? await exportText({ db, hmac, now }, source) : undefined
      return context.write(async (tx) => {
        await recordAudit(tx, [{ ...entry, details }], now)
        const link = { url, url_until: until.toISOString(), file_name }
        return { ...link, ...(text !== undefined && { untrusted: { text } }) }
      })
    },
  })
}

function checkColumns(columns: readonly string[] | undefined, isText: boolean): void {
  if (columns === undefined) return
  const index = columns.findIndex((column) => !isColumn(column))
  if (index < 0 && isText) return
  if (index < 0) {
    const text = 'columns chooses what as_text shows: pass as_text too. The file has every column.'
    throw refuse('invalid_request', text, { field: 'as_text', data: { reason: 'missing' } })
  }
  const field = `columns[${index}]`
  const allowed =
    'email, phone, external_id, name, first_name, last_name, language, tags, attributes.KEY'
  const text = `${field} must be one of ${allowed}.`
  throw refuse('invalid_request', text, { field, data: { reason: 'not_a_choice', allowed } })
}

/** The file goes to a person; a text in the answer would tell which part of an address is right. */
function checkMayFindByPart(context: BusinessContext): void {
  if (!isMasked(context)) return
  const text =
    'This connection sees addresses and numbers masked, so that q, which finds by a part of one, does not go with as_text: use filter, whose condition on email or phone compares the whole value. Its person can let it see whole ones in the app, under Connections.'
  throw refuse('invalid_request', text, {
    field: 'q',
    data: { reason: 'masked_condition', sees: 'masked' },
  })
}

interface ExportRequest {
  q?: string | undefined
  kind?: (typeof exportKinds)[number] | undefined
  filter?: object | undefined
  segment_id?: string | undefined
  form_id?: string | undefined
  campaign_id?: string | undefined
  sequence_id?: string | undefined
}

async function thingOf(context: BusinessContext, request: ExportRequest): Promise<ExportedThing> {
  const { kind, form_id, campaign_id, sequence_id, q, filter, segment_id } = request
  const things: ExportedThing[] = []
  // Ids are looked up before the number of exports is checked: an unknown id is always not_found.
  if (form_id !== undefined) {
    const form = await formKeysOf(context.db, context.business.id, form_id)
    things.push({ of: 'submissions', form_id: form.id, keys: form.keys })
  }
  if (campaign_id !== undefined) {
    const id = await campaignNamed(context.db, context.business.id, campaign_id)
    things.push({ of: 'recipients', campaign_id: id })
  }
  if (sequence_id !== undefined) {
    const id = await sequenceNamed(context.db, context.business.id, sequence_id)
    things.push({ of: 'automation', sequence_id: id })
  }
  if (kind === 'suppressions') things.push({ of: 'suppressions' })
  if (
    things.length === 0 ||
    kind === 'contacts' ||
    q !== undefined ||
    filter !== undefined ||
    segment_id !== undefined
  ) {
    const contacts = await contactsOf(context, { q, filter, segment_id })
    things.push(contacts)
  }
  const [thing, second] = things
  if (thing !== undefined && second === undefined) return thing
  const text =
    'kind suppressions, form_id, campaign_id, sequence_id, and q, filter and segment_id together are different exports: name one of them.'
  throw refuse('invalid_request', text, {
    field:
      form_id !== undefined
        ? 'form_id'
        : campaign_id !== undefined
          ? 'campaign_id'
          : sequence_id !== undefined
            ? 'sequence_id'
            : 'kind',
    data: { reason: 'one_of' },
  })
}

async function contactsOf(
  context: BusinessContext,
  { q, filter: filterInput, segment_id }: Pick<ExportRequest, 'q' | 'filter' | 'segment_id'>,
): Promise<ExportedThing> {
  const filters: Filter[] = []
  if (filterInput !== undefined) {
    const filter = readFilter(filterInput)
    filters.push(filter)
  }
  if (segment_id !== undefined) {
    const segment = await segmentOf(context, segment_id)
    filters.push(segment.filter)
  }
  for (const filter of filters) {
    await compileCondition(context, filter)
  }
  return { of: 'contacts', filters, ...(q !== undefined && { q }) }
}

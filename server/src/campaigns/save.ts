/**
 * `campaign.save`: changes a draft. Of a campaign that was ordered, it chooses the winner of its A/B
 * test, its place in the archive, or another name.
 */

import { readDeploySettings } from '../accounts/businesses/deploy-settings.ts'
import { recordSave } from '../accounts/saves/last-save.ts'
import { ifVersionInput } from '../accounts/saves/stale-save.ts'
import { limits } from '../config.ts'
import { readTopic } from '../contacts/topics/topic.ts'
import { isRefusal, orRefusal, orThrow, refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { type BusinessContext, type Origin, operation } from '../core/operation.ts'
import { readUtm } from '../core/utm.ts'
import { recordAudit } from '../events/audit.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { type Static, type TObject, Type } from '../lib/schema/schema.ts'
import { textReplaced } from '../templates/changes.ts'
import { type CheckedContent, checkContent, saveOwned, versionContent } from '../templates/owned.ts'
import { warningsOf } from '../templates/previews.ts'
import { wholeTemplate } from '../templates/version.ts'
import { noSuchTemplate, templateIdInput } from '../templates/view.ts'
import { evidenceNow } from './ab-test/pick-winner.ts'
import {
  checkTest,
  findTest,
  judge,
  readTest,
  saveTest,
  setWinner,
  standingTest,
  type TestWish,
  testInput,
} from './ab-test/variant-test.ts'
import {
  type ArchiveChoice,
  archiveChoiceInput,
  checkHasPage,
  chooseArchive,
} from './archive/choose-archive.ts'
import { audienceInput, readAudience } from './audience/audience-input.ts'
import { expandAudience } from './audience/whole.ts'
import {
  byCampaign,
  type Campaign,
  campaignLimits,
  findCampaign,
  findVariants,
  updateDraft,
  updateFromTemplate,
  updateName,
  updateVariant,
  type Variant,
} from './campaign.ts'
import { campaignTopicInput, contentInput, inContent } from './content.ts'
import type { GenerateParts } from './generate.ts'
import { drifted } from './preflight/plan-hash.ts'
import { checkDraftVersion } from './preflight/stale-draft.ts'
import { lockCampaign, lockIfAllowed } from './sending/transitions.ts'
import { checkAllowed } from './states.ts'
import { campaignUtmInput, utmOf } from './utm.ts'
import { campaignFields, campaignIdInput, fieldsOf, noSuchCampaign } from './view.ts'

const saveInput = {
  campaign_id: campaignIdInput,
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: campaignLimits.nameLength,
      description: 'Alone, in every state.',
    }),
  ),
  content: Type.Optional(contentInput),
  template_id: Type.Optional(templateIdInput),
  audience: audienceInput,
  topic: campaignTopicInput,
  utm: campaignUtmInput,
  archive: archiveChoiceInput,
  ab: testInput,
  if_version: ifVersionInput,
}

export function campaignSave({ templates }: Pick<GenerateParts, 'templates'>) {
  return operation({
    name: 'campaign.save',
    title: 'Change a draft',
    area: 'campaigns',
    everyday: true,
    summary:
      'Change a draft. Each part of content given is replaced, "" removes it, the rest stays; new html, mjml or blocks drop the old text. audience ({}: all who agreed) and ab replace the whole. Preview again.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    rest: 'PATCH /v1/campaigns/:campaign_id',
    bodyBytes: limits.contentBytes,
    locate: { campaign_id: byCampaign },
    input: saveInput,
    output: Type.Object({ ...campaignFields, warnings: Type.Array(Type.String()) }),

    async run(context, { campaign_id, if_version: ifVersion, archive, ...changes }) {
      const { db, business, now, origin, write } = context
      const id = parseId('campaign', campaign_id)
      const campaign = id && (await findCampaign(db, business.id, id))
      if (!campaign) throw noSuchCampaign(campaign_id)
      if (archive) checkHasPage(campaign.channel)
      const key = { businessId: business.id, id }
      const choice = archive !== undefined && { ...key, archive, origin, now }
      const changed = draftFields.filter((field) => changes[field] !== undefined)
      if (choice && changed.length === 0) {
        return write(async (tx) => {
          const chosen = await chooseArchive(tx, choice)
          return { ...fieldsOf(chosen), warnings: [] }
        })
      }
      const test = changes.ab && readTest(changes.ab)
      if (typeof test === 'number') {
        return write(async (tx) => {
          if (choice) await chooseArchive(tx, choice)
          return chooseWinner(tx, { ...key, winner: test, now })
        })
      }
      const { name } = changes
      const isNameAlone = !choice && changed.every((field) => field === 'name')
      if (name !== undefined && isNameAlone && campaign.state !== 'draft') {
        return write(async (tx) => {
          const renamed = await rename(tx, { ...key, name, origin, now })
          return { ...fieldsOf(renamed), warnings: [] }
        })
      }
      return saveDraft(context, templates, { campaign, changes, test, ifVersion, choice })
    },
  })
}

/** What only a draft lets somebody change. */
const draftFields = ['name', 'content', 'template_id', 'audience', 'topic', 'utm', 'ab'] as const

type Saved = ReturnType<typeof fieldsOf> & { warnings: string[] }

interface DraftSave {
  campaign: Campaign
  changes: Pick<Static<TObject<typeof saveInput>>, (typeof draftFields)[number]>
  test: TestWish | undefined
  ifVersion: number | undefined
  choice: ArchiveChoice | false
}

/** Everything is checked before the transaction; in it, another save since then refuses this one. */
async function saveDraft(
  context: BusinessContext,
  templates: GenerateParts['templates'],
  { campaign, changes, test: newTest, ifVersion, choice }: DraftSave,
): Promise<Saved> {
  const { db, business, now, origin, write } = context
  const { id } = campaign
  checkAllowed('save', campaign)
  const audience = changes.audience ? readAudience(changes.audience) : campaign.audience
  if (changes.audience) await expandAudience(db, business.id, audience)
  const newTopic = orThrow(await readTopic(db, business.id, changes.topic))
  const topic = newTopic === undefined ? campaign.topic : newTopic
  const newUtm = changes.utm && readUtm(changes.utm)
  const utm = newUtm === undefined ? campaign.utm : newUtm
  const fromTemplate = await templateIn(db, business.id, changes)
  const before = await firstVariant(db, business.id, campaign)
  const attempt = {
    ifVersion,
    name: changes.name,
    parts: changes.content,
    audience: changes.audience && audience,
    topic: newTopic,
    utm: newUtm,
    ab: changes.ab,
  }
  await checkDraftVersion(context, { campaign, before, attempt })
  const edited = { ...changes.content, name: changes.name ?? campaign.name }
  const content = await orRefusal(() =>
    checkContent({ db, templates }, edited, { before, businessId: business.id }),
  )
  if (isRefusal(content)) throw inContent(content)
  const isNew = JSON.stringify(content.source) !== JSON.stringify(before.source)
  const key = { businessId: business.id, campaignId: id }
  const testInput = newTest ?? (isNew ? await standingTest(db, key, before.source) : undefined)
  const test =
    testInput && (await checkTest({ db, templates }, testInput, { first: content, business }))
  const isOther =
    JSON.stringify([content.name, audience, topic, utm]) !==
    JSON.stringify([campaign.name, campaign.audience, campaign.topic, campaign.utm])
  const dropped = changes.content?.text === '' ? [] : textReplaced(before.source, content.source)
  const warnings = [...dropped, ...(await warningsOf(content.previews, content.source))]
  return write(async (tx) => {
    const locked = await lockIfAllowed('save', tx, { businessId: business.id, id })
    if (locked.version !== campaign.version) throw drifted(id, [{ what: 'content' }])
    const current = choice ? await chooseArchive(tx, choice) : locked
    const isChanged = isNew || isOther || test !== undefined
    const version = current.version + (isChanged ? 1 : 0)
    const audienceWish = changes.audience ? null : current.audienceWish
    const { name } = content
    await updateDraft(
      tx,
      business.id,
      { id, name, audience, topic, utm, audienceWish, version },
      now,
    )
    if (fromTemplate) await updateFromTemplate(tx, business.id, { id, fromTemplate })
    if (isNew) {
      const { position, templateId } = before.variant
      const owned = { campaignId: id, templateId, content, origin, now }
      const { versionId } = await saveOwned(tx, business.id, owned)
      await updateVariant(tx, business.id, id, { position, versionId })
    }
    if (isChanged) {
      await recordSave(tx, { businessId: business.id, objectId: id }, { origin, now })
    }
    if (test) await saveTest(tx, { ...key, origin, now }, test)
    const saved = { ...current, name, audience, topic, utm, audienceWish, version, updatedAt: now }
    return { ...fieldsOf(saved), warnings }
  })
}

/** The template that the content was taken from. It is only remembered, for its results. */
async function templateIn(
  db: Db,
  businessId: Id<'business'>,
  { content, template_id }: Pick<DraftSave['changes'], 'content' | 'template_id'>,
): Promise<Id<'template'> | undefined> {
  if (template_id === undefined) return undefined
  const id = parseId('template', template_id)
  if (!id || !(await wholeTemplate(db, businessId, id))) throw noSuchTemplate(template_id)
  if (content) return id
  const text = 'template_id says where the content was taken from: give content with it.'
  throw refuse('invalid_request', text, { field: 'template_id', data: { reason: 'missing' } })
}

type CurrentContent = Pick<CheckedContent, 'name' | 'channel' | 'source'> & { variant: Variant }

/** The current content of the draft. */
async function firstVariant(
  db: Db,
  businessId: Id<'business'>,
  { id, name, channel }: Campaign,
): Promise<CurrentContent> {
  const [variant] = await findVariants(db, businessId, id)
  const content = variant && (await versionContent(db, businessId, variant.versionId))
  if (!content) throw new Error('a campaign whose content is not there')
  return { name, channel, source: content.source, variant }
}

interface WinnerChoice {
  businessId: Id<'business'>
  id: Id<'campaign'>
  winner: number
  now: Date
}

/**
 * A person need not wait for the end of the test: the next tick releases the winner to the others.
 */
async function chooseWinner(tx: Tx, { businessId, id, winner, now }: WinnerChoice): Promise<Saved> {
  const campaign = await lockCampaign(tx, businessId, id)
  if (!campaign) throw noSuchCampaign(formatId('campaign', id))
  const key = { businessId, campaignId: id }
  const [test, variants] = await Promise.all([findTest(tx, key), findVariants(tx, businessId, id)])
  const isRunning = campaign.state === 'deployed' || campaign.state === 'paused'
  if (!test || test.winner !== null || !isRunning) {
    const why = !test
      ? 'it has no A/B test'
      : test.winner === null
        ? 'a winner is chosen while it is deployed or paused'
        : `variant ${test.winner} was chosen`
    const text = `The campaign is ${campaign.state}, and no winner can be chosen: ${why}.`
    throw refuse('conflict', text, { data: { reason: 'no_winner_now', status: campaign.state } })
  }
  if (!variants.some(({ position }) => position === winner)) {
    const numbers = variants.map(({ position }) => position).join(', ')
    const text = `ab.winner must be one of its variants: ${numbers}.`
    throw refuse('invalid_request', text, {
      field: 'ab.winner',
      data: { reason: 'no_such_variant' },
    })
  }
  const evidence = await evidenceNow(tx, key, test)
  const { leader, isBeyondChance } = judge(evidence)
  const chosen = { winner, byHand: true, isBeyondChance: isBeyondChance && leader === winner }
  await setWinner(tx, key, { ...chosen, evidence, now })
  return { ...fieldsOf(campaign), warnings: [] }
}

interface Renaming {
  businessId: Id<'business'>
  id: Id<'campaign'>
  name: string
  origin: Origin
  now: Date
}

/** Its links keep the parameter that its first name gave them, those to come as well. */
async function rename(tx: Tx, { businessId, id, name, origin, now }: Renaming): Promise<Campaign> {
  const campaign = await lockCampaign(tx, businessId, id)
  if (!campaign) throw noSuchCampaign(formatId('campaign', id))
  const ofBusiness = campaign.frozenAt ? null : (await readDeploySettings(tx, businessId))?.utm
  const utm = utmOf(campaign, ofBusiness ?? null) ?? campaign.utm
  await updateName(tx, businessId, { id, name, utm }, now)
  const entry = { businessId, action: 'campaign.save', subject: formatId('campaign', id), origin }
  await recordAudit(tx, [{ ...entry, details: { renamed: true } }], now)
  return { ...campaign, name, utm, updatedAt: now }
}

import { recordSave } from '../../accounts/saves/last-save.ts'
import { ifVersionInput } from '../../accounts/saves/stale-save.ts'
import { limits } from '../../config.ts'
import { readTopic } from '../../contacts/topics/named-topic.ts'
import { isRefusal, orRefusal, orThrow, refuse } from '../../core/errors.ts'
import { formatId, type Id, parseId } from '../../core/ids.ts'
import { type Origin, operation } from '../../core/operation.ts'
import { readUtm } from '../../core/utm.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { textReplaced } from '../../templates/changes.ts'
import {
  type CheckedContent,
  checkContent,
  saveOwned,
  versionContent,
} from '../../templates/owned.ts'
import { warningsOf } from '../../templates/previews.ts'
import { judge } from '../ab-test/evidence.ts'
import { evidenceNow } from '../ab-test/pick-winner.ts'
import { findTest, setWinner } from '../ab-test/test-queries.ts'
import { checkTest, readTest, saveTest, standingTest, testInput } from '../ab-test/variant-test.ts'
import { archiveChoiceInput, checkHasPage, chooseArchive } from '../archive/choose-archive.ts'
import { expandAudience } from '../audience/whole.ts'
import { audienceInput, readAudience } from '../model/audience.ts'
import { type Campaign, campaignLimits, type Variant } from '../model/campaign.ts'
import { contentInput, inContent } from '../model/content.ts'
import {
  findCampaign,
  findVariants,
  updateDraft,
  updateName,
  updateVariant,
} from '../model/queries.ts'
import { checkAllowed } from '../model/states.ts'
import { campaignTopicInput } from '../model/topic.ts'
import { campaignUtmInput, utmOf } from '../model/utm.ts'
import { campaignFields, campaignIdInput, fieldsOf, noSuchCampaign } from '../model/view.ts'
import { drifted } from '../preflight/drift.ts'
import { refuseStaleDraft } from '../preflight/stale-draft.ts'
import { lockCampaign } from '../sending/transition-queries.ts'
import { lockIfAllowed } from '../sending/transitions.ts'
import type { GenerateParts } from './generate.ts'

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
    input: {
      campaign_id: campaignIdInput,
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: campaignLimits.nameLength,
          description: 'Alone, also once it is completed or cancelled.',
        }),
      ),
      content: Type.Optional(contentInput),
      audience: audienceInput,
      topic: campaignTopicInput,
      utm: campaignUtmInput,
      archive: archiveChoiceInput,
      ab: testInput,
      if_version: ifVersionInput,
    },
    output: Type.Object({ ...campaignFields, warnings: Type.Array(Type.String()) }),

    async run(context, { campaign_id, if_version: ifVersion, archive, ...input }) {
      const { db, business, now, origin, write } = context
      const id = parseId('campaign', campaign_id)
      const campaign = id && (await findCampaign(db, business.id, id))
      if (!campaign) throw noSuchCampaign(campaign_id)
      if (archive) checkHasPage(campaign.channel)
      const choice = archive !== undefined && { businessId: business.id, id, archive, origin, now }
      if (choice && draftFields.every((field) => input[field] === undefined)) {
        return write(async (tx) => {
          const chosen = await chooseArchive(tx, choice)
          return { ...fieldsOf(chosen), warnings: [] }
        })
      }
      const wish = input.ab && readTest(input.ab)
      if (typeof wish === 'number') {
        const request = { businessId: business.id, id, winner: wish, now }
        return write(async (tx) => {
          if (choice) await chooseArchive(tx, choice)
          return chooseWinner(tx, request)
        })
      }
      const isNameAlone =
        !choice && draftFields.every((field) => field === 'name' || input[field] === undefined)
      if (input.name !== undefined && isNameAlone && hasEnded(campaign)) {
        const renaming = { businessId: business.id, id, name: input.name, origin, now }
        return write(async (tx) => {
          const renamed = await rename(tx, renaming)
          return { ...fieldsOf(renamed), warnings: [] }
        })
      }
      checkAllowed('save', campaign)
      const audience = input.audience ? readAudience(input.audience) : campaign.audience
      if (input.audience) await expandAudience(db, business.id, audience)
      const said = orThrow(await readTopic(db, business.id, input.topic))
      const topic = said === undefined ? campaign.topic : said
      const given = input.utm && readUtm(input.utm)
      const utm = given === undefined ? campaign.utm : given
      const before = await firstVariant(db, business.id, campaign)
      const asked = { ...input.content, name: input.name ?? campaign.name }
      const beside = { before, businessId: business.id }
      const { name, content: parts, ab } = input
      const named = {
        name,
        parts,
        audience: input.audience && audience,
        topic: said,
        utm: given,
        ab,
      }
      const attempt = { ...named, ifVersion }
      const stale = await refuseStaleDraft(context, { campaign, before, attempt })
      if (stale) throw stale
      const content = await orRefusal(() => checkContent({ db, templates }, asked, beside))
      if (isRefusal(content)) throw inContent(content)
      const isNew = JSON.stringify(content.source) !== JSON.stringify(before.source)
      const key = { businessId: business.id, campaignId: id }
      const wished = wish ?? (isNew ? await standingTest(db, key, before.source) : undefined)
      const first = { first: content, business }
      const test = wished && (await checkTest({ db, templates }, wished, first))
      const isOther =
        JSON.stringify([content.name, audience, topic, utm]) !==
        JSON.stringify([campaign.name, campaign.audience, campaign.topic, campaign.utm])
      const dropped = input.content?.text === '' ? [] : textReplaced(before.source, content.source)
      const warnings = [...dropped, ...(await warningsOf(content.previews))]
      return write(async (tx) => {
        const locked = await lockIfAllowed('save', tx, { businessId: business.id, id })
        if (locked.version !== campaign.version) throw drifted(id, [{ what: 'content' }])
        const held = choice ? await chooseArchive(tx, choice) : locked
        const isChanged = isNew || isOther || test !== undefined
        const version = held.version + (isChanged ? 1 : 0)
        const audienceWish = input.audience ? null : held.audienceWish
        const change = { id, name: content.name, audience, topic, utm, audienceWish, version }
        await updateDraft(tx, business.id, change, now)
        if (isNew) {
          const { position, templateId } = before.variant
          const owned = { campaignId: id, templateId, content, origin, now }
          const { versionId } = await saveOwned(tx, business.id, owned)
          await updateVariant(tx, business.id, id, { position, versionId })
        }
        if (isChanged) {
          await recordSave(tx, { businessId: business.id, objectId: id }, { origin, now })
        }
        const owner = { businessId: business.id, campaignId: id, origin, now }
        if (test) await saveTest(tx, owner, test)
        const saved = {
          ...held,
          name: content.name,
          audience,
          topic,
          utm,
          audienceWish,
          version,
          updatedAt: now,
        }
        return { ...fieldsOf(saved), warnings }
      })
    },
  })
}

const hasEnded = ({ state }: Campaign) => state === 'completed' || state === 'cancelled'

interface Renaming {
  businessId: Id<'business'>
  id: Id<'campaign'>
  name: string
  origin: Origin
  now: Date
}

/** The links that it sends once more keep the parameter that its first name gave them. */
async function rename(tx: Tx, { businessId, id, name, origin, now }: Renaming): Promise<Campaign> {
  const campaign = await lockCampaign(tx, businessId, id)
  if (!campaign) throw noSuchCampaign(formatId('campaign', id))
  const utm = campaign.utm && (utmOf(campaign, null) ?? campaign.utm)
  await updateName(tx, businessId, { id, name, utm }, now)
  const entry = { businessId, action: 'campaign.save', subject: formatId('campaign', id), origin }
  await recordAudit(tx, [{ ...entry, details: { renamed: true } }], now)
  return { ...campaign, name, utm, updatedAt: now }
}

/** What only a draft lets somebody change. */
const draftFields = ['name', 'content', 'audience', 'topic', 'utm', 'ab'] as const

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

interface Chosen {
  businessId: Id<'business'>
  id: Id<'campaign'>
  winner: number
  now: Date
}

/**
 * A person need not wait for the end of the test: the next tick releases the winner to the others.
 */
async function chooseWinner(
  tx: Tx,
  { businessId, id, winner, now }: Chosen,
): Promise<ReturnType<typeof fieldsOf> & { warnings: string[] }> {
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
    throw refuse('conflict', text, { data: { status: campaign.state } })
  }
  if (!variants.some(({ position }) => position === winner)) {
    const numbers = variants.map(({ position }) => position).join(', ')
    const text = `ab.winner must be one of its variants: ${numbers}.`
    throw refuse('invalid_request', text, { field: 'ab.winner' })
  }
  const evidence = await evidenceNow(tx, key, test)
  const { leader, isBeyondChance } = judge(evidence)
  const chosen = { winner, byHand: true, isBeyondChance: isBeyondChance && leader === winner }
  await setWinner(tx, key, { ...chosen, evidence, now })
  return { ...fieldsOf(campaign), warnings: [] }
}

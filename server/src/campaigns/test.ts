import { readDeploySettings } from '../accounts/businesses/deploy-settings.ts'
import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { contactIdInput } from '../contacts/contact.ts'
import { resolveRecipients } from '../contacts/recipients.ts'
import { fitsOf } from '../contacts/segments/fits.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import type { Utm } from '../core/utm.ts'
import type { Db } from '../lib/db/types.ts'
import { textOf } from '../lib/email/quoted-printable.ts'
import { Type } from '../lib/schema/schema.ts'
import { segmentsOf } from '../lib/sms/segments.ts'
import { canonicalLanguageTag } from '../lib/text/language-tag.ts'
import type { Templates as MessageWords } from '../messages/dependencies.ts'
import type { Content } from '../messages/message.ts'
import { saveMessages } from '../messages/save.ts'
import { languageInput, orderFields } from '../messages/send-input.ts'
import type { MessageToSave } from '../messages/to-save.ts'
import type { Sender, Senders } from '../sender-domains/senders/senders.ts'
import type { Templates } from '../templates/compile.ts'
import { versionConditions } from '../templates/owned.ts'
import type { Campaign, Variant } from './campaign.ts'
import { byCampaign, findCampaign } from './campaign.ts'
import type { UnsubscribeCheck } from './preflight/gates/unsubscribe.ts'
import { type RenderedCampaign, readRendered } from './preflight/rendered.ts'
import { previewsFor, type Reader, readerOf } from './sample.ts'
import { checkAllowed } from './states.ts'
import { utmOf } from './utm.ts'
import { campaignIdInput, noSuchCampaign } from './view.ts'

interface Member {
  id: Id<'user'>
  email: string
}

interface TestParts extends TestMailParts {
  templates: Templates
  senders: Senders
  /** The only people to whom a test may be sent, whatever the call asks for. */
  membersOf(db: Db, businessId: Id<'business'>): Promise<Member[]>
}

/** The most members that one test is sent to. */
const mostMembers = 10

export function campaignTest(parts: TestParts) {
  return operation({
    name: 'campaign.test',
    title: 'Send a test',
    area: 'campaigns',
    everyday: true,
    summary:
      'Send a campaign as it looks to members of the business, by default yourself; contact_id: as that contact gets it.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: 'POST /v1/campaigns/:campaign_id/test',
    status: 202,
    locate: { campaign_id: byCampaign },
    input: {
      campaign_id: campaignIdInput,
      to: Type.Optional(Type.Array(Type.String({ maxLength: 320 }), { maxItems: mostMembers })),
      contact_id: Type.Optional(contactIdInput),
      language: languageInput,
    },
    output: Type.Object({ message_ids: Type.Array(Type.String()) }),

    async run(context, { campaign_id, to, contact_id, language: languageInput }) {
      const { db, business, now, write } = context
      if (contact_id !== undefined && languageInput !== undefined) {
        const text = 'contact_id and language cannot be used together: a contact has a language.'
        throw refuse('invalid_request', text, { field: 'language', data: { reason: 'one_of' } })
      }
      const id = parseId('campaign', campaign_id)
      const campaign = id && (await findCampaign(db, business.id, id))
      if (!campaign) throw noSuchCampaign(campaign_id)
      checkAllowed('test', campaign)
      const members = await chosen(context, await parts.membersOf(db, business.id), to)
      const rendered = await readRendered({ db, templates: parts.templates }, business.id, campaign)
      const language = languageInput && canonicalLanguageTag(languageInput)
      const unknown =
        languageInput === undefined ? undefined : refuseLanguage(rendered, languageInput, language)
      if (unknown) throw unknown
      const reader =
        contact_id === undefined
          ? undefined
          : await readerOf(db, { businessId: business.id, contact_id })
      const test = { campaign, rendered, members, reader, language }
      const messages = await messagesTo(parts, context, test)
      return write(async (tx) => {
        const saved = await saveMessages.save(tx, messages, now)
        const no = saved.find(isRefusal)
        if (no) throw no
        const ids = saved.flatMap((entry) =>
          isRefusal(entry) ? [] : [formatId('message', entry.id)],
        )
        return { message_ids: ids }
      })
    },
  })
}

async function chosen(
  { principal }: BusinessContext,
  members: Member[],
  to: string[] | undefined,
): Promise<Member[]> {
  if (to === undefined) return members.filter(({ id }) => id === principal.userId)
  const addresses = new Set(to.map((email) => email.trim().toLowerCase()))
  const recipients = members.filter(({ email }) => addresses.has(email.toLowerCase()))
  if (recipients.length === addresses.size && recipients.length > 0) return recipients
  const text = 'A test goes to members of the business alone, by the addresses they sign in with.'
  throw refuse('invalid_request', text, { field: 'to', data: { reason: 'test_to_members' } })
}

function refuseLanguage(
  { previews }: RenderedCampaign,
  languageInput: string,
  tag: string | undefined,
): Refusal | undefined {
  const tags = new Set(previews.flatMap(({ language }) => language ?? []))
  if (tag !== undefined && tags.has(tag)) return undefined
  const translations = tags.size === 0 ? 'It has none.' : `It has ${[...tags].join(', ')}.`
  const text = `The campaign has no translation ${languageInput}. ${translations}`
  return refuse('invalid_request', text, { field: 'language', data: { reason: 'no_translation' } })
}

interface Test {
  campaign: Campaign
  rendered: RenderedCampaign
  members: Member[]
  /** The contact whose mail the members get; undefined for each member's own. */
  reader: Reader | undefined
  /** The translation to test. */
  language: string | undefined
}

/** Sends every variant to every member, as mail that they requested, which needs no consent. */
async function messagesTo(
  parts: TestParts,
  context: BusinessContext,
  test: Test,
): Promise<MessageToSave[]> {
  const { db, hmac, business } = context
  const { members } = test
  const keys = members.map(({ email }) => ({
    businessId: business.id,
    channel: 'email' as const,
    contactId: undefined,
    address: email,
    needsConsent: false,
  }))
  const resolved = await resolveRecipients(db, hmac, keys)
  const contacts = resolved.map((entry) => (isRefusal(entry) ? null : entry.contactId))
  return test.campaign.channel === 'email'
    ? mailsTo(parts, context, { ...test, contacts })
    : textsTo(parts, context, { ...test, contacts })
}

interface TestToMembers extends Test {
  /** The members as contacts, in order; null for a member who is not a contact. */
  contacts: (Id<'contact'> | null)[]
}

function commonOf(context: BusinessContext, { channel }: Campaign) {
  return {
    ...orderFields(context),
    channel,
    kind: 'transactional' as const,
    template: undefined,
    sendAt: undefined,
    allowDuplicate: true,
  }
}

async function mailsTo(
  parts: TestParts,
  context: BusinessContext,
  { campaign, rendered, members, reader, contacts, language }: TestToMembers,
): Promise<MessageToSave[]> {
  const { db, business } = context
  const sender = await parts.senders.senderOf(business.id)
  if (isRefusal(sender)) throw sender
  const utm = utmOf(campaign, (await readDeploySettings(db, business.id))?.utm ?? null)
  const common = { ...commonOf(context, campaign), contactId: undefined, units: 1 }
  const mails: MessageToSave[] = []
  for (const [i, { email }] of members.entries()) {
    for (const variant of rendered.variants) {
      const contactId = reader?.contactId ?? contacts[i] ?? null
      const to = { businessId: business.id, sender, variant, contactId, utm, language }
      const content = await testMail(context, parts, to)
      mails.push({ ...common, to: email, content })
    }
  }
  return mails
}

async function textsTo(
  { templates }: Pick<TestParts, 'templates'>,
  context: BusinessContext,
  { campaign, rendered, reader, contacts, language }: TestToMembers,
): Promise<MessageToSave[]> {
  const contactIds = contacts.filter((id) => id !== null)
  if (contactIds.length < contacts.length) throw membersWithoutNumber()
  const { db, hmac, now } = context
  const tested = reader
    ? await previewsFor({ db, templates, hmac, now }, rendered, reader)
    : rendered.previews.filter(
        (preview) => preview.data === 'sample' && preview.language === language,
      )
  const texts = tested.map(({ text }) => text)
  return contactIds.flatMap((contactId) =>
    texts.map((text) => ({
      ...commonOf(context, campaign),
      contactId,
      to: undefined,
      content: { ...asIs, text },
      units: segmentsOf(text).segments,
    })),
  )
}

function membersWithoutNumber(): Refusal {
  const text =
    'A text is tested on the number of the contact with the member’s email address. Save one, with both, by contact.upsert.'
  return refuse('conflict', text, {
    field: 'to',
    fix: { tool: 'contact.upsert' },
    data: { reason: 'member_without_number' },
  })
}

/** What the subject of a test begins with, so that nobody takes it for the campaign. */
const mark = '[Test]'

interface TestMailParts {
  words: Pick<MessageWords, 'render'>
  unsubscribeCheck: Pick<UnsubscribeCheck, 'testUrl' | 'withFooter'>
}

interface TestMail {
  businessId: Id<'business'>
  sender: Sender
  variant: Variant
  contactId: Id<'contact'> | null
  utm: Utm | undefined
  /** The language to test. Else the contact's. */
  language: string | undefined
}

/**
 * The mail of a campaign as a test sends it to a member: rendered for them, with the footer that
 * recipients get. Its content is stored as it is, so that nothing is rendered twice, and its links
 * are direct: nobody is tracked, and nobody is unsubscribed.
 */
async function testMail(
  context: Pick<BusinessContext, 'db' | 'hmac' | 'now'>,
  { words, unsubscribeCheck }: TestMailParts,
  { businessId, sender, variant, contactId, utm, language }: TestMail,
): Promise<Content> {
  const business = await senderProfileOf(context.db, businessId)
  if (!business) throw refuse('not_found', 'There is no such business.')
  const url = unsubscribeCheck.testUrl(sender.trackingHost)
  const shownBlocks = contactId
    ? await bitsFor(context, { businessId, variant, contactId })
    : ('all' as const)
  const rendered = await words.render({
    businessId,
    templateVersionId: variant.versionId,
    shownBlocks,
    contactId,
    variables: {},
    ...(language !== undefined && { language }),
    preferencesUrl: url,
    viewUrl: new URL('/v/test', url).href,
  })
  const { subject, html, text } = rendered
  const mail = { text: textOf(text), ...(html !== undefined && { html: textOf(html) }) }
  const whole = unsubscribeCheck.withFooter(business, url, mail, { language, utm })
  return { ...asIs, subject: `${mark} ${subject}`, text: whole.text, html: whole.html ?? null }
}

/** Which blocks of the variant a member sees who is a contact. */
async function bitsFor(
  { db, hmac, now }: Pick<BusinessContext, 'db' | 'hmac' | 'now'>,
  {
    businessId,
    variant,
    contactId,
  }: Pick<TestMail, 'businessId' | 'variant'> & {
    contactId: Id<'contact'>
  },
): Promise<number> {
  const [conditions] = await versionConditions(db, businessId, [variant.versionId])
  const filters = conditions?.conditions.map(({ filter }) => filter) ?? []
  const fits = await fitsOf(db, { businessId, filters, contactIds: [contactId], hmac, now })
  return fits.get(contactId) ?? 0
}

/** Content to which nothing is added. */
const asIs: Content = {
  subject: null,
  html: null,
  text: null,
  variables: null,
  attachments: null,
  trackOpens: false,
  trackClicks: false,
}

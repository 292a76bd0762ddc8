import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { missingView, type ReadMissing, viewOfMissing } from '../accounts/settings/missing.ts'
import { limits } from '../config.ts'
import { readTopic } from '../contacts/topics/topic.ts'
import { type AppLanguage, appLanguages } from '../core/app-languages.ts'
import { isRefusal, orRefusal, orThrow, refuse } from '../core/errors.ts'
import { newId, parseId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import type { Templates } from '../templates/compile.ts'
import { chosenEntry, galleryInput, slotsInput } from '../templates/gallery/choice.ts'
import { checkContent } from '../templates/owned.ts'
import { warningsOf } from '../templates/previews.ts'
import { type WholeTemplate, wholeTemplate } from '../templates/version.ts'
import { noSuchTemplate, templateIdInput } from '../templates/view.ts'
import { audienceInput, readAudience } from './audience/audience-input.ts'
import { expandAudience } from './audience/whole.ts'
import { type CampaignChannel, campaignChannels, campaignLimits } from './campaign.ts'
import { type ContentInput, campaignTopicInput, contentInput, inContent } from './content.ts'
import { saveDraft } from './draft.ts'
import { campaignFields, fieldsOf } from './view.ts'
import { briefInput } from './writer/brief.ts'
import {
  type BriefAsked,
  type FromBrief,
  writeFromBrief,
  writtenView,
} from './writer/from-brief.ts'
import { noteWords } from './writer/notes.ts'
import { type Writer, writers } from './writer/writer.ts'

export interface GenerateParts {
  templates: Templates
  writer: Writer
  missingOf: ReadMissing
}

export function campaignGenerate({ templates, writer, missingOf }: GenerateParts) {
  return operation({
    name: 'campaign.generate',
    aliases: ['generate_campaign'],
    title: 'Make a campaign',
    area: 'campaigns',
    everyday: true,
    summary:
      'Make a draft of a campaign from a brief (a sentence, or its fields), a key of template.gallery, or your content. Tells what is lacking. Next: campaign.preview. Never sends.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest: 'POST /v1/campaigns',
    bodyBytes: limits.contentBytes,
    status: 201,
    input: {
      brief: Type.Optional(briefInput),
      content: Type.Optional(contentInput),
      gallery: galleryInput,
      slots: slotsInput,
      template_id: Type.Optional(templateIdInput),
      notes_in: Type.Optional(Type.Enum(appLanguages)),
      writer: Type.Optional(Type.Enum(writers)),
      channel: Type.Enum(campaignChannels),
      audience: audienceInput,
      topic: campaignTopicInput,
      name: Type.Optional(Type.String({ minLength: 1, maxLength: campaignLimits.nameLength })),
    },
    output: Type.Object({
      ...campaignFields,
      ...writtenView,
      warnings: Type.Array(Type.String()),
      missing: Type.Optional(missingView),
    }),

    async run(context, input) {
      const { db, business, now, origin, write } = context
      const requestedAudience = readAudience(input.audience)
      await expandAudience(db, business.id, requestedAudience)
      const topic = orThrow(await readTopic(db, business.id, input.topic))
      const words = await wordsOf(writer, context, input)
      const { content, view } = words
      const name =
        input.name ?? nameFrom(words.name ?? '', business.name).slice(0, campaignLimits.nameLength)
      const names = {
        ...content,
        channel: input.channel,
        name: name || `Campaign of ${now.toISOString()}`,
      }
      const checked = await orRefusal(() =>
        checkContent({ db, templates }, names, { businessId: business.id }),
      )
      if (isRefusal(checked)) throw inContent(checked)
      const missing =
        input.channel === 'email'
          ? viewOfMissing((await missingOf([business.id])).get(business.id))
          : []
      const warnings = await warningsOf(checked.previews, checked.source)
      return write(async (tx) => {
        const id = newId('campaign')
        const audience = input.audience ? requestedAudience : words.audience
        const audienceWish = input.audience ? undefined : words.audienceWish
        const draft = {
          id,
          audience,
          topic: topic ?? null,
          audienceWish,
          content: checked,
          gallery: words.gallery,
          writtenBy: words.writtenBy,
          fromTemplate: parseId('template', input.template_id ?? ''),
        }
        const campaign = await saveDraft(tx, business.id, { ...draft, origin, now })
        return {
          ...fieldsOf(campaign),
          ...view,
          ...(words.writtenBy !== 'caller' && {
            text: checked.compiled.parts.text,
          }),
          warnings,
          ...(missing.length > 0 && { missing }),
        }
      })
    },
  })
}

/** A subject as the name of its campaign: in words, without what differs from person to person. */
function nameFrom(subject: string, businessName: string): string {
  const filledIn = subject.replace(/\{\{([^{}]*)\}\}|\{%[^{}]*%\}/g, (_code, value?: string) => {
    if (value?.trim() === 'business.name') return businessName
    return value?.split('default:')[1]?.trim().slice(1, -1) ?? ''
  })
  return filledIn
    .replace(/\s+/g, ' ')
    .replace(/^[ ,;:]{1,3}/, '')
    .replace(/[ ,;:]{1,3}$/, '')
}

interface GenerateInput {
  brief?: BriefAsked['brief']
  content?: ContentInput
  gallery?: string
  slots?: Record<string, string>
  template_id?: string
  channel: CampaignChannel
  writer?: BriefAsked['writer']
  notes_in?: AppLanguage
  idempotency_key?: string
}

/** The content of the campaign: the call's own, or written from its brief. */
async function wordsOf(
  writer: Writer,
  context: BusinessContext,
  {
    brief,
    content,
    gallery,
    slots,
    template_id,
    channel,
    writer: hand,
    notes_in: notesIn = 'en',
    ...others
  }: GenerateInput,
): Promise<Omit<FromBrief, 'name'> & { name: string | undefined }> {
  const sources = Object.entries({ brief, content, gallery }).filter(
    ([, value]) => value !== undefined,
  )
  if (sources.length > 1) {
    const names = sources.map(([name]) => name).join(' and ')
    const text = `${names} are both there: a brief is written, content is taken as it is, and gallery is a mail of template.gallery.`
    throw refuse('invalid_request', text, { field: 'brief', data: { reason: 'one_of' } })
  }
  if (slots && gallery === undefined) {
    const text = 'slots are those of a mail of the gallery: give its key as gallery, too.'
    throw refuse('invalid_request', text, { field: 'gallery', data: { reason: 'missing' } })
  }
  const template = template_id === undefined ? undefined : await templateOf(context, template_id)
  if (template && !content) {
    if (template.channel !== channel || brief !== undefined || gallery !== undefined) {
      const text = `template_id is the content of a campaign for ${template.channel}, without brief and gallery.`
      throw refuse('invalid_request', text, {
        field: 'template_id',
        data: { reason: 'other_channel' },
      })
    }
    return { ...byCaller, content: contentOf(template), name: template.name }
  }
  if (content) {
    const [firstLine = ''] = (content.text ?? '').trim().split('\n', 1)
    return { ...byCaller, content, name: content.subject ?? firstLine }
  }
  if (gallery !== undefined) {
    const { business, db } = context
    const profile = await senderProfileOf(db, business.id)
    const language = profile?.language ?? 'en'
    const { key, title, empty, ...entry } = chosenEntry({ gallery, slots, language })
    if (channel !== entry.channel) {
      const text = `${key} of the gallery is ${entry.channel === 'sms' ? 'a text message' : 'a mail'}: give channel ${entry.channel}, or another key.`
      throw refuse('invalid_request', text, {
        field: 'gallery',
        fix: { tool: 'template.gallery', arguments: {} },
        data: { reason: 'other_channel' },
      })
    }
    const { subject, preheader } = entry.content
    const view = {
      ...(subject !== undefined && { subject }),
      ...(preheader !== undefined && { preheader }),
      ...(empty.length > 0 && { notes: [noteWords(notesIn).emptySlots(empty.join(', '))] }),
    }
    return { ...byCaller, content: entry.content, name: title, gallery: key, view }
  }
  if (brief === undefined) {
    const text =
      'brief is missing: say in a sentence what to tell, choose a mail with template.gallery, or give the content.'
    throw refuse('invalid_request', text, { field: 'brief', data: { reason: 'missing' } })
  }
  const { idempotency_key: _key, ...rest } = others
  const call = { ...rest, brief, channel }
  // Test mode asks nobody outside of this machine.
  const writing = context.principal.isTest ? 'built_in' : hand
  return writeFromBrief(writer, context, { brief, channel, writer: writing, notesIn, call })
}

async function templateOf(
  { db, business }: BusinessContext,
  template_id: string,
): Promise<WholeTemplate> {
  const id = parseId('template', template_id)
  const template = id && (await wholeTemplate(db, business.id, id))
  if (!template) throw noSuchTemplate(template_id)
  return template
}

const contentOf = ({ source }: WholeTemplate) => ({ ...source }) as ContentInput

const byCaller = {
  audience: {},
  audienceWish: undefined,
  writtenBy: 'caller',
  gallery: undefined,
  view: {},
} as const
